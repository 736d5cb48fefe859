// Saves a picture of the timeline where a person says.

import * as vscode from "vscode";

import { showNote } from "../messages";
import { bytesOf, type Picture } from "./pictures";

const OPEN = "Open";
const FORMATS = { svg: "SVG", png: "PNG" } as const;

export async function savePicture(picture: Picture): Promise<void> {
  const { format } = picture;
  const name = `timeline.${format}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    title: "Save Picture",
    filters: { [FORMATS[format]]: [format] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (file === undefined) return;
  await vscode.workspace.fs.writeFile(file, bytesOf(picture));
  const chosen = await showNote(
    `The picture is in ${vscode.workspace.asRelativePath(file)}.`,
    OPEN,
  );
  if (chosen === OPEN) await vscode.commands.executeCommand("vscode.open", file);
}
