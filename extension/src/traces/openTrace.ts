// Has the server read something into a store, and shows how far it is; a person may cancel it.

import * as path from "node:path";

import * as vscode from "vscode";

import type { OpenedTrace, OpenTraceParams } from "../protocol";
import type { Services } from "../services";
import { askWithProgress } from "../workDone";

/** What to read; into which store goes by where it lies. */
export type Wanted = Omit<OpenTraceParams, "folderUri" | "workDoneToken">;

/**
 * Reads it, and shows the profile.
 *
 * @param notWanted Cancels the reading, as the button of its progress does.
 * @throws Error A sentence; vscode.CancellationError where it was cancelled.
 */
export async function openTrace(
  { server }: Services,
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
  const read = (workDoneToken: string, cancelling: vscode.CancellationToken) =>
    server.request(
      "sidelight/openTrace",
      { ...wanted, folderUri: folder.uri.toString(), workDoneToken },
      cancelling,
    );
  return await askWithProgress(server, `${doing} ${path.basename(wanted.path)}`, read, notWanted);
}
