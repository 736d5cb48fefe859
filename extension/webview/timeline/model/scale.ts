import { lengthNs, type Range } from "./range";

/** Nanoseconds to pixels and back, by distances from the left edge: late times do not jitter. */
export class Scale {
  readonly pxPerNs: number;

  constructor(
    readonly range: Range,
    readonly widthPx: number,
  ) {
    this.pxPerNs = widthPx / lengthNs(range);
  }

  toPx(ns: number): number {
    return (ns - this.range.fromNs) * this.pxPerNs;
  }

  toNs(px: number): number {
    return this.range.fromNs + px / this.pxPerNs;
  }
}
