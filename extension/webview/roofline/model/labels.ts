// Where names stand beside what they name: inside the plane, and over no other name.

import type { Point, Size } from "./plane";

/** In pixels; `x` and `y` are its top left corner. */
export interface Box extends Point, Size {}

/** Something that is to be named. */
export interface Named extends Point {
  readonly text: string;
  /** How far from it the name begins. */
  readonly radius: number;
}

/** A name at its place. */
export interface Label extends Box {
  readonly text: string;
}

const GAP_PX = 3;
/** Dots this near to one another are in one place. */
const SAME_PLACE_PX = 3;

/**
 * Places names one after another, each where there is room; those for which there is none are left
 * out.
 *
 * @param named What matters most first.
 * @param sizeOf How large a name is.
 * @param area What names must not leave.
 * @param taken What they must not cover.
 * @param dots All dots: a name stands no nearer to another's middle than to that of its own, else it
 *     would seem to name that one.
 * @param lines What names had better not cover, as dots: they do where there is no other place.
 */
export function placeLabels(
  named: readonly Named[],
  sizeOf: (text: string) => Size,
  area: Size,
  taken: readonly Box[],
  dots: readonly Box[] = [],
  lines: readonly Box[] = [],
): readonly Label[] {
  const placed: Label[] = [];
  for (const { text, ...about } of named) {
    const size = sizeOf(text);
    const free = places(about, size).filter(
      (box) =>
        isInside(box, area) &&
        ![...taken, ...placed].some((other) => doOverlap(box, other)) &&
        !dots.some((dot) => distance(box, middle(dot)) < distance(box, about) - SAME_PLACE_PX),
    );
    const covers = (box: Box): number =>
      [...dots, ...lines].filter((other) => doOverlap(box, other)).length;
    const [first] = free
      .map((box) => ({ box, covers: covers(box) }))
      .sort((one, other) => one.covers - other.covers);
    if (first !== undefined) placed.push({ ...first.box, text });
  }
  return placed;
}

function middle({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** How far a point is from a box; 0 inside of it. */
function distance(box: Box, { x, y }: Point): number {
  return Math.hypot(
    Math.max(box.x - x, x - box.x - box.width, 0),
    Math.max(box.y - y, y - box.y - box.height, 0),
  );
}

/** Whether two boxes share any area. */
export function doOverlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

export function isInside(box: Box, area: Size): boolean {
  return (
    box.x >= 0 && box.y >= 0 && box.x + box.width <= area.width && box.y + box.height <= area.height
  );
}

/** Where a name may stand, the best place first. */
function places(about: Omit<Named, "text">, { width, height }: Size): readonly Box[] {
  const { x, y, radius } = about;
  const away = radius + GAP_PX;
  const corner = radius * Math.SQRT1_2 + GAP_PX;
  const lefts = { right: x + away, left: x - away - width, middle: x - width / 2 };
  const tops = { above: y - away - height, below: y + away, middle: y - height / 2 };
  const corners = [
    [x + corner, y - corner - height],
    [x + corner, y + corner],
    [x - corner - width, y - corner - height],
    [x - corner - width, y + corner],
  ] as const;
  const sides = [
    [lefts.right, tops.middle],
    [lefts.middle, tops.above],
    [lefts.left, tops.middle],
    [lefts.middle, tops.below],
  ] as const;
  return [...sides, ...corners].map(([left, top]) => ({ x: left, y: top, width, height }));
}
