// Rows of a profile's table for other programs: on the clipboard, and as a file.

import * as vscode from "vscode";

import type { TableRequest } from "../../webview/analysis/messages";
import { showNote } from "../messages";
import type { RowRange } from "../protocol";
import type { Services } from "../services";

/** Puts rows on the clipboard, as spreadsheets paste them; null is all of them. */
export async function copyRows(
  { server }: Services,
  { directory, order }: TableRequest,
  ranges: readonly RowRange[] | null,
): Promise<void> {
  const separator = "tab" as const;
  const parameters = { directory, order, ranges, separator };
  const { rows, text } = await server.request("sidelight/tableCsv", parameters);
  await vscode.env.clipboard.writeText(text);
  void showNote(`${counted(rows)} on the clipboard: sums over the recorded steps.`);
}

/** Writes all rows to a file that a person chooses. */
export async function saveRows(
  { server }: Services,
  { directory, order }: TableRequest,
): Promise<void> {
  const name = `${order.table}.csv`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showSaveDialog({
    title: "Save Table as CSV",
    filters: { CSV: ["csv"] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (chosen === undefined) return;
  const separator = "comma" as const;
  const parameters = { directory, order, ranges: null, separator };
  const { rows, text } = await server.request("sidelight/tableCsv", parameters);
  await vscode.workspace.fs.writeFile(chosen, new TextEncoder().encode(text));
  const open = "Open";
  if ((await showNote(`${counted(rows)} in ${chosen.fsPath}.`, open)) === open) {
    await vscode.window.showTextDocument(chosen);
  }
}

function counted(rows: number): string {
  return `${rows.toLocaleString("en-US")} ${rows === 1 ? "row is" : "rows are"}`;
}
