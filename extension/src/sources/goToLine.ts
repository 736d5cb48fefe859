// Goes to a line of a profile's source, wherever that is on this machine.

import * as vscode from "vscode";

import type { LineParams } from "../protocol";
import type { Services } from "../services";
import { revealLine } from "../views/revealLine";
import { locateSource } from "./locateSource";
import { mayOpen } from "./outsideFiles";

/** @param column Where it opens. */
export async function goToLine(
  services: Services,
  place: LineParams,
  column: vscode.ViewColumn,
): Promise<void> {
  const { uri, currentLine } = await services.server.request("sidelight/findLine", place);
  const line = currentLine ?? place.line;
  if (uri === null) {
    const found = await locateSource(services, place.directory, place.file);
    if (found !== undefined) await revealLine(found, line, column);
    return;
  }
  const file = vscode.Uri.parse(uri);
  if (await mayOpen(services.context.workspaceState, file)) await revealLine(file, line, column);
}
