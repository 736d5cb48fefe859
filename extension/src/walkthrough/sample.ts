// The sample that the extension carries: a small script with a profile of it, to look around in.

import * as path from "node:path";

import * as vscode from "vscode";

import { tellingFailure } from "../messages";
import type { Services } from "../services";
import { copySample, SCRIPT } from "./copySample";

export function registerSample({ context }: Services): vscode.Disposable {
  // A copy: people may edit it, run it, and keep what they made of it.
  const directory = path.join(context.globalStorageUri.fsPath, "sample");
  showScript(directory).catch(() => undefined); // A script that was taken away is not missed.
  return vscode.commands.registerCommand("sidelight.openSample", () =>
    tellingFailure(async () => {
      const carried = path.join(context.extensionUri.fsPath, "dist", "sample");
      await copySample(carried, directory);
      const hasFolder = vscode.workspace.workspaceFolders !== undefined;
      await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(directory), {
        forceNewWindow: hasFolder,
      });
    }),
  );
}

/** Opens the script, where the sample's folder was opened and no file of it yet. */
async function showScript(directory: string): Promise<void> {
  const isOpen = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === directory);
  // A welcome page is no file.
  const files = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText);
  if (isOpen === true && files.length === 0) {
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(directory, SCRIPT)));
  }
}
