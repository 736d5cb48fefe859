// What is beside idle time: the device is busy, and yet nothing computes.

import type { IdleTime } from "../../src/documents";
import { shareText } from "../analysis/metricText";
import { section } from "../analysis/section";
import type { TabContext } from "../analysis/tab";
import { element } from "../page/dom";
import { duration } from "../units";
import { linesOfCause, titleOf } from "./causes";

/** The section; nothing where it computes whenever it is busy. */
export function waitingSection(idle: IdleTime, context: TabContext): readonly HTMLElement[] {
  const { waiting, waiting_ns: waitingNs, device_busy_ns: busyNs, steps } = idle;
  if (waitingNs === 0) return [];
  const isPredicted = idle.time_kind === "predicted";
  const a = duration(waitingNs / Math.max(steps, 1), isPredicted);
  const said =
    `For ${a} a step the device is busy, and nothing computes: ` +
    `${shareText(waitingNs, busyNs, isPredicted)} of the time that it is busy.`;
  const causes = waiting.flatMap((each) => [
    element("h3", "", titleOf(each)),
    element(
      "p",
      "note",
      `${each.meaning} ${shareText(each.duration_ns, waitingNs, isPredicted)} of it.`,
    ),
    linesOfCause(each, isPredicted, context),
  ]);
  return [section("Busy, but nothing computes", "wide", element("p", "lead", said), ...causes)];
}
