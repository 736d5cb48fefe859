// The command that profiles a script: Sidelight's own command line, in the server's Python.

import type { PredictionSettings, ProfileTarget } from "../settings";

/** The descriptor on which the command line tells how far it is. */
export const PROGRESS_DESCRIPTOR = 3;

/** One run of a script. */
export interface RunRequest {
  /** The Python that has Sidelight. */
  readonly python: string;
  /** The Python that runs the script. */
  readonly interpreter: string;
  readonly script: string;
  readonly arguments: readonly string[];
  readonly workingDirectory: string;
  /** The directory that takes the profile in. */
  readonly store: string;
  readonly target: ProfileTarget;
  readonly prediction: PredictionSettings;
  readonly warmupSteps: number;
  readonly steps: number;
}

export interface CommandLine {
  readonly program: string;
  readonly arguments: readonly string[];
}

export function profileCommand(request: RunRequest): CommandLine {
  return {
    program: request.python,
    arguments: [
      // Isolated: what PYTHONPATH and the working directory hold is for the script, not for us.
      ...["-I", "-m", "sidelight", "profile", "--json"],
      ...["--progress-fd", String(PROGRESS_DESCRIPTOR)],
      ...["--store", request.store],
      ...["--python", request.interpreter],
      ...["--target", request.target],
      ...predictionOptions(request),
      ...["--warmup", String(request.warmupSteps)],
      ...["--steps", String(request.steps)],
      request.script,
      ...request.arguments,
    ],
  };
}

/**
 * Without a chip there is nothing to predict for, but on the targets that have nothing else; and
 * where the runtime records, no operator is seen that could be priced.
 */
function predictionOptions({ target, prediction }: RunRequest): readonly string[] {
  if (target === "neuron-xla") return [];
  const { device, lnc, autoCast } = prediction;
  const predicts = target === "virtual" || target === "fake";
  if (device === undefined && !predicts) return [];
  return [
    ...(device === undefined ? [] : ["--device", device]),
    ...(lnc === undefined ? [] : ["--lnc", String(lnc)]),
    ...["--auto-cast", autoCast],
  ];
}

/** The environment of a script: the editor's, without what the editor has there for itself. */
export function scriptEnvironment(editors: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isEditors = (name: string): boolean =>
    name.startsWith("VSCODE_") || name.startsWith("ELECTRON_");
  const kept = Object.entries(editors).filter(([name]) => !isEditors(name));
  // Output comes when it is written: a pipe would hold it back.
  return { ...Object.fromEntries(kept), PYTHONUNBUFFERED: "1" };
}
