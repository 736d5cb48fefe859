// The chart's plane: arithmetic intensity to the right, FLOP/s up, both by their logarithm.

import type { RooflineDot, Roofs } from "../../../src/documents";
import { Axis } from "../../page/axis";

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** In pixels from the plane's top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A dot that has a place on logarithmic axes. */
export type ChartedDot = RooflineDot & {
  readonly intensity: number;
  readonly achieved_flops_per_s: number;
};

/** What is left free around what is drawn, as factors. */
const ROOM = { left: 3, right: 6, below: 3, above: 2.2 } as const;
/** Where nothing else says how far to the left of the lowest ridge point it goes. */
const LEFT_OF_RIDGE = 1_000;

/** Whether a dot has a place on logarithmic axes. */
export function isCharted(dot: RooflineDot): dot is ChartedDot {
  const { intensity, achieved_flops_per_s: rate } = dot;
  return intensity !== null && intensity > 0 && rate !== null && rate > 0;
}

export class Plane {
  readonly size: Size;
  readonly intensity: Axis;
  /** From the bottom up. */
  readonly rate: Axis;

  constructor(size: Size, roofs: Roofs | null, dots: readonly ChartedDot[]) {
    const peaks = (roofs?.compute ?? []).map((roof) => roof.flops_per_s);
    const ridges = (roofs?.compute ?? []).flatMap((roof) => Object.values(roof.ridge_points));
    const intensities = [...dots.map((dot) => dot.intensity), ...ridges];
    const rates = [...dots.map((dot) => dot.achieved_flops_per_s), ...peaks];
    const [leftmost, rightmost] = reach(intensities);
    const [lowest, highest] = reach(rates);
    const isBare = dots.length === 0;
    const from = isBare ? leftmost / LEFT_OF_RIDGE : leftmost / ROOM.left;
    const bottom = isBare ? lowest / LEFT_OF_RIDGE : lowest / ROOM.below;
    this.size = size;
    this.intensity = new Axis(from, rightmost * ROOM.right, size.width, "log");
    this.rate = new Axis(bottom, highest * ROOM.above, size.height, "log");
  }

  /** Where work of an intensity in FLOP/byte and a rate in FLOP/s is. */
  at(intensity: number, rate: number): Point {
    return { x: this.intensity.toPx(intensity), y: this.size.height - this.rate.toPx(rate) };
  }
}

/** The least and the most of positive numbers. */
function reach(values: readonly number[]): readonly [number, number] {
  const least = values.reduce((one, other) => Math.min(one, other), Infinity);
  const most = values.reduce((one, other) => Math.max(one, other), 0);
  return values.length === 0 ? [1, 1] : [least, most];
}
