// Going to a line of the source from somewhere else.

import * as vscode from "vscode";

/**
 * Opens a file at a line and selects the line.
 *
 * @param line 1-based; beyond the end means the last one.
 * @param usualColumn Where to open it, unless it is open already.
 */
export async function revealLine(
  file: vscode.Uri,
  line: number,
  usualColumn: vscode.ViewColumn,
): Promise<void> {
  if (file.scheme !== "file") throw new Error(`${file.toString()} is no file on this machine.`);
  const document = await vscode.workspace.openTextDocument(file);
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const { range } = document.lineAt(Math.min(line, document.lineCount) - 1);
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: open?.viewColumn ?? usualColumn,
    selection: range,
  });
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
