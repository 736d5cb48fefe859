// Asking with which arguments a script is to run.

import * as path from "node:path";

import * as vscode from "vscode";

import { sentence } from "../errors";
import type { LaunchChoices } from "./launchChoices";
import { joinWords, splitWords } from "./shellWords";

interface LaunchItem extends vscode.QuickPickItem {
  /** What the script gets; undefined asks for new ones. */
  readonly arguments?: readonly string[];
}

const FORGET: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("trash"),
  tooltip: "Forget These Arguments",
};

/** The arguments that were picked; undefined where the pick was left. */
export async function pickArguments(
  script: string,
  choices: LaunchChoices,
  fromSettings: readonly string[],
): Promise<readonly string[] | undefined> {
  const picked = await pickItem(script, choices, fromSettings);
  if (picked === undefined) return undefined;
  return picked.arguments ?? (await askForArguments(script, choices));
}

function pickItem(
  script: string,
  choices: LaunchChoices,
  fromSettings: readonly string[],
): Promise<LaunchItem | undefined> {
  const pick = vscode.window.createQuickPick<LaunchItem>();
  pick.title = `Profile ${path.basename(script)} with Arguments`;
  pick.placeholder = "The arguments to run it with";
  pick.items = launchItems(choices.of(script), fromSettings);
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]);
      pick.hide();
    });
    pick.onDidTriggerItemButton(async ({ item }) => {
      await choices.forget(script, item.arguments ?? []);
      pick.items = launchItems(choices.of(script), fromSettings);
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function launchItems(
  saved: readonly (readonly string[])[],
  fromSettings: readonly string[],
): LaunchItem[] {
  return [
    ...saved.map((choice) => ({
      label: shown(choice),
      arguments: choice,
      iconPath: new vscode.ThemeIcon("history"),
      buttons: [FORGET],
    })),
    {
      label: shown(fromSettings),
      description: "from the settings",
      arguments: fromSettings,
      iconPath: new vscode.ThemeIcon("settings-gear"),
    },
    { label: "New Arguments…", iconPath: new vscode.ThemeIcon("add"), alwaysShow: true },
  ];
}

function shown(words: readonly string[]): string {
  return words.length === 0 ? "No arguments" : joinWords(words);
}

async function askForArguments(
  script: string,
  choices: LaunchChoices,
): Promise<readonly string[] | undefined> {
  const line = await vscode.window.showInputBox({
    title: `Arguments for ${path.basename(script)}`,
    prompt: "As on a command line; quotes keep spaces together. They are kept for the next time.",
    placeHolder: "--epochs 1 --data 'my data'",
    value: joinWords(choices.of(script)[0] ?? []),
    ignoreFocusOut: true,
    validateInput: problemWith,
  });
  return line === undefined ? undefined : splitWords(line);
}

function problemWith(line: string): string | undefined {
  try {
    splitWords(line);
    return undefined;
  } catch (error) {
    return sentence(error);
  }
}
