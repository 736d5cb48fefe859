// Where the tools of the tests are, as the scripts in tools/editor/ say.

import { execFileSync } from "node:child_process";
import path from "node:path";

// Everything here runs from the checkout's top: its configuration is found there.
export const ROOT = process.cwd();

/** The development environment's Python: it has torch and sidelight. */
export const PYTHON = path.join(ROOT, ".venv/bin/python");

/** The extension as it is installed. */
export const VSIX = path.join(ROOT, "dist/sidelight.vsix");

/** A Chromium or Chrome. */
export function browserPath(): string {
  return ask("browser.py");
}

/** code-server's start script; installed first where it is not there. */
export function codeServerPath(): string {
  return ask("code_server.py");
}

/** The answer of a script in tools/editor/, one line; what it says besides is shown. */
function ask(script: string): string {
  const answer = execFileSync("python3", [path.join(ROOT, "tools/editor", script)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return answer.trim();
}
