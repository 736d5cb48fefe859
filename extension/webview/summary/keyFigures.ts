// The key figures: of steps, of text generation, and how much of the core is used.

import type { GenerationFigures, Performance, Spread, StepFigures } from "../../src/documents";
import { labelsText } from "../analysis/kinds";
import { countText, fractionText, sourceText } from "../analysis/metricText";
import { section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { figureTable, type Row } from "../page/figureTable";
import { duration, ratio } from "../units";
import { reportedFigures } from "./reportedFigures";
import { definedName } from "./definitions";

const TITLE = "Key figures";
const NONE = "–";
/** Of fewer no tenth is below or above: percentiles would be told of what was not seen. */
const FEWEST = 10;

const KINDS = {
  training: "A training run.",
  inference: "Inference.",
  unknown: "",
} as const;

const SEPARATED = {
  optimizer: "Steps end where the optimizer's step does.",
  module: "Each call of the outermost module is a step.",
  profiler: "Steps are those of prof.step().",
  run: "The whole run is one step.",
} as const;

const PHASES = {
  ranges: "Prefill and decode are told by the ranges that the program names.",
  shapes: "Prefill and decode are told by how many tokens a call reads.",
  report: "The figures of generation are the benchmark's.",
} as const;

const SPREAD_COLUMNS = [
  { title: "Time" },
  { title: "Median", isFigure: true },
  { title: "p10", isFigure: true },
  { title: "p90", isFigure: true },
  { title: "p99", isFigure: true },
  { title: "Mean", isFigure: true },
  { title: "Count", isFigure: true },
];

const VALUE_COLUMNS = [{ title: "Figure" }, { title: "Value", isFigure: true }, { title: "From" }];

/** The section. */
export function keyFiguresSection(context: TabContext): HTMLElement {
  const { performance, kpis } = context.overview;
  const { steps, generation, kind } = performance;
  const said = [
    KINDS[kind],
    steps === null ? "" : SEPARATED[steps.separated_by],
    generation === null ? "" : PHASES[generation.phases_from],
    partlyPredicted(steps, generation),
  ];
  const spreads = spreadRows(performance);
  const times = spreads.length === 0 ? [] : [figureTable("Times", SPREAD_COLUMNS, spreads)];
  return section(
    TITLE,
    "wide",
    element("p", "note", said.filter((sentence) => sentence !== "").join(" ")),
    element(
      "div",
      "beside",
      ...times,
      figureTable("Rates and utilisation", VALUE_COLUMNS, valueRows(context)),
    ),
    ...unknownNote(performance),
    ...reportedFigures(kpis),
  );
}

function partlyPredicted(steps: StepFigures | null, generation: GenerationFigures | null): string {
  const mixed = [steps, generation].some((each) => each?.time_kind === "mixed");
  return mixed ? `Times are ${labelsText({ time_kind: "mixed" })}.` : "";
}

function spreadRows({ steps, generation, definitions }: Performance): readonly Row[] {
  const rows: Row[] = [];
  const add = (name: string, spread: Spread | null, isPredicted: boolean): void => {
    if (spread === null) return;
    const { p10_ns, p50_ns, p90_ns, p99_ns, mean_ns, count } = spread;
    const tails = [p10_ns, p90_ns, p99_ns].map((ns) => ((count ?? FEWEST) < FEWEST ? null : ns));
    rows.push([
      definedName(name, definitions),
      ...[p50_ns, ...tails, mean_ns].map((timeNs) =>
        timeNs === null ? NONE : duration(timeNs, isPredicted),
      ),
      count === null ? NONE : countText(count),
    ]);
  };
  if (steps !== null) add("step time", steps.time, steps.time_kind !== "measured");
  if (generation !== null) {
    const isPredicted = generation.time_kind !== "measured";
    add("TTFT", generation.ttft, isPredicted);
    add("per-token latency", generation.per_token_latency, isPredicted);
    add("end-to-end latency", generation.end_to_end_latency, isPredicted);
  }
  return rows;
}

function valueRows({ overview, analysis }: TabContext): readonly Row[] {
  const { steps, generation, definitions, mfu, hfu, mbu } = overview.performance;
  const rows: Row[] = [];
  const ofRank = (analysis.worldSize ?? 1) > 1 ? "of this rank" : "";
  const add = (name: string, rate: number | null, from: string, isPredicted: boolean): void => {
    if (rate === null) return;
    rows.push([definedName(name, definitions), `${ratio(rate, isPredicted)}/s`, from]);
  };
  if (steps !== null) {
    const isPredicted = steps.time_kind !== "measured";
    add("samples per second", steps.samples_per_s, ofRank, isPredicted);
    add("tokens per second", steps.tokens_per_s, ofRank, isPredicted);
  }
  if (generation !== null) {
    const isPredicted = generation.time_kind !== "measured";
    const { context_encoding_tokens_per_s: read, token_generation_tokens_per_s: made } = generation;
    add("context encoding throughput", read, "tokens", isPredicted);
    add("token generation throughput", made, "tokens", isPredicted);
    if (generation.ttft === null && generation.phases_from !== "report") {
      const why = "no prompt was read, or only in the warm-up";
      rows.push([definedName("TTFT", definitions), "not recorded", why]);
    }
  }
  for (const [name, metric] of [
    ["MFU", mfu],
    ["HFU", hfu],
    ["MBU", mbu],
  ] as const) {
    rows.push([definedName(name, definitions), fractionText(metric), sourceText(metric)]);
  }
  return rows;
}

function unknownNote({ mfu, hfu, mbu }: Performance): readonly HTMLElement[] {
  if ([mfu, hfu, mbu].some(({ value }) => value !== null)) return [];
  const why =
    "What the core computes and moves is not known here: open a device profile of Neuron's, " +
    "or open this input again with a chip to price it for.";
  return [element("p", "note", why)];
}
