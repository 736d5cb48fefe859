// What a Python is like, asked of itself.

import { isPath } from "./paths";
import { run } from "./run";

/** An interpreter that starts. */
export interface Python {
  /** What to start it by: an absolute path. */
  readonly path: string;
  readonly version: readonly [major: number, minor: number, micro: number];
  readonly hasTorch: boolean;
  /** Whether it can make virtual environments with pip in them. */
  readonly hasVenv: boolean;
}

/** An interpreter that does not. */
export interface BrokenPython {
  readonly path: string;
  /** Why, as the end of a sentence: "…: no such file". */
  readonly problem: string;
}

const TIMEOUT_MS = 15_000;

// The working directory is taken off the path first: no file there may be run by asking.
const QUESTION = `
import sys
if sys.path[:1] == [""]:
    del sys.path[0]
import importlib.util, json
def has(name):
    return importlib.util.find_spec(name) is not None
print(json.dumps({
    "executable": sys.executable,
    "version": list(sys.version_info[:3]),
    "hasTorch": has("torch"),
    "hasVenv": has("venv") and has("ensurepip"),
}))
`;

export interface ProbeOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly workingDirectory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Starts an interpreter once and asks it; `program` is a path or a command that PATH knows. */
export async function probe(
  program: string,
  options: ProbeOptions = {},
): Promise<Python | BrokenPython> {
  const result = await run(program, ["-c", QUESTION], { timeoutMs: TIMEOUT_MS, ...options });
  if (result.problem !== undefined) {
    return { path: program, problem: plainProblem(result.problem) };
  }
  const answer = parseAnswer(result.stdout);
  if (result.status !== 0 || answer === undefined) {
    return { path: program, problem: lastLine(result.stderr) ?? "it is no Python" };
  }
  const { executable, ...python } = answer;
  return { path: isPath(program) ? program : executable, ...python };
}

/** Whether it answered. */
export function starts(python: Python | BrokenPython): python is Python {
  return !("problem" in python);
}

/** Whether it is at least this version. */
export function isAtLeast(python: Python, major: number, minor: number): boolean {
  return python.version[0] > major || (python.version[0] === major && python.version[1] >= minor);
}

type Answer = Omit<Python, "path"> & { readonly executable: string };

/** Reads the last line: a site's start-up files may print before it. */
export function parseAnswer(stdout: string): Answer | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(lastLine(stdout) ?? "");
  } catch {
    return undefined;
  }
  if (typeof answer !== "object" || answer === null) return undefined;
  const { executable, version, hasTorch, hasVenv } = answer as Partial<Record<string, unknown>>;
  const isVersion =
    Array.isArray(version) && version.length === 3 && version.every(Number.isInteger);
  if (typeof executable !== "string" || executable === "" || !isVersion) return undefined;
  return {
    executable,
    version: version as unknown as Python["version"],
    hasTorch: hasTorch === true,
    hasVenv: hasVenv === true,
  };
}

/** The last line that holds anything. */
export function lastLine(text: string): string | undefined {
  return text.trim().split("\n").at(-1)?.trim() || undefined;
}

function plainProblem(problem: string): string {
  if (/ENOENT|ENOTDIR/.test(problem)) return "there is no such program";
  if (problem.includes("EACCES")) return "it may not be run";
  return problem;
}
