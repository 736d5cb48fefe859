// Reading a trace into a store, with progress and cancel.

import { randomUUID } from "node:crypto";
import * as path from "node:path";

import * as vscode from "vscode";

import type { ProfileEntry } from "../protocol";
import type { Services } from "../services";

/**
 * Reads a trace, shows its progress, and shows the profile.
 *
 * @throws Error A sentence; vscode.CancellationError where it was cancelled.
 */
export async function readTrace(services: Services, trace: vscode.Uri): Promise<ProfileEntry> {
  const folder =
    vscode.workspace.getWorkspaceFolder(trace) ?? vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    throw new Error("Profiles are kept in the open folder, and none is open. Open a folder first.");
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: `Reading ${path.basename(trace.fsPath)}`,
    cancellable: true,
  };
  return await vscode.window.withProgress(options, async (progress, token) => {
    const workDoneToken = randomUUID();
    let shown = 0;
    const listening = await services.server.onWorkDone(workDoneToken, (done) => {
      const percentage = done.kind === "report" ? (done.percentage ?? shown) : shown;
      progress.report({ increment: percentage - shown, message: `${percentage} %` });
      shown = percentage;
    });
    try {
      const parameters = { path: trace.fsPath, folderUri: folder.uri.toString(), workDoneToken };
      return await services.server.request("sidelight/openTrace", parameters, token);
    } finally {
      listening.dispose();
    }
  });
}
