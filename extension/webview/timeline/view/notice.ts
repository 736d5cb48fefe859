// The line over a timeline on which something is missing that people look for: what, and what to do.

import type { Timeline } from "../../../src/protocol";
import { button, element } from "../../page/dom";

/** What explains that there is no row of a device. */
const CODES: readonly string[] = ["no_device_rows", "no_executions", "total_time_only"];

/** Says why there is no row of a device; undefined where there are some, or none were to be had. */
export function missingDevice({ tracks, quality }: Timeline): HTMLElement | undefined {
  if (tracks.some(({ kind }) => kind === "device")) return undefined;
  const note = quality.find(({ code }) => CODES.includes(code));
  if (note === undefined && tracks.length > 0) return undefined;
  const text =
    note?.message ??
    "This profile has no event that lies in time. Its figures are in the analysis; to see a timeline, record it with a trace.";
  const made = element("div", "notice");
  made.setAttribute("role", "note");
  const close = button(
    "×",
    "close",
    () => {
      made.remove();
    },
    "Close the note",
  );
  made.append(close, element("p", "", text));
  return made;
}
