// Gathers what is known of the user's Pythons: settings, the Python extension, the folder itself.

import * as path from "node:path";

import * as vscode from "vscode";

import { exists } from "../files";
import { scriptInterpreter } from "../settings";
import type { Findings } from "./candidates";
import { environmentPython } from "./paths";

/** How long the Python extension may take to say what it has chosen. */
const EXTENSION_TIMEOUT_MS = 5_000;

/** What the Python extension exports, as far as it is used here; it may be absent or another. */
interface PythonExtension {
  readonly environments?: {
    getActiveEnvironmentPath?(resource?: vscode.Uri): { readonly path?: string } | undefined;
    resolveEnvironment?(
      environment: unknown,
    ): Promise<{ readonly executable?: { readonly uri?: vscode.Uri } } | undefined>;
  };
}

/** Looks around for a file, or for the workspace as a whole. */
export async function findPythons(resource: vscode.Uri | undefined): Promise<Findings> {
  const folder =
    resource === undefined
      ? vscode.workspace.workspaceFolders?.[0]
      : vscode.workspace.getWorkspaceFolder(resource);
  const [extensionChoice, environments] = await Promise.all([
    askPythonExtension(resource ?? folder?.uri),
    folder?.uri.scheme === "file" ? environmentsIn(folder.uri.fsPath) : [],
  ]);
  return { setting: scriptInterpreter(resource), extensionChoice, environments };
}

async function environmentsIn(folder: string): Promise<string[]> {
  const pythons = [".venv", "venv"].map((name) => environmentPython(path.join(folder, name)));
  const exist = await Promise.all(pythons.map(exists));
  return pythons.filter((_, index) => exist[index]);
}

async function askPythonExtension(resource: vscode.Uri | undefined): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension | undefined>("ms-python.python");
  if (extension === undefined) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, EXTENSION_TIMEOUT_MS);
  });
  try {
    return await Promise.race([chosenEnvironment(extension, resource), tooLong]);
  } catch {
    // Another extension's trouble is no reason to stop: the next place is looked at.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function chosenEnvironment(
  extension: vscode.Extension<PythonExtension | undefined>,
  resource: vscode.Uri | undefined,
): Promise<string | undefined> {
  const environments = (await extension.activate())?.environments;
  const chosen = environments?.getActiveEnvironmentPath?.(resource);
  if (chosen === undefined) return undefined;
  const resolved = await environments?.resolveEnvironment?.(chosen);
  return resolved?.executable?.uri?.fsPath ?? chosen.path;
}
