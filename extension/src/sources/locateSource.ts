// Finds a profile's source file that is not where it was: one of the workspace, by its name, its
// path and what it holds. Where several may be it, a person says which, once.

import * as path from "node:path";

import * as vscode from "vscode";

import { withoutIcons } from "../views/profileText";
import type { SourceCandidate } from "../protocol";
import type { Services } from "../services";
import { rememberSource } from "../settings";
import { globFor, theOnlyOne } from "./candidates";
import { sourceMapEntry } from "./sourceMapEntry";

const MOST_CANDIDATES = 500;

/**
 * @param file As the profile has it.
 * @returns The file here; undefined where nobody said which it is.
 */
export async function locateSource(
  services: Services,
  directory: string,
  file: string,
): Promise<vscode.Uri | undefined> {
  const candidates = await candidatesFor(services, directory, file);
  const only = theOnlyOne(candidates);
  if (only !== undefined) return vscode.Uri.parse(only.uri);
  const chosen = await ask(file, candidates);
  if (chosen !== undefined) {
    const folder = vscode.workspace.getWorkspaceFolder(chosen);
    await rememberSource(sourceMapEntry(file, chosen.fsPath, folder?.uri.fsPath));
  }
  return chosen;
}

async function candidatesFor(
  { server }: Services,
  directory: string,
  file: string,
): Promise<readonly SourceCandidate[]> {
  const pattern = globFor(file);
  if (pattern === undefined) return [];
  const found = await vscode.workspace.findFiles(pattern, undefined, MOST_CANDIDATES);
  if (found.length === 0) return [];
  const uris = found.filter(({ scheme }) => scheme === "file").map((uri) => uri.toString());
  return (await server.request("sidelight/rankSources", { directory, file, uris })).candidates;
}

interface CandidateItem extends vscode.QuickPickItem {
  /** The file; undefined lets a person choose any. */
  readonly uri?: vscode.Uri;
}

async function ask(
  file: string,
  candidates: readonly SourceCandidate[],
): Promise<vscode.Uri | undefined> {
  const items: CandidateItem[] = candidates.map((candidate) => {
    const uri = vscode.Uri.parse(candidate.uri);
    return {
      label: withoutIcons(vscode.workspace.asRelativePath(uri)),
      description: likenessText(candidate),
      iconPath: new vscode.ThemeIcon("file-code"),
      uri,
    };
  });
  const another: CandidateItem = {
    label: "Choose Another File…",
    iconPath: new vscode.ThemeIcon("folder-opened"),
    alwaysShow: true,
  };
  const none = candidates.length === 0 ? "No file of the open folders is like it" : undefined;
  const picked = await vscode.window.showQuickPick([...items, another], {
    title: `Which File Is ${file}?`,
    placeHolder: none ?? "The answer is kept in the setting sidelight.sourceMap",
  });
  if (picked === undefined) return undefined;
  return picked.uri ?? (await chooseFile(path.extname(file)));
}

function likenessText({ alike }: SourceCandidate): string {
  return alike === null ? "" : `holds ${String(Math.round(100 * alike))} % of its lines`;
}

async function chooseFile(extension: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const type = extension.slice(1);
  const chosen = await vscode.window.showOpenDialog({
    title: "Choose the Source File",
    openLabel: "This Is It",
    filters: { ...(type === "" ? {} : { "Same type": [type] }), "All files": ["*"] },
    ...(folder === undefined ? {} : { defaultUri: folder }),
  });
  return chosen?.[0];
}
