// What to say when a run is over.

import { inEditorsWords } from "../editorsWords";

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
    return warning([message, ...reasons(document)].join(" "));
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

/** What a target that stands in for the chip says of why a script could not go on there. */
function reasons(document: Fields): readonly string[] {
  const notes: unknown = document["quality"];
  const standsIn = document["target"] === "virtual" || document["target"] === "fake";
  if (!standsIn || !Array.isArray(notes)) return [];
  return notes
    .map(fields)
    .filter((note) => note["severity"] === "error")
    .map((note) => inEditorsWords(String(note["message"])));
}

function whatIsShown(steps: number): string {
  return steps === 1 ? "the step before is shown" : `the ${steps} steps before are shown`;
}

type Fields = Partial<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value : {};
}
