// Why the server's environment could not be made, in a sentence that says what to do about it.

import { type BrokenPython, type Python, lastLine, starts } from "../python/probe";

const LOG = "Sidelight's log has the whole output.";

/** An environment could not be made; the message is for people. */
export class MakingError extends Error {}

/** No Python among those found can make an environment. */
export function noBasePython(found: readonly (Python | BrokenPython)[]): MakingError {
  const started = found.filter(starts);
  const withoutVenv = started.find((python) => isNewEnough(python) && !python.hasVenv);
  if (withoutVenv !== undefined) return noVenv(withoutVenv);
  const names = started.map((python) => `${python.path} (${python.version.join(".")})`);
  const what = names.length === 0 ? "none at all" : `only ${names.join(", ")}`;
  return new MakingError(
    `Sidelight's server needs Python 3.10 or newer, and there is ${what}. Install a newer Python ` +
      "and try again; if it is not on PATH, name it in sidelight.python.interpreter.",
  );
}

/** `python -m venv` failed. */
export function venvFailure(python: Python, output: string): MakingError {
  if (isDiskFull(output)) return diskFull();
  if (/ensurepip|No module named venv/.test(output)) return noVenv(python);
  return new MakingError(
    `${python.path} could not make an environment for Sidelight's server: ` +
      `${lastLine(output) ?? "it said nothing"}. ${LOG}`,
  );
}

/** `pip install` failed. */
export function pipFailure(output: string, wheels: string | undefined): MakingError {
  if (isDiskFull(output)) return diskFull();
  const missing = /No matching distribution found for (\S+)/.exec(output)?.[1];
  if (wheels !== undefined && missing !== undefined) {
    return new MakingError(
      `The folder ${wheels} has no wheel that fits for ${missing}, which Sidelight's server needs. ` +
        "Put it there, or empty the setting sidelight.server.wheels to install from the network.",
    );
  }
  if (isUnreachable(output)) {
    return new MakingError(
      "pip cannot reach its package index. Check the network, or pip's configuration; to install " +
        "without a network, name a folder of wheels in the setting sidelight.server.wheels.",
    );
  }
  const error = output
    .split("\n")
    .findLast((line) => line.startsWith("ERROR:"))
    ?.slice("ERROR:".length);
  const reason = (error ?? lastLine(output) ?? "it said nothing").trim().replace(/\.$/, "");
  return new MakingError(`pip could not install Sidelight's server: ${reason}. ${LOG}`);
}

/** The server was installed and does not start. */
export function checkFailure(problem: string): MakingError {
  return new MakingError(`Sidelight's server was installed and does not start: ${problem}. ${LOG}`);
}

/** The file system refused; undefined where the error is another. */
export function fileFailure(error: unknown, directory: string): MakingError | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull();
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new MakingError(
      `Sidelight may not write to ${directory}, where its server's environment belongs. Allow it, ` +
        "or name a Python that has the server in sidelight.server.python.",
    );
  }
  return undefined;
}

export function isNewEnough(python: Python): boolean {
  return python.version[0] === 3 && python.version[1] >= 10;
}

function noVenv(python: Python): MakingError {
  const [major, minor] = python.version;
  return new MakingError(
    `${python.path} cannot make environments: its venv module is missing. Install it, on Debian ` +
      `and Ubuntu with \`apt install python${major}.${minor}-venv\`, and try again.`,
  );
}

function diskFull(): MakingError {
  return new MakingError(
    "The disk is full, so the environment for Sidelight's server could not be made. Free some " +
      "space (it takes about 400 MB) and try again.",
  );
}

function isDiskFull(output: string): boolean {
  return /No space left on device|Errno 28\b|Disk quota exceeded|Errno 122\b/.test(output);
}

function isUnreachable(output: string): boolean {
  return /connection broken by|NewConnectionError|name resolution|Network is unreachable|ConnectTimeout|ReadTimeout|ProxyError|Max retries exceeded/.test(
    output,
  );
}
