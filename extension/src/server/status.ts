// How the server is, in the editor's language status (the braces beside the language's name).

import * as vscode from "vscode";

import { withoutLinks } from "../messages";

/** Commands of the status and of messages only; the palette does not have them. */
export const START_COMMAND = "sidelight.server.start";
export const SHOW_LOG_COMMAND = "sidelight.server.showLog";

export type ServerState =
  | { readonly state: "waiting" }
  | { readonly state: "starting" }
  | { readonly state: "ready"; readonly restarted: boolean }
  | { readonly state: "failed"; readonly reason: string };

const SHOW_LOG: vscode.Command = { title: "Show Log", command: SHOW_LOG_COMMAND };
const START_AGAIN: vscode.Command = { title: "Start Again", command: START_COMMAND };

export class ServerStatus implements vscode.Disposable {
  readonly #item: vscode.LanguageStatusItem;

  constructor() {
    this.#item = vscode.languages.createLanguageStatusItem("sidelight.server", {
      language: "python",
    });
    this.#item.name = "Sidelight";
    this.show({ state: "waiting" });
  }

  show(state: ServerState): void {
    this.#item.busy = state.state === "starting";
    this.#item.severity =
      state.state === "failed"
        ? vscode.LanguageStatusSeverity.Error
        : vscode.LanguageStatusSeverity.Information;
    this.#item.command = state.state === "failed" ? START_AGAIN : SHOW_LOG;
    switch (state.state) {
      case "waiting":
        this.#item.text = "Sidelight";
        this.#item.detail = "starts with the first profile";
        break;
      case "starting":
        this.#item.text = "Sidelight";
        this.#item.detail = "the server is starting";
        break;
      case "ready":
        this.#item.text = "Sidelight";
        this.#item.detail = state.restarted ? "ready again, after the server ended" : "ready";
        break;
      case "failed":
        this.#item.text = "Sidelight does not run";
        // The editor makes links here, too.
        this.#item.detail = withoutLinks(state.reason);
        break;
    }
  }

  dispose(): void {
    this.#item.dispose();
  }
}
