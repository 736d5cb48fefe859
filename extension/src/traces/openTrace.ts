// Has the server read something into a store, and shows how far it is; a person may cancel it.

import { randomUUID } from "node:crypto";
import * as path from "node:path";

import * as vscode from "vscode";

import { withProgress } from "../messages";
import type { OpenedTrace, OpenTraceParams } from "../protocol";
import type { Services } from "../services";
import { visible } from "../../webview/visibleText";

/** What to read; into which store goes by where it lies. */
export type Wanted = Omit<OpenTraceParams, "folderUri" | "workDoneToken">;

/**
 * Reads it, and shows the profile.
 *
 * @param notWanted Cancels the reading, as the button of its progress does.
 * @throws Error A sentence; vscode.CancellationError where it was cancelled.
 */
export async function openTrace(
  services: Services,
  wanted: Wanted,
  notWanted?: vscode.CancellationToken,
): Promise<OpenedTrace> {
  const folder =
    vscode.workspace.getWorkspaceFolder(vscode.Uri.file(wanted.path)) ??
    vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    throw new Error("Profiles are kept in the open folder, and none is open. Open a folder first.");
  }
  const doing = wanted.runExplorer === true ? "Running neuron-explorer on" : "Reading";
  return await withProgress(`${doing} ${path.basename(wanted.path)}`, async (report, token) => {
    const workDoneToken = randomUUID();
    const cancelling = new vscode.CancellationTokenSource();
    const cancel = (): void => {
      cancelling.cancel();
    };
    const cancels = [token, notWanted].map((either) => either?.onCancellationRequested(cancel));
    const listening = await services.server.onWorkDone(workDoneToken, (done) => {
      if (done.kind !== "report") return;
      if (done.percentage !== undefined) report(`${done.percentage} %`, done.percentage);
      else if (done.message !== undefined) report(visible(done.message));
    });
    try {
      const parameters = { ...wanted, folderUri: folder.uri.toString(), workDoneToken };
      return await services.server.request("sidelight/openTrace", parameters, cancelling.token);
    } finally {
      for (const disposable of [listening, cancelling, ...cancels]) disposable?.dispose();
    }
  });
}
