// Why the device had nothing to do, cause by cause and line by line.

import type { IdleTime } from "../../src/documents";
import { countText, shareText } from "../analysis/metricText";
import { labelsText } from "../analysis/kinds";
import { absent, section } from "../analysis/section";
import type { Tab, TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { figureTable } from "../page/figureTable";
import { partName, stackedBar } from "../page/stackedBar";
import { duration } from "../units";
import { CAUSE_NAMES } from "./causeNames";
import { causeSections } from "./causes";
import { longestSection } from "./longest";
import { waitingSection } from "./waiting";

const TITLE = "Idle time";
const TITLE_OF_CPU = "Between operators";
const CPU_IS_DEVICE =
  "The CPU is the device here: host and device are one, so that it waits for nobody. To see what " +
  "would keep a NeuronCore waiting, profile with the target virtual, or on Trainium.";

export function idleTab(context: TabContext): Tab {
  const { idle } = context.overview;
  return { root: element("div", "idle", ...sections(idle, context)) };
}

function sections(idle: IdleTime | null, context: TabContext): readonly HTMLElement[] {
  if (idle === null) {
    const why = "No device time is known here, so that there are no gaps in it.";
    return [absent(TITLE, "wide", why, "Profile a script on Trainium, or open a trace of one.")];
  }
  const waiting = waitingSection(idle, context);
  return [
    overview(idle, context.analysis.device === "cpu"),
    ...causeSections(idle, context),
    ...longestSection(idle, context),
    ...waiting,
  ];
}

/** How much of the time it was idle, and why, in one look. */
function overview(idle: IdleTime, isCpu: boolean): HTMLElement {
  const title = isCpu ? TITLE_OF_CPU : TITLE;
  const isPredicted = idle.time_kind === "predicted";
  const time = (ns: number): string => duration(ns, isPredicted);
  const { idle_ns: idleNs, span_ns: spanNs, between_steps_ns: betweenNs, steps, gaps } = idle;
  if (idleNs === 0) {
    const text = isCpu
      ? "Between the first operator of the recorded steps and the last there always runs one."
      : "Between its first work and its last in the recorded steps the device never waits.";
    return section(title, "wide", element("p", "lead", text));
  }
  const share = shareText(idleNs, spanNs, isPredicted);
  const said =
    `${isCpu ? "No operator runs" : "The device has nothing to do"} for ` +
    `${time(idleNs / Math.max(steps, 1))} a step: ` +
    `${share} of the ${time(spanNs)} from ${isCpu ? "the" : "its"} first ` +
    `${isCpu ? "operator" : "work"} to ${isCpu ? "the" : "its"} last, ` +
    `in ${countText(gaps)} ${gaps === 1 ? "gap" : "gaps"}.`;
  const labels = labelsText(idle);
  const between =
    betweenNs === 0
      ? []
      : [element("p", "note", `Besides, ${time(betweenNs)} lie between the steps.`)];
  const parts = idle.causes.map(({ cause, duration_ns: causeNs }) => ({
    ...CAUSE_NAMES[cause],
    amount: causeNs,
    text: `${time(causeNs)} · ${shareText(causeNs, idleNs, isPredicted)}`,
  }));
  const rows = idle.causes.map(({ cause, duration_ns: causeNs, count }) => {
    const { name, look } = CAUSE_NAMES[cause];
    return [
      partName(name, look),
      time(causeNs / Math.max(steps, 1)),
      time(causeNs),
      shareText(causeNs, idleNs, isPredicted),
      shareText(causeNs, spanNs, isPredicted),
      countText(count),
    ] as const;
  });
  const byCause = `${title} by cause`;
  const columns = [
    { title: "Cause" },
    { title: "A step", isFigure: true },
    { title: "All steps", isFigure: true },
    { title: isCpu ? "Of this time" : "Of idle time", isFigure: true },
    { title: "Of the span", isFigure: true },
    { title: "Stretches", isFigure: true },
  ];
  return section(
    title,
    "wide",
    element("p", "lead", said, ...(labels === "" ? [] : [element("span", "label", labels)])),
    stackedBar(byCause, parts),
    figureTable(byCause, columns, rows),
    ...between,
    ...(isCpu ? [element("p", "note", CPU_IS_DEVICE)] : []),
  );
}
