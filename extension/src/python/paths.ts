// Paths as people write them into settings, and where an environment keeps its Python.

import { homedir } from "node:os";
import * as path from "node:path";

/** Resolves `~`, `${workspaceFolder}` and paths relative to the folder. */
export function expandPath(text: string, folder: string | undefined): string {
  const inHome = text.replace(/^~(?=$|[\\/])/, homedir);
  return folder === undefined
    ? inHome
    : path.resolve(
        folder,
        inHome.replaceAll("${workspaceFolder}", () => folder),
      );
}

/** The same; a bare name such as `python3.12` stays as it is: a command, for PATH to find. */
export function expandProgram(text: string, folder: string | undefined): string {
  return isPath(text) ? expandPath(text, folder) : text;
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
