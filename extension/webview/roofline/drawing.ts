// The chart as a drawing: grid, roofs, ridge points, dots and names.

import type { Roofs } from "../../src/documents";
import { svg } from "../page/svg";
import { flops, ratio, size } from "../units";
import { rateText } from "./figures";
import { type Box, doOverlap, isInside, type Named, placeLabels } from "./model/labels";
import { type Mark, outline } from "./model/marks";
import type { Plane, Point, Size } from "./model/plane";
import {
  type ComputeLine,
  type Line,
  type MemoryLine,
  type Ridge,
  roofLines,
} from "./model/roofLines";

/** How large a text is in the chart. */
export type Measure = (text: string) => Size;

/** The whole program's mark. */
export interface WholeMark extends Point {
  readonly name: string;
  readonly radius: number;
}

/** What a chart shows. */
export interface Drawn {
  readonly plane: Plane;
  readonly roofs: Roofs | null;
  readonly marks: readonly Mark[];
  readonly whole: WholeMark | undefined;
  /** Dtypes whose roofs count for any dot. */
  readonly dtypes: ReadonlySet<string>;
  /** What lies between the dots and the names, such as where they were before. */
  readonly between: readonly SVGElement[];
}

const TICK_APART_PX = { across: 64, up: 40 } as const;
/** How far boxes along a line are from each other. */
const APART_PX = 8;
const RIDGE_RADIUS_PX = 4;
const MOST_NAMES = 24;
const LONGEST_NAME = 32;

/** Everything in the plane, in the order in which it is drawn. */
export function drawPlane(drawn: Drawn, measure: Measure): SVGElement[] {
  const { plane, marks, whole, between, dtypes } = drawn;
  const lines = roofLines(drawn.roofs, plane);
  const taken: Box[] = [];
  const roofs = [
    ...hbmFirst(lines.memory).map((line) => memoryRoof(line, plane.size, measure, taken)),
    ...lines.compute.map((line) => computeRoof(line, dtypes, plane.size, measure, taken)),
  ];
  if (whole !== undefined) taken.push(boxAround(whole, whole.radius));
  const ridges = lines.ridges.map((ridge) => ridgePoint(ridge, dtypes));
  const wanted = [
    ...(whole === undefined ? [] : [namedBeside(whole, marks)]),
    ...lines.ridges.filter((ridge) => isMain(ridge, dtypes)).map((ridge) => named(ridge, dtypes)),
    ...marks.slice(0, MOST_NAMES).map((mark) => ({ ...mark, text: shortened(mark.dot.name) })),
  ];
  const dots = marks.map((mark) => boxAround(mark, mark.radius));
  const along = [...lines.memory, ...lines.compute].flatMap(boxesAlong);
  const names = placeLabels(wanted, measure, plane.size, taken, dots, along);
  return [
    svg("g", { class: "grid" }, ...grid(plane)),
    svg("g", { class: "roofs" }, ...roofs),
    svg("g", { class: "ridges" }, ...ridges),
    ...between,
    svg("g", { class: "dots" }, ...marks.map(dotShape), ...wholeShape(whole)),
    svg(
      "g",
      { class: "names" },
      ...names.map((name) => textAt(name.text, name.x, name.y + name.height, "name")),
    ),
  ];
}

/** The axes' marks with their values, left of the plane and below it. */
export function drawTicks({ intensity, rate, size: area }: Plane): SVGElement[] {
  const across = intensity.ticks(TICK_APART_PX.across).map((value) => {
    const attributes = { x: intensity.toPx(value), y: area.height + 16, "text-anchor": "middle" };
    return svg("text", attributes, value.toLocaleString("en-US", { maximumFractionDigits: 12 }));
  });
  const up = rate.ticks(TICK_APART_PX.up).map((value) => {
    const y = area.height - rate.toPx(value) + 4;
    return svg("text", { x: -6, y, "text-anchor": "end" }, roundRate(value));
  });
  return [...across, ...up];
}

/** A power of ten as a rate, without the digits that are 0 anyway: `100 GFLOP/s`. */
function roundRate(value: number): string {
  return `${flops(value).replace(/\.0+(?= )/u, "")}/s`;
}

function grid({ intensity, rate, size: area }: Plane): SVGElement[] {
  const across = intensity.ticks(TICK_APART_PX.across).map((value) => {
    const x = intensity.toPx(value);
    return svg("line", { x1: x, x2: x, y1: 0, y2: area.height });
  });
  const up = rate.ticks(TICK_APART_PX.up).map((value) => {
    const y = area.height - rate.toPx(value);
    return svg("line", { x1: 0, x2: area.width, y1: y, y2: y });
  });
  return [...across, ...up];
}

/** A peak, with its dtypes at the right end. */
function computeRoof(
  { dtypes, flopsPerS, from, to }: ComputeLine,
  used: ReadonlySet<string>,
  area: Size,
  measure: Measure,
  taken: Box[],
): SVGElement {
  const isUsed = dtypes.some((dtype) => used.has(dtype));
  const [full, short] = [dtypes, dtypes.filter((dtype) => used.has(dtype))].map((those) =>
    `${those.join(", ")} ${rateText(flopsPerS)}`.trim(),
  );
  const fits = (text = ""): boolean => measure(text).width + 8 <= to.x - from.x;
  const text = [full, short, rateText(flopsPerS)].find(fits) ?? "";
  const size = measure(text);
  const box = { ...size, x: to.x - size.width - 4, y: to.y - size.height - 2 };
  const label =
    text !== "" && roomFor(box, area, taken)
      ? [textAt(text, box.x, box.y + box.height, "roof")]
      : [];
  const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  return svg("g", { class: isUsed ? "roof used" : "roof" }, svg("line", line), ...label);
}

/** A bandwidth, with its name along it. */
function memoryRoof(
  { roof, from, to }: MemoryLine,
  area: Size,
  measure: Measure,
  taken: Box[],
): SVGElement {
  const text = `${roof.memory} ${size(Math.round(roof.bytes_per_s))}/s`;
  const { width, height } = measure(text);
  const degrees = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  const names: SVGElement[] = [];
  for (const part of [0.04, 0.2, 0.36, 0.52]) {
    const start = {
      x: from.x + part * (to.x - from.x),
      y: from.y + part * (to.y - from.y),
    };
    const box = boxAlong(start, degrees, width, height);
    if (box.x + box.width > to.x || !roomFor(box, area, taken)) continue;
    names.push(
      svg(
        "text",
        {
          transform: `translate(${String(start.x)} ${String(start.y)}) rotate(${String(degrees)})`,
          dy: -4,
          class: "roof",
        },
        text,
      ),
    );
    break;
  }
  const kind = roof.memory === "HBM" ? "roof memory used" : "roof memory";
  return svg("g", { class: kind }, svg("line", line), ...names);
}

/** The upright box around a text that rises along a line. */
function boxAlong(start: Point, degrees: number, width: number, height: number): Box {
  const radians = (degrees * Math.PI) / 180;
  const [right, up] = [width * Math.cos(radians), -width * Math.sin(radians)];
  const over = height + 4;
  const aside = over * Math.sin(-radians);
  return {
    x: start.x - aside,
    y: start.y - up - over * Math.cos(radians),
    width: right + aside,
    height: up + over * Math.cos(radians),
  };
}

/** The one that dots are held against has the first choice of a place for its name. */
function hbmFirst(memory: readonly MemoryLine[]): readonly MemoryLine[] {
  const isHbm = ({ roof }: MemoryLine): boolean => roof.memory === "HBM";
  return [...memory.filter(isHbm), ...memory.filter((line) => !isHbm(line))];
}

/** Small boxes all along a line. */
function boxesAlong({ from, to }: Line): readonly Box[] {
  const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / APART_PX);
  return Array.from({ length: count }, (_, index) => {
    const part = index / count;
    const at = { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) };
    return boxAround(at, 1);
  });
}

/** Takes a box for a text, if there is room. */
function roomFor(box: Box, area: Size, taken: Box[]): boolean {
  if (!isInside(box, area) || taken.some((other) => doOverlap(box, other))) return false;
  taken.push(box);
  return true;
}

function ridgePoint(ridge: Ridge, used: ReadonlySet<string>): SVGElement {
  const radius = isMain(ridge, used) ? RIDGE_RADIUS_PX : RIDGE_RADIUS_PX / 2;
  return svg("circle", { cx: ridge.x, cy: ridge.y, r: radius });
}

/** All of it, named beside the dots that it lies on. */
function namedBeside(whole: WholeMark, marks: readonly Mark[]): Named {
  const below = marks.filter(({ x, y }) => Math.hypot(x - whole.x, y - whole.y) < whole.radius);
  const radius = Math.max(whole.radius, ...below.map((mark) => mark.radius));
  return { x: whole.x, y: whole.y, radius, text: whole.name };
}

function named({ x, y, dtypes, intensity }: Ridge, used: ReadonlySet<string>): Named {
  const those = dtypes.filter((dtype) => used.has(dtype)).join(", ");
  const text = `${those} ridge point: ${ratio(intensity)} FLOP/byte`;
  return { x, y, radius: RIDGE_RADIUS_PX, text };
}

/** Whether dots are held against a ridge point: HBM's, of their dtype. */
function isMain({ memory, dtypes }: Ridge, used: ReadonlySet<string>): boolean {
  return memory === "HBM" && dtypes.some((dtype) => used.has(dtype));
}

function dotShape(mark: Mark, index: number): SVGElement {
  const d = outline(mark.bound, mark, mark.radius);
  return svg("path", { class: `dot ${mark.bound}`, d, "data-dot": index });
}

/** A ring with a cross in it. */
function wholeShape(whole: WholeMark | undefined): SVGElement[] {
  if (whole === undefined) return [];
  const { x, y, radius } = whole;
  const cross = `M${String(x - radius)} ${String(y)}h${String(2 * radius)}M${String(x)} ${String(y - radius)}v${String(2 * radius)}`;
  return [
    svg(
      "g",
      { class: "whole" },
      svg("circle", { cx: x, cy: y, r: radius }),
      svg("path", { d: cross }),
    ),
  ];
}

function textAt(text: string, x: number, bottom: number, className: string): SVGElement {
  return svg("text", { x, y: bottom - 3, class: className }, text);
}

export function boxAround({ x, y }: Point, radius: number): Box {
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

/** A name with its end, which tells names of modules apart. */
function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `…${name.slice(1 - LONGEST_NAME)}`;
}
