// Paths as people write them into settings, and where an environment keeps its Python.

import { homedir } from "node:os";
import * as path from "node:path";

/**
 * Resolves `~`, `${workspaceFolder}` and paths relative to the folder. A bare name such as
 * `python3.12` stays as it is: it is a command, for PATH to find.
 */
export function expandPath(text: string, folder: string | undefined): string {
  let expanded = text.replace(/^~(?=$|[\\/])/, homedir);
  if (folder !== undefined) {
    expanded = expanded.replaceAll("${workspaceFolder}", () => folder);
    if (isPath(expanded)) expanded = path.resolve(folder, expanded);
  }
  return expanded;
}

/** Whether a program is named by its place, not by a name that PATH knows. */
export function isPath(program: string): boolean {
  return /[\\/]/.test(program);
}

/** The Python of a virtual environment. */
export function environmentPython(environment: string): string {
  return process.platform === "win32"
    ? path.join(environment, "Scripts", "python.exe")
    : path.join(environment, "bin", "python");
}
