// A double click on a trace: it is read once, and its timeline is shown in that tab.

import * as vscode from "vscode";

import { sentence } from "../errors";
import type { Services } from "../services";
import { TimelinePage } from "../views/timelinePage";
import { showTrace } from "./readTrace";

export function registerTraceEditor(services: Services): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider("sidelight.trace", new TraceEditor(services), {
    webviewOptions: { retainContextWhenHidden: true },
  });
}

class TraceEditor implements vscode.CustomReadonlyEditorProvider {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor(
    { uri }: vscode.CustomDocument,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    const reading = "Reading the trace …";
    const page = new TimelinePage(this.#services, panel.webview, vscode.ViewColumn.Beside, reading);
    const closed = new vscode.CancellationTokenSource();
    const show = async (): Promise<void> => {
      try {
        page.show(await showTrace(this.#services, uri, closed.token));
      } catch (error) {
        const isCancelled = error instanceof vscode.CancellationError;
        page.showMessage(isCancelled ? "Reading the trace was cancelled." : sentence(error));
      }
    };
    const trusting = vscode.workspace.onDidGrantWorkspaceTrust(() => void show());
    panel.onDidDispose(() => {
      trusting.dispose();
      page.dispose();
      closed.cancel();
      closed.dispose();
    });
    await show();
  }
}
