// Files outside of the open folders: a profile can name any, so none is opened without asking.

import * as vscode from "vscode";

import type { Memory } from "../memory";
import { showWarning } from "../messages";

const KEY = "opensOutsideFiles";
const OPEN = "Open";
const ALWAYS = "Always Open in This Workspace";

/** Whether a file that a profile names may be opened: asks where it is outside, and not open. */
export async function mayOpen(memory: Memory, file: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.getWorkspaceFolder(file) !== undefined) return true;
  if (isOpen(file) || memory.get(KEY) === true) return true;
  const question = `The profile names ${file.fsPath}, which is outside of the open folders. Open it?`;
  const answer = await showWarning(question, OPEN, ALWAYS);
  if (answer === ALWAYS) await memory.update(KEY, true);
  return answer !== undefined;
}

/** Whether a person has it in a tab: the editor keeps documents for a while that nobody sees. */
function isOpen(file: vscode.Uri): boolean {
  const address = file.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address);
}
