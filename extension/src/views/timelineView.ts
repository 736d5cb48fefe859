// The timeline beside the code: in the panel, and as an editor tab. Both show the profile whose
// numbers stand in the active file's folder.

import * as vscode from "vscode";

import type { ShownProfiles } from "../annotations/shownProfiles";
import type { Services } from "../services";
import { parseLine, parseProfileView } from "./pageMessages";
import { TimelinePage } from "./timelinePage";

const VIEW = "sidelight.timeline";
const TAB = "sidelight.timelineTab";

export function registerTimeline(services: Services, shown: ShownProfiles): vscode.Disposable {
  const timelines = new Timelines(services, shown);
  const keepPage = { webviewOptions: { retainContextWhenHidden: true } };
  return vscode.Disposable.from(
    timelines,
    vscode.window.registerWebviewViewProvider(VIEW, timelines, keepPage),
    vscode.window.registerWebviewPanelSerializer(TAB, timelines),
    vscode.commands.registerCommand("sidelight.showTimeline", (line?: unknown) =>
      timelines.show(line),
    ),
    vscode.commands.registerCommand("sidelight.openTimelineInEditor", () => {
      timelines.openTab();
    }),
  );
}

class Timelines
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable
{
  readonly #services: Services;
  readonly #shown: ShownProfiles;
  readonly #following: vscode.Disposable;
  /** The last file that was looked at: a page that has the focus leaves none active. */
  #file = vscode.window.activeTextEditor?.document.uri;
  #inPanel: TimelinePage | undefined;
  #tab: { readonly panel: vscode.WebviewPanel; readonly page: TimelinePage } | undefined;
  /** The line to go to once the panel's page is there. */
  #pendingLine: unknown;

  constructor(services: Services, shown: ShownProfiles) {
    this.#services = services;
    this.#shown = shown;
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

  /** Brings the timeline up, at a line's device time if it is given one. */
  async show(line: unknown): Promise<void> {
    if (this.#tab !== undefined) {
      this.#tab.panel.reveal();
      goTo(this.#tab.page, line);
      return;
    }
    this.#pendingLine = line;
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    if (this.#inPanel !== undefined) this.#goToPendingLine(this.#inPanel);
  }

  openTab(): void {
    if (this.#tab === undefined) {
      const panel = vscode.window.createWebviewPanel(TAB, "Timeline", vscode.ViewColumn.Active, {
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
    this.#goToPendingLine(page);
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

  #newPage(webview: vscode.Webview, sourceColumn: vscode.ViewColumn): TimelinePage {
    const page = new TimelinePage(this.#services, webview, sourceColumn, emptyMessage());
    this.#follow(page);
    return page;
  }

  #goToPendingLine(page: TimelinePage): void {
    goTo(page, this.#pendingLine);
    this.#pendingLine = undefined;
  }

  #update(): void {
    for (const page of [this.#inPanel, this.#tab?.page]) if (page !== undefined) this.#follow(page);
  }

  #follow(page: TimelinePage): void {
    const profile = this.#shown.of(this.#file);
    if (profile === undefined) page.showMessage(emptyMessage());
    else if (page.directory !== profile.directory) page.show(profile.directory);
  }
}

/** Goes to what an argument of "show timeline" names: a line, or a view that was copied. */
function goTo(page: TimelinePage, argument: unknown): void {
  const place = parseLine(argument);
  if (place !== undefined) page.goTo(place);
  const view = parseProfileView(argument);
  if (view !== undefined) page.showView(view);
}

function emptyMessage(): string {
  return vscode.workspace.isTrusted
    ? "Profile a script, or open a profile, to see when the device was busy."
    : "Nothing is shown in a workspace that is not trusted.";
}
