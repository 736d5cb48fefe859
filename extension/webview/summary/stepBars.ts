// Steps as small bars beside each other, each divided like the mean step's.

import type { StepParts } from "../../src/documents";
import { axisOver } from "../page/axis";
import type { Drawing } from "../page/chart";
import { horizontalGrid } from "../page/grid";
import { svg } from "../page/svg";
import { duration } from "../units";
import { STEP_PARTS } from "./stepParts";

const HEIGHT_PX = 132;
const TOP_PX = 8;
const BOTTOM_PX = 18;
const GUTTER_PX = 60;
const WIDEST_PX = 40;
const TICKS_APART_PX = 36;
/** The part of a step's place that is left free. */
const GAP = 0.2;

export function drawSteps(
  steps: readonly StepParts[],
  widthPx: number,
  isPredicted: boolean,
): Drawing {
  const plotPx = HEIGHT_PX - TOP_PX - BOTTOM_PX;
  const axis = axisOver(
    steps.map((step) => step.duration_ns),
    plotPx,
    "linear",
  );
  const eachPx = Math.min((widthPx - GUTTER_PX) / steps.length, WIDEST_PX);
  const leftOf = (index: number): number => GUTTER_PX + index * eachPx;
  const floorPx = TOP_PX + plotPx;
  const paths = new Map<string, string>();
  for (const [index, step] of steps.entries()) {
    let below = 0;
    for (const { key, look } of STEP_PARTS) {
      const partNs = step[key] ?? 0;
      if (partNs === 0) continue;
      const [low, high] = [floorPx - axis.toPx(below), floorPx - axis.toPx(below + partNs)];
      below += partNs;
      const [left, wide] = [leftOf(index) + (eachPx * GAP) / 2, eachPx * (1 - GAP)];
      const box = `M${px(left)} ${px(low)}V${px(high)}h${px(wide)}V${px(low)}z`;
      paths.set(look, (paths.get(look) ?? "") + box);
    }
  }
  const marker = svg("rect", { class: "mark", y: TOP_PX, width: eachPx, height: plotPx });
  marker.setAttribute("visibility", "hidden");
  const root = svg(
    "svg",
    { width: widthPx, height: HEIGHT_PX, viewBox: `0 0 ${String(widthPx)} ${String(HEIGHT_PX)}` },
    ...horizontalGrid({
      axis,
      apartPx: TICKS_APART_PX,
      floorPx,
      left: GUTTER_PX,
      right: widthPx,
      text: (ns) => duration(ns, isPredicted),
    }),
    marker,
    ...[...paths].map(([look, d]) => svg("path", { class: `shape ${look}`, d })),
    svg("text", { class: "tick", x: GUTTER_PX, y: HEIGHT_PX - 4 }, "step 1"),
    ...lastLabel(steps.length, leftOf(steps.length)),
  );
  const middleOf = (index: number): number => leftOf(index) + eachPx / 2;
  return {
    root,
    pointOf: (index) => ({ x: middleOf(index), y: floorPx - plotPx / 2 }),
    nearest: (x) => Math.min(Math.max(Math.floor((x - GUTTER_PX) / eachPx), 0), steps.length - 1),
    mark: (index) => {
      marker.setAttribute("visibility", index === undefined ? "hidden" : "visible");
      if (index !== undefined) marker.setAttribute("x", px(leftOf(index)));
    },
  };
}

/** The last step's number, where it does not run into the first's. */
function lastLabel(count: number, right: number): readonly SVGElement[] {
  if (right < GUTTER_PX + 80) return [];
  const attributes = { class: "tick", x: right, y: HEIGHT_PX - 4, "text-anchor": "end" };
  return [svg("text", attributes, String(count))];
}

function px(value: number): string {
  return value.toFixed(1);
}
