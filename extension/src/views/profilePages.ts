// Pages of a profile beside the code: in the panel, and as an editor tab. Both show the profile whose
// numbers stand in the active file's folder.

import * as vscode from "vscode";

import type { ShownProfiles } from "../annotations/shownProfiles";
import type { Services } from "../services";

/** A page in a webview. */
export interface ProfilePage {
  /** The profile it shows; undefined where it shows none. */
  readonly directory: string | undefined;
  /** Shows a profile. */
  show(directory: string): void;
  /** Shows no profile, and says why. */
  showMessage(message: string): void;
  /** Goes to what an argument of the command that shows pages names. */
  goTo(argument: unknown): void;
  dispose(): void;
}

/** A kind of page. */
export interface PageKind {
  /** The panel's view. */
  readonly view: string;
  /** The editor tab's type. */
  readonly tab: string;
  readonly title: string;
  /** The command that brings a page up. */
  readonly showCommand: string;
  /** The command that brings it up as an editor tab. */
  readonly openCommand: string;
  /** What a page without a profile offers to see. */
  readonly purpose: string;
  /**
   * @param sourceColumn Where source lines open.
   * @param message What an empty page says.
   */
  readonly make: (
    webview: vscode.Webview,
    sourceColumn: vscode.ViewColumn,
    message: string,
  ) => ProfilePage;
}

export function registerPages(
  services: Services,
  shown: ShownProfiles,
  kind: PageKind,
): vscode.Disposable {
  const pages = new ProfilePages(services, shown, kind);
  const keepPage = { webviewOptions: { retainContextWhenHidden: true } };
  return vscode.Disposable.from(
    pages,
    vscode.window.registerWebviewViewProvider(kind.view, pages, keepPage),
    vscode.window.registerWebviewPanelSerializer(kind.tab, pages),
    vscode.commands.registerCommand(kind.showCommand, (argument?: unknown) => pages.show(argument)),
    vscode.commands.registerCommand(kind.openCommand, () => {
      pages.openTab();
    }),
  );
}

class ProfilePages
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable
{
  readonly #services: Services;
  readonly #shown: ShownProfiles;
  readonly #kind: PageKind;
  readonly #following: vscode.Disposable;
  /** The last file that was looked at: a page that has the focus leaves none active. */
  #file = vscode.window.activeTextEditor?.document.uri;
  #inPanel: ProfilePage | undefined;
  #tab: { readonly panel: vscode.WebviewPanel; readonly page: ProfilePage } | undefined;
  /** Where to go once the panel's page is there. */
  #pending: unknown;

  constructor(services: Services, shown: ShownProfiles, kind: PageKind) {
    this.#services = services;
    this.#shown = shown;
    this.#kind = kind;
    this.#following = vscode.Disposable.from(
      shown.onDidChange(() => {
        this.#update();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#update();
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor === undefined) return;
        this.#file = editor.document.uri;
        this.#update();
      }),
    );
  }

  /** Brings a page up, and goes to what the argument names. */
  async show(argument: unknown): Promise<void> {
    if (this.#tab !== undefined) {
      this.#tab.panel.reveal();
      this.#tab.page.goTo(argument);
      return;
    }
    this.#pending = argument;
    await vscode.commands.executeCommand(`${this.#kind.view}.focus`);
    if (this.#inPanel !== undefined) this.#goToPending(this.#inPanel);
  }

  openTab(): void {
    if (this.#tab === undefined) {
      const { tab, title } = this.#kind;
      const panel = vscode.window.createWebviewPanel(tab, title, vscode.ViewColumn.Active, {
        retainContextWhenHidden: true,
      });
      this.#fillTab(panel);
    }
    this.#tab?.panel.reveal();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const page = this.#newPage(view.webview, vscode.ViewColumn.Active);
    this.#inPanel = page;
    view.onDidDispose(() => {
      page.dispose();
      this.#inPanel = undefined;
    });
    this.#goToPending(page);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.#fillTab(panel);
    return Promise.resolve();
  }

  dispose(): void {
    this.#following.dispose();
    this.#inPanel?.dispose();
    this.#tab?.panel.dispose();
  }

  #fillTab(panel: vscode.WebviewPanel): void {
    const { extensionUri } = this.#services.context;
    panel.iconPath = vscode.Uri.joinPath(extensionUri, "extension", "media", "icon.svg");
    const page = this.#newPage(panel.webview, vscode.ViewColumn.Beside);
    this.#tab = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      this.#tab = undefined;
    });
  }

  #newPage(webview: vscode.Webview, sourceColumn: vscode.ViewColumn): ProfilePage {
    const page = this.#kind.make(webview, sourceColumn, this.#emptyMessage());
    this.#follow(page);
    return page;
  }

  #goToPending(page: ProfilePage): void {
    page.goTo(this.#pending);
    this.#pending = undefined;
  }

  #update(): void {
    for (const page of [this.#inPanel, this.#tab?.page]) if (page !== undefined) this.#follow(page);
  }

  #follow(page: ProfilePage): void {
    const profile = this.#shown.of(this.#file);
    if (profile === undefined) page.showMessage(this.#emptyMessage());
    else if (page.directory !== profile.directory) page.show(profile.directory);
  }

  #emptyMessage(): string {
    return vscode.workspace.isTrusted
      ? `Profile a script, or open a profile, to see ${this.#kind.purpose}.`
      : "Nothing is shown in a workspace that is not trusted.";
  }
}
