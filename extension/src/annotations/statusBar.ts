// The profile whose numbers stand beside the lines, in the status bar.

import * as vscode from "vscode";

import type { ShownProfiles } from "./shownProfiles";
import { shownText } from "./shownText";

export function registerStatusBar(shown: ShownProfiles): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("sidelight.shown", vscode.StatusBarAlignment.Left);
  item.name = "Sidelight: Shown Profile";
  item.command = "sidelight.selectProfile";
  const update = (): void => {
    const profile = shown.of(vscode.window.activeTextEditor?.document.uri);
    if (profile === undefined) {
      item.hide();
      return;
    }
    const { text, tooltip, label, isWarning } = shownText(profile);
    item.text = text;
    item.tooltip = new vscode.MarkdownString(tooltip);
    item.backgroundColor = isWarning
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    item.accessibilityInformation = { label };
    item.show();
  };
  update();
  return vscode.Disposable.from(
    item,
    shown.onDidChange(update),
    vscode.window.onDidChangeActiveTextEditor(update),
  );
}
