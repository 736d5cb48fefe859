// Collectives as dots: how long each took, by when it began or by how large it was.

import type { CollectivePoint } from "../../src/documents";
import { Axis, axisOver } from "../page/axis";
import type { Drawing } from "../page/chart";
import { horizontalGrid } from "../page/grid";
import { svg } from "../page/svg";
import { timeMarks } from "../page/timeMarks";
import { duration, size } from "../units";
import { spansWidely } from "./boxPlot";

/** What dots are laid out by: their starts, or their sizes, which all of them must have then. */
export type Across = "time" | "size";

const HEIGHT_PX = 220;
const TOP_PX = 10;
const BOTTOM_PX = 22;
const GUTTER_PX = 60;
const RIGHT_PX = 10;
const TICKS_APART_PX = 36;
const SIZES_APART_PX = 80;
const OUTLIER_PX = 4;

export function drawScatter(
  points: readonly CollectivePoint[],
  across: Across,
  widthPx: number,
  isPredicted: boolean,
): Drawing {
  const plotPx = HEIGHT_PX - TOP_PX - BOTTOM_PX;
  const floorPx = TOP_PX + plotPx;
  const times = points.map((point) => point.duration_ns);
  const up = axisOver(times, plotPx, spansWidely(times) ? "log" : "linear");
  const along = alongAxis(points, across, widthPx - GUTTER_PX - RIGHT_PX);
  const places = points.map((point) => ({
    x: GUTTER_PX + along.toPx(across === "time" ? point.start_ns : (point.size_bytes ?? 0)),
    y: floorPx - up.toPx(point.duration_ns),
  }));
  // Dots are lines of no length with round ends: one path draws them all.
  const path = (outlying: boolean, shape: (x: number, y: number) => string): string =>
    points
      .map(({ is_outlier: isOutlier }, index) => {
        const { x, y } = places[index] ?? { x: 0, y: 0 };
        return isOutlier === outlying ? shape(x, y) : "";
      })
      .join("");
  const ring = svg("circle", { class: "dot", r: 6, visibility: "hidden" });
  const drawnTimes = { along, left: GUTTER_PX, floorPx, isPredicted };
  const root = svg(
    "svg",
    { width: widthPx, height: HEIGHT_PX, viewBox: `0 0 ${String(widthPx)} ${String(HEIGHT_PX)}` },
    ...horizontalGrid({
      axis: up,
      apartPx: TICKS_APART_PX,
      floorPx,
      left: GUTTER_PX,
      right: widthPx - RIGHT_PX,
      text: (ns) => duration(ns, isPredicted),
    }),
    ...(across === "time" ? timeMarks(drawnTimes) : sizeMarks(along, floorPx)),
    svg("path", { class: "dots", d: path(false, (x, y) => `M${px(x)} ${px(y)}h0`) }),
    svg("path", { class: "outliers", d: path(true, diamond) }),
    ring,
  );
  const pointOf = (index: number) => places[index] ?? { x: 0, y: 0 };
  return {
    root,
    pointOf,
    nearest: (x, y) => nearestOf(places, x, y),
    mark: (index) => {
      ring.setAttribute("visibility", index === undefined ? "hidden" : "visible");
      if (index === undefined) return;
      ring.setAttribute("cx", px(pointOf(index).x));
      ring.setAttribute("cy", px(pointOf(index).y));
    },
  };
}

function alongAxis(points: readonly CollectivePoint[], across: Across, lengthPx: number): Axis {
  if (across === "size") {
    const sizes = points.map((point) => point.size_bytes ?? 0);
    return axisOver(sizes, lengthPx, "log");
  }
  const starts = points.map((point) => point.start_ns);
  const first = starts.reduce((less, ns) => Math.min(less, ns), Infinity);
  const last = starts.reduce((more, ns) => Math.max(more, ns), -Infinity);
  return Number.isFinite(first)
    ? new Axis(first, Math.max(last, first + 1), lengthPx)
    : new Axis(0, 1, lengthPx);
}

function sizeMarks(along: Axis, floorPx: number): readonly SVGElement[] {
  return along.ticks(SIZES_APART_PX).flatMap((bytes) => {
    const x = GUTTER_PX + along.toPx(bytes);
    return [
      svg("line", { class: "rule", x1: x, x2: x, y1: floorPx, y2: floorPx + 4 }),
      svg("text", { class: "tick", x, y: floorPx + 16, "text-anchor": "middle" }, size(bytes)),
    ];
  });
}

function nearestOf(
  places: readonly { readonly x: number; readonly y: number }[],
  x: number,
  y: number,
): number {
  let found = 0;
  let least = Infinity;
  for (const [index, place] of places.entries()) {
    const away = (place.x - x) ** 2 + (place.y - y) ** 2;
    if (away < least) [found, least] = [index, away];
  }
  return found;
}

function diamond(x: number, y: number): string {
  const half = String(OUTLIER_PX);
  return `M${px(x)} ${px(y - OUTLIER_PX)}l${half} ${half}l-${half} ${half}l-${half} -${half}z`;
}

function px(value: number): string {
  return value.toFixed(1);
}
