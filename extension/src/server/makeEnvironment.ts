// Makes the server's own environment: an own virtual environment with the wheel installed, and
// whole before anyone sees it.

import { mkdir, rm } from "node:fs/promises";

import { withoutPythonLeaks } from "../python/childEnvironment";
import { environmentPython } from "../python/paths";
import { type BrokenPython, type Python, probe, starts } from "../python/probe";
import { type RunResult, run } from "../python/run";
import { checkServer } from "./checkServer";
import { EnvironmentStore } from "./environmentStore";
import { withLock } from "./lock";
import {
  checkFailure,
  fileFailure,
  isNewEnough,
  noBasePython,
  pipFailure,
  venvFailure,
} from "./makingFailures";
import type { Wheel } from "./wheel";

const VENV_TIMEOUT_MS = 5 * 60_000;
const PIP_TIMEOUT_MS = 30 * 60_000;

export interface Recipe {
  /** Where environments are kept. */
  readonly root: string;
  readonly wheel: Wheel;
  /** The server's version, as the wheel has it. */
  readonly version: string;
  /** A folder of wheels to install from, with no index. */
  readonly wheels: string | undefined;
  /** Pythons to make it from, best first: paths, or commands that PATH knows. */
  readonly candidates: readonly string[];
}

export interface Making {
  readonly signal: AbortSignal;
  /** What is being done now, for people. */
  readonly report: (stage: string) => void;
  readonly log: (line: string) => void;
}

/** What there is already. A broken environment is one that worked once. */
export type Found =
  | { readonly state: "whole"; readonly python: string }
  | { readonly state: "broken" }
  | { readonly state: "none" };

/** Finds the environment that is there already, and tries it. */
export async function findEnvironment(root: string, wheel: Wheel, version: string): Promise<Found> {
  const store = new EnvironmentStore(root);
  const environment = await store.find(wheel.hash);
  if (environment === undefined) return { state: "none" };
  const python = environmentPython(environment);
  if ((await checkServer(python, version, root)) !== undefined) {
    return { state: "broken" };
  }
  await store.tidy(wheel.hash);
  return { state: "whole", python };
}

/**
 * Makes the environment, unless another window has made it by then.
 *
 * @returns Its Python.
 * @throws MakingError A sentence with the remedy; the signal's reason, if aborted.
 */
export async function makeEnvironment(recipe: Recipe, making: Making): Promise<string> {
  const { root, wheel, version } = recipe;
  const store = new EnvironmentStore(root);
  const waiting = (): void => {
    making.report("waiting for another window that makes it");
  };
  try {
    await mkdir(root, { recursive: true });
    return await withLock(store.lockFile, making.signal, waiting, async () => {
      const found = await findEnvironment(root, wheel, version);
      if (found.state === "whole") return found.python;
      await store.withdraw(wheel.hash);
      const environment = await store.allot(wheel.hash);
      try {
        await build(environment, recipe, making);
      } catch (error) {
        await rm(environment, { recursive: true, force: true });
        throw error;
      }
      await store.publish(wheel.hash, environment);
      await store.tidy(wheel.hash);
      return environmentPython(environment);
    });
  } catch (error) {
    throw fileFailure(error, root) ?? error;
  }
}

async function build(environment: string, recipe: Recipe, making: Making): Promise<void> {
  making.report("looking for Python");
  const base = await findBase(recipe, making);
  making.log(`making ${environment} with ${base.path} (${base.version.join(".")})`);

  making.report(`making the environment with Python ${base.version.join(".")}`);
  const venv = await runLogged(base.path, ["-m", "venv", environment], VENV_TIMEOUT_MS, {
    recipe,
    making,
  });
  if (venv.status !== 0) throw venvFailure(base, outputOf(venv));

  making.report("installing");
  const python = environmentPython(environment);
  const pip = await runLogged(python, pipArguments(recipe), PIP_TIMEOUT_MS, {
    recipe,
    making,
    onLine: (line) => {
      making.report(shortened(line));
    },
  });
  if (pip.status !== 0) throw pipFailure(outputOf(pip), recipe.wheels);

  making.report("checking");
  const problem = await checkServer(python, recipe.version, recipe.root);
  making.signal.throwIfAborted();
  if (problem !== undefined) throw checkFailure(problem);
}

async function findBase(recipe: Recipe, making: Making): Promise<Python> {
  const found: (Python | BrokenPython)[] = [];
  for (const candidate of recipe.candidates) {
    const python = await probe(candidate, {
      environment: childEnvironment(),
      workingDirectory: recipe.root,
      signal: making.signal,
    });
    if (starts(python) && isNewEnough(python) && python.hasVenv) return python;
    making.log(`${candidate} cannot make it: ${starts(python) ? "see below" : python.problem}`);
    found.push(python);
  }
  throw noBasePython(found);
}

function pipArguments({ wheel, wheels }: Recipe): string[] {
  const source = wheels === undefined ? [] : ["--no-index", "--find-links", wheels];
  const quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"];
  return ["-m", "pip", "install", ...quiet, "--prefer-binary", ...source, wheel.path];
}

interface Logged {
  readonly recipe: Recipe;
  readonly making: Making;
  readonly onLine?: (line: string) => void;
}

async function runLogged(
  program: string,
  programArguments: readonly string[],
  timeoutMs: number,
  { recipe, making, onLine }: Logged,
): Promise<RunResult> {
  making.log(`> ${[program, ...programArguments].join(" ")}`);
  const result = await run(program, programArguments, {
    timeoutMs,
    environment: childEnvironment(),
    // Not the workspace: with `-m`, Python looks for modules where it stands.
    workingDirectory: recipe.root,
    signal: making.signal,
    onLine: (line) => {
      making.log(line);
      onLine?.(line);
    },
  });
  if (result.problem !== undefined) making.log(result.problem);
  return result;
}

/** pip's own configuration holds, but for `user`, which no virtual environment can follow. */
function childEnvironment(): NodeJS.ProcessEnv {
  return { ...withoutPythonLeaks(process.env), PIP_USER: "0" };
}

function outputOf(result: RunResult): string {
  return [result.stdout, result.stderr, result.problem ?? ""].join("\n");
}

/** pip's line as a notification has room for. */
function shortened(line: string): string {
  const text = line.trim().replace(/\s+/g, " ");
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
