// A page of a profile in a webview, wherever that is: what it loads, and what it is to show.

import { randomBytes } from "node:crypto";

import * as vscode from "vscode";

import type { PageCommand } from "../../webview/page/commands";
import { sentence } from "../errors";
import type { Services } from "../services";
import { pageHtml } from "./pageHtml";
import type { ProfilePage } from "./profilePages";

/** What tells a page's bundle from others'. */
export interface PageBundle {
  /** Of its files. */
  readonly name: string;
  readonly title: string;
}

/** What any page asks for. */
export type CommonQuestion =
  { readonly type: "ready" } | { readonly type: "run"; readonly command: PageCommand };

export abstract class WebviewPage<
  ToPage,
  FromPage extends { readonly type: string },
> implements ProfilePage {
  readonly #webview: vscode.Webview;
  readonly #listening: vscode.Disposable;
  readonly #bundle: PageBundle;
  /** What the page is to show: a profile, or why there is none. */
  #wanted: { readonly directory: string } | { readonly message: string };
  #isReady = false;
  /** The profile that is wanted could not be had. */
  #hasFailed = false;

  /**
   * @param sourceColumn Where source lines open.
   * @param message What an empty page says.
   */
  constructor(
    protected readonly services: Services,
    webview: vscode.Webview,
    protected readonly sourceColumn: vscode.ViewColumn,
    message: string,
    bundle: PageBundle,
  ) {
    this.#webview = webview;
    this.#wanted = { message };
    this.#bundle = bundle;
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
    webview.html = pageHtml({
      title: bundle.title,
      script: address(`${bundle.name}.js`),
      style: address(`${bundle.name}.css`),
      ownSource: webview.cspSource,
      nonce: randomBytes(24).toString("base64"),
    });
  }

  get directory(): string | undefined {
    return "directory" in this.#wanted ? this.#wanted.directory : undefined;
  }

  show(directory: string): void {
    this.#wanted = { directory };
    void this.#showWanted();
  }

  showMessage(message: string): void {
    this.#wanted = { message };
    void this.#showWanted();
  }

  abstract goTo(argument: unknown): void;

  dispose(): void {
    this.#listening.dispose();
    // Answers that are still to come have nowhere to go.
    this.#isReady = false;
  }

  /** The message; undefined where it is none that the page may send. */
  protected abstract parse(message: unknown): FromPage | CommonQuestion | undefined;

  /** Does what the page asks for. */
  protected abstract answer(asked: Exclude<FromPage, CommonQuestion>): Promise<void>;

  /** What shows a profile. */
  protected abstract load(directory: string): Promise<ToPage>;

  /** What shows none. */
  protected abstract empty(message: string): ToPage;

  /** Goes where the page was to go once it is ready and shows its profile. */
  protected abstract goToPending(): Promise<void>;

  protected get isReady(): boolean {
    return this.#isReady;
  }

  protected post(message: ToPage): void {
    if (this.#isReady) void this.#webview.postMessage(message);
  }

  async #showWanted(): Promise<void> {
    if (!this.#isReady) return;
    this.#hasFailed = false;
    const wanted = this.#wanted;
    if ("message" in wanted) {
      this.post(this.empty(wanted.message));
      return;
    }
    try {
      const loaded = await this.load(wanted.directory);
      // Another profile may have been asked for meanwhile.
      if (this.#wanted !== wanted) return;
      this.post(loaded);
    } catch (error) {
      if (this.#wanted !== wanted) return;
      this.#hasFailed = true;
      this.post(this.empty(sentence(error)));
      return;
    }
    await this.goToPending();
  }

  async #receive(message: unknown): Promise<void> {
    const asked = this.parse(message);
    if (asked === undefined) {
      this.services.log.warn(`${this.#bundle.title} sent a message that is none of its own`);
    } else if (isReady(asked)) {
      this.#isReady = true;
      await this.#showWanted();
    } else if (isCommand(asked)) {
      await vscode.commands.executeCommand(asked.command);
    } else {
      await this.answer(asked as Exclude<FromPage, CommonQuestion>);
    }
  }
}

function isReady(asked: { readonly type: string }): asked is { readonly type: "ready" } {
  return asked.type === "ready";
}

function isCommand(asked: {
  readonly type: string;
}): asked is Extract<CommonQuestion, { type: "run" }> {
  return asked.type === "run";
}
