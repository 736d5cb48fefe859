// Runs a short-lived program to its end: bounded in time, cancellable, its children with it.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { sentence } from "../errors";

export interface RunOptions {
  readonly timeoutMs: number;
  readonly environment?: NodeJS.ProcessEnv;
  readonly workingDirectory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each line of either stream as it comes. */
  readonly onLine?: (line: string) => void;
}

/** Far above what anything we run has to say. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface RunResult {
  /** The exit status; null when it did not start, or was ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it did not start, as the system says it, or that it took or said too much. */
  readonly problem: string | undefined;
}

/**
 * Runs a program.
 *
 * @throws The signal's reason, after the program and its children were ended.
 */
export async function run(
  program: string,
  programArguments: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  options.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const output = { stdout: "", stderr: "" };
  let problem: string | undefined;
  let child;
  try {
    child = start(program, programArguments, options);
  } catch (error) {
    // Some of what is wrong with a program comes as an event, and some at once.
    return { status: null, ...output, problem: sentence(error) };
  }
  const end = (): void => {
    endTree(child);
    // What left the group may hold its output open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  options.signal?.addEventListener("abort", end);
  timeout.addEventListener("abort", end);

  let bytes = 0;
  for (const name of ["stdout", "stderr"] as const) {
    // Before the lines: without an end, a single one would be gathered until memory runs out.
    child[name].on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_BYTES || problem !== undefined) return;
      problem = "it wrote output without end";
      end();
    });
    createInterface({ input: child[name], crlfDelay: Infinity }).on("line", (line) => {
      output[name] += `${line}\n`;
      options.onLine?.(line);
    });
  }
  child.on("error", (error) => (problem = error.message));
  try {
    const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
    options.signal?.throwIfAborted();
    if (timeout.aborted) problem = `it took longer than ${options.timeoutMs / 1000} s`;
    return { status: problem === undefined ? status : null, ...output, problem };
  } finally {
    options.signal?.removeEventListener("abort", end);
    timeout.removeEventListener("abort", end);
  }
}

function start(program: string, programArguments: readonly string[], options: RunOptions) {
  return spawn(program, programArguments, {
    cwd: options.workingDirectory,
    env: options.environment ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    // A process group of its own, so that what it started ends with it.
    detached: process.platform !== "win32",
  });
}

function endTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill();
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended in the meantime.
  }
}
