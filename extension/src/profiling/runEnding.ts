// What to say when a run is over.

/** How the command line's process ended. */
export interface RunEnd {
  /** Its exit status; null where a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it did not start; undefined if it did. */
  readonly problem: string | undefined;
  /** The document it printed; undefined where it printed none. */
  readonly document: unknown;
}

export interface Ending {
  readonly severity: "warning" | "error";
  readonly message: string;
  /** Whether another interpreter would help. */
  readonly interpreterAtFault: boolean;
}

const INTERPRETER_CODES = ["no_interpreter", "no_torch"];

/** The sentence for a run that did not go well; undefined where there is nothing to tell. */
export function describeEnding(script: string, end: RunEnd): Ending | undefined {
  if (end.problem !== undefined) {
    return error(`${script} could not be profiled: ${end.problem}.`);
  }
  const document = fields(end.document);
  if (end.status === 0) {
    if (document["device_time_ns"] !== 0) return undefined;
    return warning(`${script} has ended, and nothing had run on the device: there is no number.`);
  }
  const told = fields(document["error"]);
  if (typeof told["message"] === "string") {
    const interpreterAtFault = INTERPRETER_CODES.includes(String(told["code"]));
    return { ...error(inEditorsWords(told["message"])), interpreterAtFault };
  }
  if (typeof document["steps"] === "number") {
    const message =
      document["device_time_ns"] === 0
        ? `${script} ${howItEnded(document)}, and nothing had run on the device before.`
        : `${script} ${howItEnded(document)}; ${whatIsShown(document["steps"])}.`;
    return warning(message);
  }
  const how =
    end.signal === null ? `ended with status ${String(end.status)}` : `ended by ${end.signal}`;
  return error(`Profiling ${script} was cut short (${how}). Its terminal and the log say more.`);
}

function warning(message: string): Ending {
  return { severity: "warning", message, interpreterAtFault: false };
}

function error(message: string): Ending {
  return { severity: "error", message, interpreterAtFault: false };
}

function howItEnded(document: Fields): string {
  switch (document["stopped_by"]) {
    case "interrupt":
      return "was interrupted";
    case "terminate":
      return "was stopped";
    case "killed":
      return "was killed";
    case "disk_full":
      return "filled the disk";
    default:
      return `ended with status ${String(document["script_exit"])}`;
  }
}

function whatIsShown(steps: number): string {
  return steps === 1 ? "the step before is shown" : `the ${steps} steps before are shown`;
}

/** The command line's advice, said with the names of settings instead of its options. */
function inEditorsWords(message: string): string {
  return message
    .replaceAll("`--python PATH`", "the setting sidelight.python.interpreter")
    .replaceAll("`--steps N`", "the setting sidelight.profile.steps")
    .replaceAll(", or name a store elsewhere with `--store DIR`", "")
    .replaceAll("`", "");
}

type Fields = Partial<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value : {};
}
