// Where the cursor rests, as a line of the profile that is shown beside it: if that is wanted.

import * as vscode from "vscode";

import type { LineParams } from "../protocol";
import type { Services } from "../services";
import { followsCursor, onDidChangeSettings } from "../settings";

const RESTS_MS = 250;

/**
 * @param rested Called with the line that the cursor rests on; undefined where the profile has no
 *   device time of it, or where following is no longer wanted.
 */
export function followCursor(
  { server }: Services,
  rested: (line: LineParams | undefined) => void,
): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let moves = 0;
  const tell = async (editor: vscode.TextEditor): Promise<void> => {
    const uri = editor.document.uri.toString();
    const line = editor.selection.active.line;
    moves += 1;
    const move = moves;
    try {
      const found = await server.requestIfStarted("sidelight/lineOfDocument", { uri, line });
      // Moved on meanwhile: what comes of that is told then.
      if (move === moves && followsCursor()) rested(found ?? undefined);
    } catch {
      // A server that is not there knows no line; its status says why.
    }
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      clearTimeout(timer);
      if (!followsCursor() || textEditor.document.languageId !== "python") return;
      timer = setTimeout(() => void tell(textEditor), RESTS_MS);
    }),
    onDidChangeSettings(["timeline.followCursor"], () => {
      if (!followsCursor()) rested(undefined);
    }),
    new vscode.Disposable(() => {
      clearTimeout(timer);
    }),
  );
}
