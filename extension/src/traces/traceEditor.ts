// A double click on a trace: it is read once, and its timeline is shown in that tab.

import * as vscode from "vscode";

import { sentence } from "../errors";
import type { Services } from "../services";
import { TimelinePage } from "../views/timelinePage";
import { readTrace } from "./readTrace";
import { TraceMemory } from "./traceMemory";

export function registerTraceEditor(services: Services): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider("sidelight.trace", new TraceEditor(services), {
    webviewOptions: { retainContextWhenHidden: true },
  });
}

class TraceEditor implements vscode.CustomReadonlyEditorProvider {
  readonly #services: Services;
  readonly #memory: TraceMemory;

  constructor(services: Services) {
    this.#services = services;
    this.#memory = new TraceMemory(services.context.workspaceState);
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
    panel.onDidDispose(() => {
      page.dispose();
    });
    try {
      await page.show(await this.#profileOf(uri));
    } catch (error) {
      const isCancelled = error instanceof vscode.CancellationError;
      await page.showMessage(isCancelled ? "Reading the trace was cancelled." : sentence(error));
    }
  }

  async #profileOf(trace: vscode.Uri): Promise<string> {
    const known = await this.#memory.profileOf(trace.fsPath);
    if (known !== undefined) {
      await this.#services.server.request("sidelight/showProfile", { directory: known });
      return known;
    }
    const { directory } = await readTrace(this.#services, trace);
    await this.#memory.remember(trace.fsPath, directory);
    return directory;
  }
}
