// A profile's markers change: this window sets some, or another one that has the same folder open.

import * as vscode from "vscode";

/** As `profile/markers.py` calls it. */
const FILE = "markers.json";

/** Calls back when a profile has other markers than before. */
export function watchMarkers(directory: string, changed: () => void): vscode.Disposable {
  const pattern = new vscode.RelativePattern(vscode.Uri.file(directory), FILE);
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidChange(changed),
    watcher.onDidDelete(changed),
  );
}
