// The visible stretch of time, and what zooming and panning make of it. All in nanoseconds as
// float64: whole nanoseconds are exact far beyond any recording's length.

/** A stretch of time. */
export interface Range {
  readonly fromNs: number;
  readonly toNs: number;
}

/** The closest look: a few pixels a nanosecond tell nothing more. */
export const SHORTEST_NS = 20;

export function lengthNs(range: Range): number {
  return range.toNs - range.fromNs;
}

/** A whole timeline with a little air on both sides; never empty. */
export function boundsOf(startNs: number, endNs: number): Range {
  const marginNs = Math.max((endNs - startNs) * 0.01, SHORTEST_NS);
  return { fromNs: startNs - marginNs, toNs: endNs + marginNs };
}

/** The range, no shorter than can be seen, no longer than the bounds, and inside them. */
export function clamp(range: Range, bounds: Range): Range {
  const longestNs = lengthNs(bounds);
  const wantedNs = Math.min(Math.max(lengthNs(range), SHORTEST_NS), longestNs);
  const middleNs = range.fromNs + lengthNs(range) / 2;
  const fromNs = Math.min(Math.max(middleNs - wantedNs / 2, bounds.fromNs), bounds.toNs - wantedNs);
  return { fromNs, toNs: fromNs + wantedNs };
}

/** The range made `factor` times as long, with the time at `anchor` (0 left, 1 right) kept there. */
export function zoom(range: Range, factor: number, anchor: number, bounds: Range): Range {
  const oldNs = lengthNs(range);
  // The length is clamped first: at either end of the zoom the anchor must not drift.
  const newNs = Math.min(Math.max(oldNs * factor, SHORTEST_NS), lengthNs(bounds));
  const fromNs = range.fromNs + (oldNs - newNs) * anchor;
  return clamp({ fromNs, toNs: fromNs + newNs }, bounds);
}

/** The range moved by a part of its own length, no further than the bounds: 1 is one screen later. */
export function pan(range: Range, screens: number, bounds: Range): Range {
  // Limited first: of times far out of the bounds, rounding leaves no length.
  const byNs = Math.min(
    Math.max(lengthNs(range) * screens, bounds.fromNs - range.fromNs),
    bounds.toNs - range.toNs,
  );
  return clamp({ fromNs: range.fromNs + byNs, toNs: range.toNs + byNs }, bounds);
}

/** A range that shows a stretch with air around it. */
export function around(startNs: number, endNs: number, bounds: Range): Range {
  const airNs = Math.max((endNs - startNs) * 0.15, SHORTEST_NS / 4);
  return clamp({ fromNs: startNs - airNs, toNs: endNs + airNs }, bounds);
}

/** A range part of the way from one to another; lengths go by ratio, so that zooms feel even. */
export function between(start: Range, end: Range, progress: number): Range {
  const startNs = lengthNs(start);
  const endNs = lengthNs(end);
  if (Math.abs(startNs - endNs) <= startNs * 1e-9) {
    const fromNs = start.fromNs + (end.fromNs - start.fromNs) * progress;
    return { fromNs, toNs: fromNs + endNs };
  }
  const nowNs = startNs * (endNs / startNs) ** progress;
  // How much of the way the length went is how much of the way the edges go: no swerving.
  const went = (startNs - nowNs) / (startNs - endNs);
  const fromNs = start.fromNs + (end.fromNs - start.fromNs) * went;
  return { fromNs, toNs: fromNs + nowNs };
}
