// How far a run has come, as the command line tells it: one JSON object a line.

export type Stage =
  | { readonly stage: "starting" | "recording" | "ended" }
  | { readonly stage: "reading"; readonly fraction: number }
  | { readonly stage: "stored" | "running_on"; readonly profile: string }
  | { readonly stage: "kept"; readonly recording: string };

/** The stage a line tells of; undefined where it is none. */
export function parseStage(line: string): Stage | undefined {
  let told: unknown;
  try {
    told = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof told !== "object" || told === null) return undefined;
  const { stage, fraction, profile, recording } = told as Partial<Record<string, unknown>>;
  switch (stage) {
    case "starting":
    case "recording":
    case "ended":
      return { stage };
    case "reading":
      return typeof fraction === "number" ? { stage, fraction } : undefined;
    case "stored":
    case "running_on":
      return typeof profile === "string" ? { stage, profile } : undefined;
    case "kept":
      return typeof recording === "string" ? { stage, recording } : undefined;
    default:
      return undefined;
  }
}
