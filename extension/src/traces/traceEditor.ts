// A double click on a trace: it is read once, and its timeline is shown in that tab.

import * as vscode from "vscode";

import { sentence } from "../errors";
import { RemediableError, tellFailure } from "../messages";
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
    const onReplaced = (directory: string): void => {
      page.show(directory);
    };
    const show = async (): Promise<void> => {
      try {
        page.show(await showTrace(this.#services, uri, { notWanted: closed.token, onReplaced }));
      } catch (error) {
        const isCancelled = error instanceof vscode.CancellationError;
        page.showMessage(isCancelled ? "Reading the trace was cancelled." : sentence(error));
        // The page has no button for it.
        if (error instanceof RemediableError) tellFailure(error);
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
