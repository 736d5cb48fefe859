// A timeline's page in a webview: what it asks goes to the server.

import * as vscode from "vscode";

import type { FromPage, ProfileRange, ToPage } from "../../webview/timeline/messages";
import { sentence } from "../errors";
import { showNote, tellingFailure } from "../messages";
import type { EventParams, LineParams } from "../protocol";
import type { Services } from "../services";
import { choosePlace } from "../sources/choosePlace";
import { locateSource } from "../sources/locateSource";
import { mayOpen } from "../sources/outsideFiles";
import { followCursor } from "./followCursor";
import { NewestQuestions, SupersededError } from "./newestQuestions";
import { revealLine } from "./revealLine";
import { savePicture } from "./savePicture";
import { answerOf, kindOf, type Question } from "./timelineAnswers";
import {
  parseFromPage,
  parseLine,
  parseProfileView,
  parseRange,
  type ProfileView,
} from "./timelineMessages";
import { type CommonQuestion, WebviewPage } from "./webviewPage";

export class TimelinePage extends WebviewPage<ToPage, FromPage> {
  readonly #following: vscode.Disposable;
  readonly #newest = new NewestQuestions();
  /** The line to go to once the page is ready. */
  #pendingLine: LineParams | undefined;
  /** The stretch of time to go to once it is. */
  #pendingRange: ProfileRange | undefined;
  /** The view to show once it is. */
  #pendingView: ProfileView | undefined;

  constructor(
    services: Services,
    webview: vscode.Webview,
    sourceColumn: vscode.ViewColumn,
    message: string,
  ) {
    const bundle = { name: "timeline", title: "Sidelight Timeline" };
    super(services, webview, sourceColumn, message, bundle);
    this.#following = vscode.Disposable.from(
      followCursor(services, (line) => {
        this.#follow(line);
      }),
      // Other windows set markers, too.
      services.server.onNotification("sidelight/markersChanged", ({ directory }) => {
        this.post({ type: "markersChanged", directory });
      }),
    );
  }

  override dispose(): void {
    this.#following.dispose();
    this.#newest.dispose();
    super.dispose();
  }

  /** Goes to where a line's device time is, to a stretch of time, or to a view that was copied. */
  goTo(argument: unknown): void {
    const line = parseLine(argument);
    const range = parseRange(argument);
    const view = parseProfileView(argument);
    if (line !== undefined) this.#pendingLine = line;
    if (range !== undefined) this.#pendingRange = range;
    if (view !== undefined) this.#pendingView = view;
    for (const wanted of [line, range, view]) {
      if (wanted === undefined) continue;
      if (this.directory === wanted.directory) void this.goToPending();
      else this.show(wanted.directory);
    }
  }

  protected parse(message: unknown): FromPage | undefined {
    return parseFromPage(message);
  }

  protected async load(directory: string): Promise<ToPage> {
    const timeline = await this.services.server.request("sidelight/timeline", { directory });
    return { type: "timeline", timeline, message: "" };
  }

  protected empty(message: string): ToPage {
    return { type: "timeline", timeline: null, message };
  }

  protected async goToPending(): Promise<void> {
    if (!this.isReady) return;
    const [view, range, line] = [this.#pendingView, this.#pendingRange, this.#pendingLine];
    if (view !== undefined && view.directory === this.directory) {
      this.#pendingView = undefined;
      this.post({ type: "view", ...view });
    }
    if (range !== undefined && range.directory === this.directory) {
      this.#pendingRange = undefined;
      this.post({ type: "range", ...range });
    }
    if (line === undefined || line.directory !== this.directory) return;
    this.#pendingLine = undefined;
    await tellingFailure(async () => {
      const place = await this.services.server.request("sidelight/lineOnTimeline", line);
      if (place !== null) {
        this.post({ type: "goTo", directory: line.directory, place, line });
      } else {
        void showNote("The timeline has no device time of this line.");
      }
    });
  }

  protected async answer(asked: Exclude<FromPage, CommonQuestion>): Promise<void> {
    switch (asked.type) {
      case "getWindow":
      case "getDetails":
      case "getArea":
      case "getMatch":
      case "getUtilisation":
      case "getCounters":
      case "changeMarkers":
        await this.#ask(asked);
        break;
      case "copyView":
        await tellingFailure(() => copyView(asked));
        break;
      case "savePicture":
        await tellingFailure(() => savePicture(asked));
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
    }
  }

  #follow(line: LineParams | undefined): void {
    const { directory } = this;
    if (directory === undefined) return;
    const isOfProfile = line !== undefined && line.directory === directory;
    this.post({ type: "follow", directory, line: isOfProfile ? line : null });
  }

  async #ask(question: Question): Promise<void> {
    const { request } = question;
    const { server } = this.services;
    const kind = kindOf(question);
    try {
      const answer =
        kind === undefined
          ? await answerOf(server, question)
          : await this.#newest.ask(kind, (token) => answerOf(server, question, token));
      this.post(answer);
    } catch (error) {
      if (error instanceof SupersededError) this.post({ type: "superseded", request });
      else this.post({ type: "failed", request, message: sentence(error) });
    }
  }

  async #reveal(file: vscode.Uri, line: number): Promise<void> {
    if (await mayOpen(this.services.context.workspaceState, file)) {
      await revealLine(file, line, this.sourceColumn);
    }
  }

  async #locate({ directory, file, line }: LineParams): Promise<void> {
    const found = await locateSource(this.services, directory, file);
    if (found !== undefined) await revealLine(found, line, this.sourceColumn);
  }

  async #choosePlace({ directory, event }: EventParams): Promise<void> {
    const parameters = { directory, event };
    const details = await this.services.server.request("sidelight/timelineEvent", parameters);
    const place = await choosePlace(details);
    if (place === undefined) return;
    const { uri, line, currentLine } = place;
    if (uri === null) await this.#locate({ directory, ...place });
    else await this.#reveal(vscode.Uri.parse(uri), currentLine ?? line);
  }
}

/** Puts a link's worth of a view on the clipboard: an argument of "show timeline". */
async function copyView({ directory, view }: ProfileView): Promise<void> {
  await vscode.env.clipboard.writeText(JSON.stringify({ directory, view }));
  void showNote(
    "The view is on the clipboard, as an argument of the command sidelight.showTimeline.",
  );
}
