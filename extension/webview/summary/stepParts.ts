import type { TimeParts } from "../../src/documents";
import type { Look } from "../page/stackedBar";

/** What a step's time may go to, in the words of `sidelight summary`, and how that is drawn. */
export const STEP_PARTS = [
  { key: "compute_ns", name: "computing", look: "first" },
  { key: "collectives_ns", name: "collectives alone", look: "second" },
  { key: "dma_ns", name: "moving data alone", look: "third" },
  { key: "host_ns", name: "the host alone", look: "host" },
  { key: "idle_ns", name: "none of these", look: "rest" },
] as const satisfies readonly {
  readonly key: keyof TimeParts;
  readonly name: string;
  readonly look: Look;
}[];

export interface StepPart {
  readonly key: (typeof STEP_PARTS)[number]["key"];
  readonly name: string;
  readonly look: Look;
}

/** Where the CPU is the device, it is nothing beside the host. */
export function stepParts(device: string): readonly StepPart[] {
  if (device !== "cpu") return STEP_PARTS;
  return STEP_PARTS.map((part) =>
    part.key === "host_ns" ? { ...part, name: "outside operators" } : part,
  );
}
