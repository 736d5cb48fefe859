// The commands that choose what is shown: any profile of the stores, a trace, or nothing.

import * as path from "node:path";

import * as vscode from "vscode";

import { exists } from "../files";
import { tellingFailure } from "../messages";
import type { Services } from "../services";
import { pickProfile } from "../views/profilePick";
import { showTrace } from "./readTrace";

const TYPES = ["json", "gz", "parquet", "ntff", "neff", "pb", "pftrace", "perfetto-trace", "txt"];

export function registerOpening(services: Services): vscode.Disposable {
  const command = (name: string, act: (file?: vscode.Uri) => Promise<unknown>) =>
    vscode.commands.registerCommand(`sidelight.${name}`, (file?: vscode.Uri) =>
      tellingFailure(() => act(file)),
    );
  return vscode.Disposable.from(
    command("openProfile", (file) => openProfile(services, file)),
    command("selectProfile", () => selectProfile(services)),
    command("clearAnnotations", () => services.choices.clear()),
  );
}

/** Shows a stored profile, or reads a file or folder into one; asks for it where none is given. */
export async function openProfile(services: Services, file: vscode.Uri | undefined): Promise<void> {
  const chosen = file ?? (await askForProfile());
  if (chosen === undefined) return;
  const directory = await storedProfileOf(chosen.fsPath);
  if (directory !== undefined) {
    await services.choices.show(directory);
  } else {
    await showTrace(services, chosen);
  }
}

async function askForProfile(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const kinds = choosesBoth() ? { canSelectFiles: true, canSelectFolders: true } : await askKind();
  if (kinds === undefined) return undefined;
  const chosen = await vscode.window.showOpenDialog({
    title: "Open a Profile, a Trace, or a Folder of Either",
    openLabel: "Open Profile",
    filters: { "Traces and profiles": TYPES, "All files": ["*"] },
    ...kinds,
    ...(folder === undefined ? {} : { defaultUri: folder }),
  });
  return chosen?.[0];
}

/** Whether one dialog can choose a file or a folder: those of Windows and Linux cannot. */
function choosesBoth(): boolean {
  const isEditorsOwn =
    vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web;
  return isEditorsOwn || process.platform === "darwin";
}

type Kinds = Pick<vscode.OpenDialogOptions, "canSelectFiles" | "canSelectFolders">;

async function askKind(): Promise<Kinds | undefined> {
  const file = {
    label: "A File…",
    detail: "A trace, a profile's JSON, a table of Neuron Explorer, a benchmark's report",
    iconPath: new vscode.ThemeIcon("file"),
    canSelectFiles: true,
    canSelectFolders: false,
  };
  const directory = {
    label: "A Folder…",
    detail: "A session of the Neuron runtime, tables of Neuron Explorer, traces of several ranks",
    iconPath: new vscode.ThemeIcon("folder"),
    canSelectFiles: false,
    canSelectFolders: true,
  };
  return await vscode.window.showQuickPick([file, directory], { title: "Open Profile" });
}

/** The directory, if the path is that of a stored profile or of its manifest. */
async function storedProfileOf(file: string): Promise<string | undefined> {
  const directory = path.basename(file) === "profile.json" ? path.dirname(file) : file;
  const isProfile =
    (await exists(path.join(directory, "profile.json"))) &&
    (await exists(path.join(directory, "events.npz")));
  return isProfile ? directory : undefined;
}

async function selectProfile(services: Services): Promise<void> {
  const picked = await pickProfile(services);
  if (picked === "open another") await openProfile(services, undefined);
  else if (picked !== undefined) await services.choices.show(picked.directory);
}
