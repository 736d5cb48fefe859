// The device pixels of a whole timeline, however little of it is in view. A moment lies on the same
// pixel wherever the view is, so that what was drawn once is right after it was moved.

import { lengthNs } from "./range";
import { Scale } from "./scale";

/** Pixels are counted from a round moment near the view: at far ones numbers are not exact. */
const FARTHEST_PX = 2 ** 20;

export class PixelGrid {
  /** The moment from which pixels are counted. */
  readonly anchorNs: number;
  readonly devicePerNs: number;
  /** The view's first pixel. */
  readonly left: number;
  /** The view, moved by less than a pixel so that it begins with one. */
  readonly scale: Scale;

  constructor(
    { range, widthPx }: Pick<Scale, "range" | "widthPx">,
    readonly ratio: number,
  ) {
    // Rounded, for a view's length differs in its last digits while it is moved.
    this.devicePerNs = Math.fround((widthPx * ratio) / lengthNs(range));
    const apartNs = 2 ** Math.ceil(Math.log2(FARTHEST_PX / this.devicePerNs));
    this.anchorNs = Math.floor(range.fromNs / apartNs) * apartNs;
    this.left = this.pixel(range.fromNs);
    const fromNs = this.toNs(this.left);
    this.scale = new Scale(
      { fromNs, toNs: fromNs + (widthPx * ratio) / this.devicePerNs },
      widthPx,
    );
  }

  /** The pixel whose left edge is nearest to a moment. */
  pixel(ns: number): number {
    return Math.round((ns - this.anchorNs) * this.devicePerNs);
  }

  /** When a pixel begins. */
  toNs(pixel: number): number {
    return this.anchorNs + pixel / this.devicePerNs;
  }

  /** Whether every moment lies on the same pixel on both. */
  isSame(other: PixelGrid): boolean {
    return this.anchorNs === other.anchorNs && this.devicePerNs === other.devicePerNs;
  }
}
