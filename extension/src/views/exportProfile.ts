// The command that writes a stored profile to a file that others read.

import * as path from "node:path";

import * as vscode from "vscode";

import { showNote, tellingFailure } from "../messages";
import type { ExportedProfile, ProfileEntry } from "../protocol";
import type { Services } from "../services";
import { askWithProgress } from "../workDone";
import { size } from "../../webview/units";
import { EXPORT_KINDS, type ExportKind, fileNameFor } from "./exportNames";
import { profileDescription, profileLabel, withoutIcons } from "./profileText";
import type { ProfileNode } from "./profileTree";
import { isLocalDesktop, revealFile } from "./revealFile";

const OPEN = "Open";
const REVEAL = "Reveal";

export function registerExport(services: Services): vscode.Disposable {
  return vscode.commands.registerCommand("sidelight.exportProfile", (node?: ProfileNode) =>
    tellingFailure(() => exportProfile(services, node)),
  );
}

async function exportProfile(services: Services, node: ProfileNode | undefined): Promise<void> {
  const profile = node?.kind === "profile" ? node.profile : await askForProfile(services);
  if (profile === undefined) return;
  const kind = await askForKind(profile);
  if (kind === undefined) return;
  const file = await askForFile(profile, kind);
  if (file === undefined) return;
  const written = await write(services, profile, kind, file);
  void tellingFailure(() => tellOf(written, kind));
}

async function askForProfile({ server }: Services): Promise<ProfileEntry | undefined> {
  const { stores } = await server.request("sidelight/listProfiles", {});
  const profiles = stores.flatMap((store) => store.profiles);
  if (profiles.length === 0)
    throw new Error("There is no profile to export yet. Profile a script.");
  profiles.sort((one, other) => Date.parse(other.created) - Date.parse(one.created));
  const items = profiles.map((profile) => ({
    label: withoutIcons(profileLabel(profile)),
    description: withoutIcons(profileDescription(profile, Date.now())),
    profile,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: "Select the Profile to Export",
    placeHolder: "Newest first",
    matchOnDescription: true,
  });
  return picked?.profile;
}

async function askForKind(profile: ProfileEntry): Promise<ExportKind | undefined> {
  const items = EXPORT_KINDS.map((kind) => ({
    label: kind.label,
    detail: kind.detail,
    chosen: kind,
  }));
  const title = `Export the Profile ${profileLabel(profile)} as`;
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  return picked?.chosen;
}

/** Where to; the dialog itself asks before a file is replaced. */
async function askForFile(profile: ProfileEntry, kind: ExportKind): Promise<string | undefined> {
  const store = vscode.Uri.file(profile.directory);
  const folder =
    vscode.workspace.getWorkspaceFolder(store) ?? vscode.workspace.workspaceFolders?.[0];
  const name = fileNameFor(profile.name, kind);
  const chosen = await vscode.window.showSaveDialog({
    title: `Export as ${kind.label}`,
    saveLabel: "Export",
    filters: { [kind.label]: [kind.ending] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
  });
  if (chosen === undefined) return undefined;
  if (chosen.scheme !== "file") {
    throw new Error(`${chosen.path} is not on the disk of the machine that the profiles are on.`);
  }
  return chosen.fsPath;
}

async function write(
  { server }: Services,
  profile: ProfileEntry,
  { format }: ExportKind,
  file: string,
): Promise<ExportedProfile> {
  const ask = (workDoneToken: string, cancelling: vscode.CancellationToken) =>
    server.request(
      "sidelight/exportProfile",
      { directory: profile.directory, format, path: file, workDoneToken },
      cancelling,
    );
  return await askWithProgress(server, `Exporting ${profileLabel(profile)}`, ask);
}

async function tellOf(written: ExportedProfile, kind: ExportKind): Promise<void> {
  const { path: file, sizeBytes, missing } = written;
  const words = [`Exported to ${path.basename(file)} (${size(sizeBytes)}).`, ...missing];
  const actions = kind.isReadable ? [OPEN, REVEAL] : [REVEAL];
  const chosen = await showNote(words.join(" "), ...actions);
  if (chosen === REVEAL) await revealFile(file);
  if (chosen === OPEN) await open(file, kind);
}

/** A report is shown by a browser, where there is one on the machine that it is on. */
async function open(file: string, { format }: ExportKind): Promise<void> {
  const uri = vscode.Uri.file(file);
  if (format === "html" && isLocalDesktop()) await vscode.env.openExternal(uri);
  else await vscode.commands.executeCommand("vscode.open", uri);
}
