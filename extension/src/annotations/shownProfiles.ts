// What is shown now, kept up to date for whoever draws it.

import * as vscode from "vscode";

import type { ShownProfile } from "../protocol";
import type { Services } from "../services";

export class ShownProfiles implements vscode.Disposable {
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  #all: readonly ShownProfile[] = [];

  constructor(services: Services) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      services.server.onNotification("sidelight/shownChanged", ({ shown }) => {
        this.#set(shown);
      }),
      services.server.onDidStart(() => void this.#ask()),
    );
    void this.#ask();
  }

  get all(): readonly ShownProfile[] {
    return this.#all;
  }

  /** The profile of a file's folder; of files in no folder, the only or first one. */
  of(file: vscode.Uri | undefined): ShownProfile | undefined {
    const folder = file && vscode.workspace.getWorkspaceFolder(file);
    if (folder === undefined) return this.#all[0];
    return this.#all.find(({ folderUri }) => isSame(folderUri, folder.uri));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #ask(): Promise<void> {
    try {
      const { server } = this.#services;
      this.#set((await server.requestIfStarted("sidelight/shownProfiles", {})).shown);
    } catch {
      // No server, nothing shown; its own status says why.
      this.#set([]);
    }
  }

  #set(shown: readonly ShownProfile[]): void {
    this.#all = shown;
    this.#changed.fire();
  }
}

// Clients and servers escape some characters differently.
function isSame(one: string, other: vscode.Uri): boolean {
  return vscode.Uri.parse(one).toString() === other.toString();
}
