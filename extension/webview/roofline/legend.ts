// What the chart's shapes and sizes mean.

import type { RooflineDot } from "../../src/documents";
import { element } from "../page/dom";
import { svg } from "../page/svg";
import { timeText } from "./figures";
import { arrowPath } from "./model/arrow";
import {
  boundName,
  type BoundName,
  BOUNDS,
  outline,
  SMALLEST_RADIUS_PX,
  smallestSizedNs,
} from "./model/marks";

const MEANINGS: Readonly<Record<BoundName, string>> = {
  compute: "compute-bound: its engine takes longest; elementwise work has lower peaks than these",
  memory: "memory-bound",
  overhead: "overhead-bound: starting and ending kernels takes over half of its time",
  unknown: "what bounds it is not known",
};
const SWATCH_PX = 16;
const SHAPE_PX = 5.5;

/**
 * @param dots Largest device time first; at least one.
 * @param steps How many steps their times are of.
 * @param hasWhole Whether there is a mark for all of it.
 * @param largestPx The radius of the largest dot.
 * @param baseline What it is compared with, if it is.
 */
export function chartLegend(
  dots: readonly RooflineDot[],
  steps: number,
  hasWhole: boolean,
  largestPx: number,
  baseline: string | undefined,
): HTMLElement {
  const present = new Set(dots.map(({ bound }) => boundName(bound)));
  const shapes = BOUNDS.filter((bound) => present.has(bound)).map((bound) => {
    const d = outline(bound, { x: SWATCH_PX / 2, y: SWATCH_PX / 2 }, SHAPE_PX);
    return item(svg("path", { class: `dot ${bound}`, d }), SWATCH_PX, MEANINGS[bound]);
  });
  const whole = hasWhole ? [item(wholeSign(), SWATCH_PX, "all of it")] : [];
  const moved =
    baseline === undefined
      ? []
      : [
          item(
            arrowSign(),
            SWATCH_PX,
            `from ${baseline} to now; what is on one side only is paler`,
          ),
        ];
  return element(
    "ul",
    "chart-legend",
    ...shapes,
    ...whole,
    ...moved,
    ...sizes(dots, steps, largestPx),
  );
}

/** Area is device time: the largest dot, and below which time all are as small. */
function sizes(
  dots: readonly RooflineDot[],
  steps: number,
  largestPx: number,
): readonly HTMLElement[] {
  const [first] = dots;
  if (first === undefined) return [];
  const aStep = Math.max(steps, 1);
  const longestNs = first.device_ns / aStep;
  const smallest = timeText(smallestSizedNs(longestNs, largestPx), first);
  return [
    item(
      circle(largestPx),
      2 * largestPx + 2,
      `area is device time: ${timeText(longestNs, first)} a step`,
    ),
    item(circle(SMALLEST_RADIUS_PX), SWATCH_PX, `${smallest} a step or less`),
  ];
}

function circle(radius: number): SVGElement {
  const middle = Math.max(SWATCH_PX / 2, radius + 1);
  return svg("circle", { class: "sample", cx: middle, cy: middle, r: radius });
}

function arrowSign(): SVGElement {
  return svg(
    "g",
    { class: "arrows" },
    svg("circle", { cx: 3, cy: 12, r: 2 }),
    svg("path", { d: arrowPath({ x: 3, y: 12 }, { x: 14, y: 4 }) ?? "" }),
  );
}

function wholeSign(): SVGElement {
  return svg(
    "g",
    { class: "whole" },
    svg("circle", { cx: 8, cy: 8, r: 6 }),
    svg("path", { d: "M2 8h12M8 2v12" }),
  );
}

function item(shape: SVGElement, sizePx: number, text: string): HTMLElement {
  const sign = svg("svg", { width: sizePx, height: sizePx, "aria-hidden": "true" }, shape);
  return element("li", "", sign, element("span", "", text));
}
