// What the device's memory held: its peak against what there is, and how it came to that.

import type { MemoryPeak, MemorySeries } from "../../src/documents";
import { shareText } from "../analysis/metricText";
import { placeLink, rangeLink } from "../analysis/placeLinks";
import { absent, section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { isCapacityNear } from "../page/capacity";
import { Chart, type Walk } from "../page/chart";
import { choice } from "../page/choice";
import { element } from "../page/dom";
import { figureTable, type Row } from "../page/figureTable";
import { type BarPart, LOOKS, partName, stackedBar } from "../page/stackedBar";
import { duration, size } from "../units";
import { drawMemory } from "./memoryLine";

const TITLE = "Memory";
const MOST_PARTS = 5;
/** How much of the timeline is shown before and after a moment in no step. */
const AROUND_NS = 500_000;

const SOURCES = {
  samples: "as it was sampled",
  tensors: "the sizes of the program's tensors",
  program: "as the profile says of its program",
} as const;

/** The section. */
export function memorySection(context: TabContext): HTMLElement {
  const { memory } = context.overview;
  if (memory === null) {
    return absent(
      TITLE,
      "wide",
      "Nothing is known of memory here.",
      "Record with torch.profiler's profile_memory=True, take a system profile of Neuron's, or",
      "profile with the target virtual, which adds up the tensors.",
    );
  }
  const { device, series } = memory;
  return section(
    TITLE,
    "wide",
    ...(device === null ? [] : peakOf(device)),
    ...(series.length === 0 ? [notSampled()] : overTime(series, device, context)),
  );
}

function notSampled(): HTMLElement {
  const text =
    "How it came to that is not sampled: a system profile of Neuron's, or torch.profiler's " +
    "profile_memory=True, tells memory over time.";
  return element("p", "note", text);
}

function peakOf(peak: MemoryPeak): readonly HTMLElement[] {
  const { peak_bytes: peakBytes, capacity_bytes: capacity, owner, kind, source } = peak;
  const isPredicted = kind === "predicted";
  const about = isPredicted ? "≈" : "";
  const held = `${about}${size(peakBytes)} at its peak`;
  const of =
    capacity === null
      ? `; how much there is, is not known: ${peak.capacity_source}`
      : peakBytes > capacity
        ? `, more than its capacity of ${size(capacity)}`
        : `, ${shareText(peakBytes, capacity, isPredicted)} of its capacity of ${size(capacity)}`;
  const whose = owner === "" ? "" : ` of ${owner}`;
  const said = element(
    "p",
    "lead",
    `${held}${of}`,
    element("span", "label", SOURCES[source] + whose),
    ...(capacity === null ? [] : [element("span", "label", `capacity: ${peak.capacity_source}`)]),
  );
  const parts = peak.parts.map((part, index) => ({
    name: part.name,
    look: LOOKS[index % LOOKS.length] ?? "first",
    amount: part.size_bytes,
    text: about + size(part.size_bytes),
  }));
  const rows: Row[] = parts.map(({ name, look, text, amount }) => [
    partName(name, look),
    text,
    shareText(amount, peakBytes, isPredicted),
  ]);
  const columns = [
    { title: "Held for" },
    { title: "Size", isFigure: true },
    { title: "Of the peak", isFigure: true },
  ];
  return [
    said,
    ...peakBar(peak, parts, held),
    ...(rows.length === 0 ? [] : [figureTable("What memory held", columns, rows, MOST_PARTS)]),
  ];
}

/** The peak's parts, as long as their part of what there is; nothing where neither is known. */
function peakBar(
  { peak_bytes: peakBytes, capacity_bytes: capacity }: MemoryPeak,
  parts: readonly BarPart[],
  held: string,
): readonly HTMLElement[] {
  const hasRoom = capacity !== null && capacity > peakBytes;
  if (parts.length === 0 && !hasRoom) return [];
  const whole: BarPart = { name: "in use", look: "first", amount: peakBytes, text: held };
  const used = stackedBar("Memory at its peak", parts.length > 0 ? parts : [whole]);
  if (!hasRoom) return [used];
  used.style.flexGrow = String(peakBytes);
  const free = element("span", "fill rest");
  free.style.flexGrow = String(capacity - peakBytes);
  free.title = `capacity: ${size(capacity)}`;
  return [element("div", "capacity", used, free)];
}

/** When something was, and where the program was then. */
function momentOf(
  { at_ns: atNs, step, file, line }: NonNullable<MemoryPeak["moment"]>,
  what: string,
  context: TabContext,
): HTMLElement {
  const isPredicted = context.analysis.timeKind === "predicted";
  const inStep = step === null ? "" : `, in step ${String(step + 1)}`;
  const where = file === null ? [] : [" at ", placeLink({ file, line }, context)];
  const stretch = { ...stretchAround(atNs, context), what: "the peak of memory" };
  return element(
    "p",
    "moment",
    `${what} at ${duration(atNs, isPredicted)}${inStep}`,
    ...where,
    " ",
    rangeLink(stretch, context),
  );
}

/** What to show of the timeline for a moment: its step, or a little of what is around it. */
function stretchAround(atNs: number, { overview }: TabContext) {
  const step = overview.step_time?.steps.find(
    ({ start_ns: startNs, duration_ns: takesNs }) => startNs <= atNs && atNs < startNs + takesNs,
  );
  return step === undefined
    ? { startNs: atNs - AROUND_NS, endNs: atNs + AROUND_NS }
    : { startNs: step.start_ns, endNs: step.start_ns + step.duration_ns };
}

function overTime(
  series: readonly MemorySeries[],
  device: MemoryPeak | null,
  context: TabContext,
): readonly HTMLElement[] {
  const isThePeak = ({ kind, peak_bytes: most }: MemorySeries): boolean =>
    kind === "device" && most === device?.peak_bytes;
  const first = series.find(isThePeak) ?? series[0];
  if (first === undefined) return [];
  const isPredicted = context.analysis.timeKind === "predicted";
  const walk = (shown: MemorySeries): Walk => ({
    label: `${nameOf(shown)} over time`,
    count: shown.points.length,
    textOf: (index) => {
      const [atNs = 0, bytes = 0] = shown.points[index] ?? [];
      return { title: size(bytes), lines: [`at ${duration(atNs, isPredicted)}`] };
    },
    choose: {
      title: "show in timeline",
      act: (index) => {
        const atNs = shown.points[index]?.[0];
        if (atNs === undefined) return;
        const { startNs, endNs } = stretchAround(atNs, context);
        context.showRange(startNs, endNs);
      },
    },
  });
  const draw = (shown: MemorySeries) => (widthPx: number) =>
    drawMemory(shown, widthPx, isPredicted);
  const chart = new Chart(walk(first), draw(first));
  const moment = element("div", "");
  const tell = (shown: MemorySeries): void => {
    const said = momentOf(shown.peak, `${size(shown.peak_bytes)}, the most, was reached`, context);
    const capacity = capacityText(shown, isThePeak(shown));
    moment.replaceChildren(said, ...(capacity === "" ? [] : [element("p", "note", capacity)]));
  };
  tell(first);
  const options = series.map((each, index) => [String(index), nameOf(each)] as const);
  const chosen = choice("Memory shown", options, String(series.indexOf(first)), (index) => {
    const shown = series[Number(index)] ?? first;
    chart.change(walk(shown), draw(shown));
    tell(shown);
  });
  chosen.classList.add("wide-choice");
  return [
    element("h3", "", "Over time"),
    ...(series.length === 1 ? [element("p", "note", nameOf(first))] : [chosen]),
    chart.root,
    moment,
  ];
}

/**
 * Its peak against what there is, as the line that is drawn may be far below it; empty where all of
 * that stands above the chart and in it.
 *
 * @param isTold Whether the capacity and where it is from stand above.
 */
function capacityText({ peak_bytes: peakBytes, capacity }: MemorySeries, isTold: boolean): string {
  const { capacity_bytes: capacityBytes, source } = capacity;
  if (capacityBytes === null) return isTold ? "" : `How much there is, is not known: ${source}.`;
  const isDrawn = isCapacityNear(peakBytes, capacityBytes);
  if (isTold) return isDrawn ? "" : "Its capacity lies far above the chart.";
  const isMore = peakBytes > capacityBytes;
  const part = isMore ? "more than" : `${shareText(peakBytes, capacityBytes, false)} of`;
  const where = isDrawn ? "" : ", which lies far above the chart";
  return `That is ${part} its capacity of ${size(capacityBytes)} (${source})${where}.`;
}

function nameOf({ name, owner }: MemorySeries): string {
  return owner === "" ? name : `${name} · ${owner}`;
}
