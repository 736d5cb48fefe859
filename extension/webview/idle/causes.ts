// Each cause: what it is, and the lines that have its time, with what tells so.

import type { CauseTime, IdleTime } from "../../src/documents";
import { countText, shareText } from "../analysis/metricText";
import { placeLink, timelineLink } from "../analysis/placeLinks";
import { section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { withCode } from "../page/code";
import { figureTable } from "../page/figureTable";
import { duration } from "../units";
import { CAUSE_NAMES } from "./causeNames";

const MOST_LINES = 8;

/** A section a cause, that with most time first. */
export function causeSections(idle: IdleTime, context: TabContext): readonly HTMLElement[] {
  const isPredicted = idle.time_kind === "predicted";
  return idle.causes.map((each) =>
    section(
      titleOf(each),
      "wide cause",
      element("p", "note", each.meaning),
      linesOfCause(each, isPredicted, context),
    ),
  );
}

/** A cause's lines, that with most time first. */
export function linesOfCause(
  cause: CauseTime,
  isPredicted: boolean,
  context: TabContext,
): HTMLElement {
  const isAnyKnown = cause.lines.some(({ file }) => file !== null);
  const rows = cause.lines.map(
    (each) =>
      [
        placeLink(each, context),
        duration(each.duration_ns, isPredicted),
        shareText(each.duration_ns, cause.duration_ns, isPredicted),
        countText(each.count),
        withCode(each.evidence),
        ...(isAnyKnown ? [timelineLink(each, context)] : []),
      ] as const,
  );
  const columns = [
    { title: "Line" },
    { title: "All steps", isFigure: true },
    { title: "Of the cause", isFigure: true },
    { title: "Stretches", isFigure: true },
    { title: "Evidence, for the longest" },
    ...(isAnyKnown ? [{ title: "Timeline" }] : []),
  ];
  return figureTable(`Lines: ${CAUSE_NAMES[cause.cause].name}`, columns, rows, MOST_LINES);
}

/** A cause in words, as a heading. */
export function titleOf({ cause }: CauseTime): string {
  const { name } = CAUSE_NAMES[cause];
  return name.charAt(0).toUpperCase() + name.slice(1);
}
