import * as vscode from "vscode";

/** Whether the editor runs on the machine that the files are on, with a desktop. */
export function isLocalDesktop(): boolean {
  return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

/** Shows a file or directory where files are looked at. */
export async function revealFile(file: string): Promise<void> {
  // On a remote machine there is no file manager: the editor's explorer stands in for it.
  const command = isLocalDesktop() ? "revealFileInOS" : "revealInExplorer";
  await vscode.commands.executeCommand(command, vscode.Uri.file(file));
}
