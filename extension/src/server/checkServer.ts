// Whether a Python has the server, and the right one.

import { withoutPythonLeaks } from "../python/childEnvironment";
import { lastLine } from "../python/probe";
import { run } from "../python/run";

const TIMEOUT_MS = 60_000;
const QUESTION = `
import importlib.metadata, re, sidelight
for requirement in importlib.metadata.requires("sidelight") or []:
    if "extra ==" not in requirement:
        importlib.metadata.version(re.match(r"[\\w.-]+", requirement).group())
print(sidelight.__version__)
`;

/**
 * Asks it.
 *
 * @param workingDirectory Where to stand: no place of the user's.
 * @returns What is wrong, as the end of a sentence; undefined if nothing is.
 */
export async function checkServer(
  python: string,
  version: string,
  workingDirectory: string,
): Promise<string | undefined> {
  const result = await run(python, ["-I", "-c", QUESTION], {
    timeoutMs: TIMEOUT_MS,
    environment: withoutPythonLeaks(process.env),
    workingDirectory,
  });
  if (result.problem !== undefined) return result.problem;
  if (result.status !== 0) return lastLine(result.stderr) ?? "it says nothing";
  const installed = lastLine(result.stdout) ?? "";
  return installed === version
    ? undefined
    : `it has version ${installed} of the server, and ${version} is needed`;
}
