// How dots look: their area tells their device time, their shape and colour what bounds them.

import type { ChartedDot, Plane, Point, Size } from "./plane";

const LARGEST_RADIUS_PX = 20;
const LEAST_LARGEST_PX = 7;
/** The largest dot's part of the plane's width, where that is narrow. */
const PART_OF_WIDTH = 0.05;
/** The part of the plane that all dots together may have, so that many do not become one. */
const PART_OF_AREA = 0.06;
/** Smaller ones could be neither seen nor pointed at. */
export const SMALLEST_RADIUS_PX = 4;

/** How far from a dot the pointer may be. */
const REACH_PX = 6;

/** What bounds work; `unknown` where that is not known. */
export const BOUNDS = ["compute", "memory", "overhead", "unknown"] as const;

export type BoundName = (typeof BOUNDS)[number];

/** A dot as it is drawn. */
export interface Mark extends Point {
  readonly dot: ChartedDot;
  /** Of the circle that has its area. */
  readonly radius: number;
  readonly bound: BoundName;
}

export function boundName(bound: string | null): BoundName {
  return BOUNDS.find((name) => name === bound) ?? "unknown";
}

/**
 * The radius of the dot with most device time.
 *
 * @param times The dots' device times.
 */
export function largestRadius({ width, height }: Size, times: readonly number[]): number {
  const longest = times.reduce((most, time) => Math.max(most, time), 0);
  // All dots together, in areas of the largest.
  const together = times.reduce((sum, time) => sum + time / longest, 0) || 1;
  const byArea = Math.sqrt((PART_OF_AREA * width * height) / (Math.PI * together));
  const wanted = Math.min(width * PART_OF_WIDTH, byArea);
  return Math.min(LARGEST_RADIUS_PX, Math.max(LEAST_LARGEST_PX, wanted));
}

/** The radius of a circle whose area is in proportion to a device time. */
export function radiusOf(deviceNs: number, longestNs: number, largestPx: number): number {
  const part = longestNs > 0 ? deviceNs / longestNs : 0;
  return Math.max(SMALLEST_RADIUS_PX, largestPx * Math.sqrt(part));
}

/** Below this device time all dots have the same size. */
export function smallestSizedNs(longestNs: number, largestPx: number): number {
  return longestNs * (SMALLEST_RADIUS_PX / largestPx) ** 2;
}

/** Dots as they are drawn: the largest first, so that none hides a smaller one. */
export function marksOf(
  dots: readonly ChartedDot[],
  plane: Plane,
  largestPx: number,
): readonly Mark[] {
  const longestNs = dots.reduce((most, { device_ns: timeNs }) => Math.max(most, timeNs), 0);
  return dots.map((dot) => ({
    dot,
    ...plane.at(dot.intensity, dot.achieved_flops_per_s),
    radius: radiusOf(dot.device_ns, longestNs, largestPx),
    bound: boundName(dot.bound),
  }));
}

/** The mark that the pointer means: of those under it the smallest, else the nearest. */
export function markAt<Any extends Point & { readonly radius: number }>(
  marks: readonly Any[],
  { x, y }: Point,
): Any | undefined {
  let meant: Any | undefined;
  let least = Infinity;
  for (const mark of marks) {
    const distance = Math.hypot(mark.x - x, mark.y - y);
    // What lies under the pointer goes before all that is only near it.
    const badness = distance <= mark.radius ? mark.radius - 1e6 : distance - mark.radius;
    if (badness <= REACH_PX && badness < least) [meant, least] = [mark, badness];
  }
  return meant;
}

/** The outline of a mark: shapes of one radius have the area of its circle. */
export function outline(bound: BoundName, { x, y }: Point, radius: number): string {
  switch (bound) {
    case "compute":
      return circle(x, y, radius);
    case "memory": {
      const half = (radius * Math.sqrt(Math.PI)) / 2;
      return polygon([
        [x - half, y - half],
        [x + half, y - half],
        [x + half, y + half],
        [x - half, y + half],
      ]);
    }
    case "overhead": {
      // Of an equilateral triangle around its middle: area = 3√3/4 · reach².
      const reach = radius * Math.sqrt((4 * Math.PI) / (3 * Math.sqrt(3)));
      const [down, aside] = [reach / 2, (reach * Math.sqrt(3)) / 2];
      return polygon([
        [x, y - reach],
        [x + aside, y + down],
        [x - aside, y + down],
      ]);
    }
    case "unknown": {
      const reach = radius * Math.sqrt(Math.PI / 2);
      return polygon([
        [x, y - reach],
        [x + reach, y],
        [x, y + reach],
        [x - reach, y],
      ]);
    }
  }
}

function circle(x: number, y: number, radius: number): string {
  const half = `a${pixels(radius)} ${pixels(radius)} 0 1 0`;
  return `M${pixels(x - radius)} ${pixels(y)}${half} ${pixels(2 * radius)} 0${half} ${pixels(-2 * radius)} 0Z`;
}

function polygon(corners: readonly (readonly [number, number])[]): string {
  return `M${corners.map(([x, y]) => `${pixels(x)} ${pixels(y)}`).join("L")}Z`;
}

function pixels(value: number): string {
  return String(Math.round(value * 100) / 100);
}
