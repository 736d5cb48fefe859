import { Scale } from "../timeline/model/scale";
import { ruler } from "../timeline/model/ticks";
import type { Axis } from "./axis";
import { svg } from "./svg";

const LINE_PX = 4;
const TEXT_PX = 16;

/** Where marks of time are drawn: along the bottom of a chart. */
export interface TimeMarks {
  readonly along: Axis;
  readonly left: number;
  readonly floorPx: number;
  readonly isPredicted: boolean;
}

/** Round times under a chart, as the timeline's ruler has them. */
export function timeMarks({ along, left, floorPx, isPredicted }: TimeMarks): readonly SVGElement[] {
  const scale = new Scale({ fromNs: along.from, toNs: along.to }, along.lengthPx);
  const { base, ticks } = ruler(scale, isPredicted);
  const marks = ticks.flatMap(({ ns, label }) => {
    const x = left + along.toPx(ns);
    const isLast = along.toPx(ns) > along.lengthPx - 40;
    // What times with a plus count from stands at the left, where there is room for both.
    if (base !== "" && x < left + 70) return [];
    return [
      svg("line", { class: "rule", x1: x, x2: x, y1: floorPx, y2: floorPx + LINE_PX }),
      svg(
        "text",
        { class: "tick", x, y: floorPx + TEXT_PX, "text-anchor": isLast ? "end" : "middle" },
        label,
      ),
    ];
  });
  if (base === "") return marks;
  return [svg("text", { class: "tick", x: left, y: floorPx + TEXT_PX }, base), ...marks];
}
