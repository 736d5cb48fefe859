// The longest stretches in which the device had nothing to do, one by one.

import type { IdleTime } from "../../src/documents";
import { placeLink, rangeLink } from "../analysis/placeLinks";
import { section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { withCode } from "../page/code";
import { element } from "../page/dom";
import { figureTable } from "../page/figureTable";
import { duration } from "../units";
import { CAUSE_NAMES } from "./causeNames";

const MOST = 10;

/** The section; nothing where the device never waits. */
export function longestSection(idle: IdleTime, context: TabContext): readonly HTMLElement[] {
  if (idle.longest.length === 0) return [];
  const isPredicted = idle.time_kind === "predicted";
  const time = (ns: number): string => duration(ns, isPredicted);
  const rows = idle.longest.map((stretch) => {
    const { start_ns: startNs, duration_ns: durationNs, cause, before, evidence } = stretch;
    const range = { startNs, endNs: startNs + durationNs, what: `at ${time(startNs)}` };
    return [
      time(startNs),
      time(durationNs),
      CAUSE_NAMES[cause].name,
      placeLink(stretch, context),
      element("code", "", before),
      withCode(evidence),
      rangeLink(range, context),
    ] as const;
  });
  const columns = [
    { title: "At" },
    { title: "Duration", isFigure: true },
    { title: "Cause" },
    { title: "Line" },
    { title: "Before" },
    { title: "Evidence" },
    { title: "Timeline" },
  ];
  const title = "Longest stretches";
  return [section(title, "wide", figureTable(title, columns, rows, MOST))];
}
