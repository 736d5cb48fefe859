// Memory over time as a line in steps: a value holds until the next.

import type { MemorySeries } from "../../src/documents";
import { Axis, axisOver } from "../page/axis";
import { isCapacityNear } from "../page/capacity";
import type { Drawing } from "../page/chart";
import { horizontalGrid } from "../page/grid";
import { svg } from "../page/svg";
import { timeMarks } from "../page/timeMarks";
import { size } from "../units";

const HEIGHT_PX = 190;
const TOP_PX = 18;
const BOTTOM_PX = 22;
const GUTTER_PX = 60;
const RIGHT_PX = 8;
const TICKS_APART_PX = 40;

export function drawMemory(
  { points, peak, peak_bytes: peakBytes, capacity: { capacity_bytes: capacity } }: MemorySeries,
  widthPx: number,
  isPredicted: boolean,
): Drawing {
  const plotPx = HEIGHT_PX - TOP_PX - BOTTOM_PX;
  const floorPx = TOP_PX + plotPx;
  const isNear = capacity !== null && isCapacityNear(peakBytes, capacity);
  const up = axisOver(isNear ? [peakBytes, capacity] : [peakBytes], plotPx, "linear");
  const firstNs = points[0]?.[0] ?? 0;
  const lastNs = points.at(-1)?.[0] ?? firstNs;
  const along = new Axis(firstNs, Math.max(lastNs, firstNs + 1), widthPx - GUTTER_PX - RIGHT_PX);
  const xOf = (ns: number): number => GUTTER_PX + along.toPx(ns);
  const yOf = (bytes: number): number => floorPx - up.toPx(bytes);
  const steps = points.map(([ns, bytes], index) =>
    index === 0 ? `M${px(xOf(ns))} ${px(yOf(bytes))}` : `H${px(xOf(ns))}V${px(yOf(bytes))}`,
  );
  const line = steps.join("");
  const area = `${line}V${px(floorPx)}H${px(xOf(firstNs))}z`;
  const dot = svg("circle", { class: "dot", r: 4, visibility: "hidden" });
  const [peakX, peakY] = [xOf(peak.at_ns), yOf(peakBytes)];
  const isPeakRight = peakX > widthPx / 2;
  const root = svg(
    "svg",
    { width: widthPx, height: HEIGHT_PX, viewBox: `0 0 ${String(widthPx)} ${String(HEIGHT_PX)}` },
    ...horizontalGrid({
      axis: up,
      apartPx: TICKS_APART_PX,
      floorPx,
      left: GUTTER_PX,
      right: widthPx - RIGHT_PX,
      text: size,
    }),
    ...timeMarks({ along, left: GUTTER_PX, floorPx, isPredicted }),
    ...(isNear ? capacityLine(capacity, yOf(capacity), widthPx) : []),
    svg("path", { class: "area", d: area }),
    svg("path", { class: "line", d: line }),
    svg("circle", { class: "peak", cx: px(peakX), cy: px(peakY), r: 4 }),
    svg(
      "text",
      {
        class: "told",
        x: px(peakX + (isPeakRight ? -8 : 8)),
        y: px(Math.max(peakY - 6, 12)),
        "text-anchor": isPeakRight ? "end" : "start",
      },
      `peak ${size(peakBytes)}`,
    ),
    dot,
  );
  const pointOf = (index: number) => {
    const [ns = 0, bytes = 0] = points[index] ?? [];
    return { x: xOf(ns), y: yOf(bytes) };
  };
  return {
    root,
    pointOf,
    // The value that holds there: the last that is not later.
    nearest: (x) =>
      Math.max(
        0,
        points.findLastIndex(([ns]) => xOf(ns) <= x),
      ),
    mark: (index) => {
      dot.setAttribute("visibility", index === undefined ? "hidden" : "visible");
      if (index === undefined) return;
      const { x, y } = pointOf(index);
      dot.setAttribute("cx", px(x));
      dot.setAttribute("cy", px(y));
    },
  };
}

function capacityLine(capacity: number, y: number, widthPx: number): readonly SVGElement[] {
  return [
    svg("line", { class: "limit", x1: GUTTER_PX, x2: widthPx - RIGHT_PX, y1: px(y), y2: px(y) }),
    svg("text", { class: "told", x: GUTTER_PX + 6, y: px(y - 4) }, `capacity ${size(capacity)}`),
  ];
}

function px(value: number): string {
  return value.toFixed(1);
}
