// A timeline's page in a webview, wherever that is: what it asks goes to the server.

import { randomBytes } from "node:crypto";

import * as vscode from "vscode";

import type { ToPage } from "../../webview/timeline/messages";
import { sentence } from "../errors";
import { showNote, tellingFailure } from "../messages";
import type { EventParams, LineParams } from "../protocol";
import type { Services } from "../services";
import { choosePlace } from "../sources/choosePlace";
import { locateSource } from "../sources/locateSource";
import { mayOpen } from "../sources/outsideFiles";
import { answerOf, type Question } from "./pageAnswers";
import { parseFromPage, type ProfileView } from "./pageMessages";
import { revealLine } from "./revealLine";
import { timelineHtml } from "./timelineHtml";

export class TimelinePage implements vscode.Disposable {
  readonly #services: Services;
  readonly #webview: vscode.Webview;
  readonly #sourceColumn: vscode.ViewColumn;
  readonly #listening: vscode.Disposable;
  /** What the page is to show: a profile, or why there is none. */
  #wanted: { readonly directory: string } | { readonly message: string };
  #isReady = false;
  /** The profile that is wanted could not be had. */
  #hasFailed = false;
  /** The line to go to once the page is ready. */
  #pendingLine: LineParams | undefined;
  /** The view to show once it is. */
  #pendingView: ProfileView | undefined;

  /**
   * @param sourceColumn Where source lines open.
   * @param message What an empty page says.
   */
  constructor(
    services: Services,
    webview: vscode.Webview,
    sourceColumn: vscode.ViewColumn,
    message: string,
  ) {
    this.#services = services;
    this.#webview = webview;
    this.#sourceColumn = sourceColumn;
    this.#wanted = { message };
    const files = vscode.Uri.joinPath(services.context.extensionUri, "dist", "webview");
    const address = (name: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(files, name)).toString();
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    this.#listening = vscode.Disposable.from(
      webview.onDidReceiveMessage((message: unknown) => void this.#receive(message)),
      // A server that was away is back.
      services.server.onDidStart(() => {
        if (this.#hasFailed) void this.#showWanted();
      }),
    );
    webview.html = timelineHtml({
      script: address("timeline.js"),
      style: address("timeline.css"),
      ownSource: webview.cspSource,
      nonce: randomBytes(24).toString("base64"),
    });
  }

  /** The profile it shows; undefined where it shows none. */
  get directory(): string | undefined {
    return "directory" in this.#wanted ? this.#wanted.directory : undefined;
  }

  /** Shows a profile. */
  show(directory: string): void {
    this.#wanted = { directory };
    void this.#showWanted();
  }

  /** Shows no profile, and says why. */
  showMessage(message: string): void {
    this.#wanted = { message };
    void this.#showWanted();
  }

  /** Goes to where a line's device time is. */
  goTo(line: LineParams): void {
    this.#pendingLine = line;
    if (this.directory === line.directory) void this.#goToPendingLine();
    else this.show(line.directory);
  }

  /** Shows a profile as it was seen before. */
  showView(view: ProfileView): void {
    this.#pendingView = view;
    if (this.directory === view.directory) this.#showPendingView();
    else this.show(view.directory);
  }

  dispose(): void {
    this.#listening.dispose();
    // Answers that are still to come have nowhere to go.
    this.#isReady = false;
  }

  async #showWanted(): Promise<void> {
    if (!this.#isReady) return;
    this.#hasFailed = false;
    const wanted = this.#wanted;
    if ("message" in wanted) {
      this.#post({ type: "timeline", timeline: null, message: wanted.message });
      return;
    }
    const { directory } = wanted;
    try {
      const timeline = await this.#services.server.request("sidelight/timeline", { directory });
      // Another profile may have been asked for meanwhile.
      if (this.#wanted === wanted) this.#post({ type: "timeline", timeline, message: "" });
    } catch (error) {
      if (this.#wanted !== wanted) return;
      this.#hasFailed = true;
      this.#post({ type: "timeline", timeline: null, message: sentence(error) });
      return;
    }
    this.#showPendingView();
    await this.#goToPendingLine();
  }

  #showPendingView(): void {
    const view = this.#pendingView;
    if (!this.#isReady || view === undefined || view.directory !== this.directory) return;
    this.#pendingView = undefined;
    this.#post({ type: "view", ...view });
  }

  async #goToPendingLine(): Promise<void> {
    const line = this.#pendingLine;
    if (!this.#isReady || line === undefined || line.directory !== this.directory) return;
    this.#pendingLine = undefined;
    await tellingFailure(async () => {
      const place = await this.#services.server.request("sidelight/lineOnTimeline", line);
      if (place !== null) {
        this.#post({ type: "goTo", directory: line.directory, place, line });
      } else {
        void showNote("The timeline has no device time of this line.");
      }
    });
  }

  async #receive(message: unknown): Promise<void> {
    const asked = parseFromPage(message);
    if (asked === undefined) {
      this.#services.log.warn("the timeline's page sent a message that is none of its own");
      return;
    }
    switch (asked.type) {
      case "ready":
        this.#isReady = true;
        await this.#showWanted();
        break;
      case "getWindow":
      case "getDetails":
      case "getArea":
      case "getMatch":
      case "getUtilisation":
      case "getCounters":
        await this.#answer(asked);
        break;
      case "copyView":
        await tellingFailure(() => copyView(asked));
        break;
      case "reveal":
        await tellingFailure(() => this.#reveal(vscode.Uri.parse(asked.uri), asked.line));
        break;
      case "choosePlace":
        await tellingFailure(() => this.#choosePlace(asked));
        break;
      case "locate":
        await tellingFailure(() => this.#locate(asked));
        break;
      case "run":
        await vscode.commands.executeCommand(asked.command);
        break;
    }
  }

  async #reveal(file: vscode.Uri, line: number): Promise<void> {
    if (await mayOpen(this.#services.context.workspaceState, file)) {
      await revealLine(file, line, this.#sourceColumn);
    }
  }

  async #locate({ directory, file, line }: LineParams): Promise<void> {
    const found = await locateSource(this.#services, directory, file);
    if (found !== undefined) await revealLine(found, line, this.#sourceColumn);
  }

  async #choosePlace({ directory, event }: EventParams): Promise<void> {
    const parameters = { directory, event };
    const details = await this.#services.server.request("sidelight/timelineEvent", parameters);
    const place = await choosePlace(details);
    if (place === undefined) return;
    const { uri, line, currentLine } = place;
    if (uri === null) await this.#locate({ directory, ...place });
    else await this.#reveal(vscode.Uri.parse(uri), currentLine ?? line);
  }

  async #answer(question: Question): Promise<void> {
    try {
      this.#post(await answerOf(this.#services.server, question));
    } catch (error) {
      this.#post({ type: "failed", request: question.request, message: sentence(error) });
    }
  }

  #post(message: ToPage): void {
    if (this.#isReady) void this.#webview.postMessage(message);
  }
}

/** Puts a link's worth of a view on the clipboard: an argument of "show timeline". */
async function copyView({ directory, view }: ProfileView): Promise<void> {
  await vscode.env.clipboard.writeText(JSON.stringify({ directory, view }));
  void showNote(
    "The view is on the clipboard, as an argument of the command sidelight.showTimeline.",
  );
}
