// When the server starts without being asked: as soon as there may be something to show. Before a
// person's first profile nothing is installed on their machine.

import * as path from "node:path";

import * as vscode from "vscode";

import { exists } from "../files";
import type { ServerClient } from "./client";
import type { ServerEnvironment } from "./environment";

const STORE = path.join(".sidelight", "profiles");

/** Starts it now if it is wanted, else once trust is granted or a first profile appears. */
export function startWhenWanted(
  server: ServerClient,
  environment: ServerEnvironment,
): vscode.Disposable {
  const startIfWanted = async (): Promise<void> => {
    if (!vscode.workspace.isTrusted) return;
    if ((await environment.isThere()) || (await anyStore())) await server.start();
  };
  const stores = vscode.workspace.createFileSystemWatcher(
    "**/.sidelight/profiles/*",
    false,
    true,
    true,
  );
  const subscriptions = vscode.Disposable.from(
    stores,
    stores.onDidCreate(() => void startIfWanted()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void startIfWanted()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void startIfWanted()),
  );
  void startIfWanted();
  return subscriptions;
}

async function anyStore(): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    folders
      .filter((folder) => folder.uri.scheme === "file")
      .map((folder) => exists(path.join(folder.uri.fsPath, STORE))),
  );
  return found.includes(true);
}
