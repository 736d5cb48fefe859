// The ways from a line that is told of to its source, and to the timeline.

import { button, element } from "../page/dom";
import { placeName } from "../places";
import type { TabContext } from "./tab";

interface MaybePlace {
  readonly file: string | null;
  readonly line: number | null;
}

/** A line's name, which leads to its source; what stands for no line where there is none. */
export function placeLink({ file, line }: MaybePlace, context: TabContext): HTMLElement {
  if (file === null || line === null) return element("span", "place absent", "no line");
  const made = button(placeName({ file, line }), "place", () => {
    context.goToLine(file, line);
  });
  made.title = `${file}:${String(line)}`;
  return made;
}

/** What leads to a line in the timeline; nothing where there is no line. */
export function timelineLink({ file, line }: MaybePlace, context: TabContext): HTMLElement {
  if (file === null || line === null) return element("span", "");
  return link(`Show in timeline: ${placeName({ file, line })}`, () => {
    context.showOnTimeline(file, line);
  });
}

/** What leads to a stretch of time on the timeline. */
export function rangeLink(
  { startNs, endNs, what }: { startNs: number; endNs: number; what: string },
  context: TabContext,
): HTMLElement {
  return link(`Show in timeline: ${what}`, () => {
    context.showRange(startNs, endNs);
  });
}

function link(title: string, act: () => void): HTMLElement {
  return button("Show in timeline", "place shows", act, title);
}
