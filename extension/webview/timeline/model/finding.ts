// Finding spans among those that are drawn: under the pointer, and next to the selected one.

import { type Layout, rowAt } from "./layout";
import type { Scale } from "./scale";
import { at, endNs, spanOfEvent, type Spans } from "./spans";
import type { Piece } from "./windows";

/** A span of a window: what is drawn, pointed at and selected. */
export interface Found {
  readonly spans: Spans;
  readonly span: number;
}

/** Narrow spans can be hit this far beside them. */
const REACH_PX = 3;

/** The span at a point of the tracks' area, or the nearest one in reach on the same row. */
export function spanAt(
  pieces: readonly Piece<Spans>[],
  layout: Layout,
  scale: Scale,
  x: number,
  y: number,
): Found | undefined {
  const row = rowAt(layout, y);
  const ns = scale.toNs(x);
  const piece = pieces.find((other) => ns >= other.fromNs && ns <= other.toNs);
  if (row === undefined || piece === undefined) {
    return undefined;
  }
  const spans = piece.window.content;
  let nearest: Found | undefined;
  let nearestNs = REACH_PX / scale.pxPerNs;
  for (const span of lane(spans, row.track, row.depth)) {
    const beforeNs = at(spans.startNs, span) - ns;
    const distanceNs = Math.max(beforeNs, ns - endNs(spans, span), 0);
    if (distanceNs < nearestNs) {
      nearest = { spans, span };
      nearestNs = distanceNs;
    }
  }
  return nearest;
}

/**
 * The span that is this event, or stands for it among the fewest: a coarse window may still be
 * there beside a fine one.
 */
export function eventAmong(pieces: readonly Piece<Spans>[], event: number): Found | undefined {
  let sharpest: Found | undefined;
  for (const { window } of pieces) {
    const spans = window.content;
    const span = spanOfEvent(spans, event);
    if (span === undefined) {
      continue;
    }
    const merged = at(spans.merged, span);
    if (sharpest === undefined || merged < at(sharpest.spans.merged, sharpest.span)) {
      sharpest = { spans, span };
    }
  }
  return sharpest;
}

/** Where an arrow key goes. */
export type Direction = "previous" | "next" | "outward" | "inward";

/** The neighbour of a span: on its row in time, or on the next row that has one, nearest in time. */
export function neighbour(
  spans: Spans,
  layout: Layout,
  span: number,
  direction: Direction,
): number | undefined {
  const track = at(spans.track, span);
  const depth = at(spans.depth, span);
  const startNs = at(spans.startNs, span);
  const along = direction === "previous" || direction === "next";
  if (along) {
    const sign = direction === "next" ? 1 : -1;
    return nearestOf(lane(spans, track, depth), (other) => {
      const ahead = (at(spans.startNs, other) - startNs) * sign;
      return other !== span && ahead >= 0 && !(ahead === 0 && (other - span) * sign < 0)
        ? ahead
        : undefined;
    });
  }
  const middleNs = startNs + at(spans.durationNs, span) / 2;
  for (const row of rowsFrom(layout, track, depth, direction === "inward" ? 1 : -1)) {
    const found = nearestInRow(spans, row.track, row.depth, middleNs);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The span of a row that is nearest to a moment. */
export function nearestInRow(
  spans: Spans,
  track: number,
  depth: number,
  ns: number,
): number | undefined {
  return nearestOf(lane(spans, track, depth), (span) =>
    Math.max(at(spans.startNs, span) - ns, ns - endNs(spans, span), 0),
  );
}

/** The first span that begins in view on the topmost row that has one: where arrow keys begin. */
export function firstSpan(spans: Spans, layout: Layout, fromNs: number, toNs: number) {
  for (const block of layout.byTrack.values()) {
    for (let depth = 0; depth < block.rows; depth += 1) {
      const found = nearestOf(lane(spans, block.track.track, depth), (other) => {
        const startNs = at(spans.startNs, other);
        return startNs >= fromNs && startNs < toNs ? startNs - fromNs : undefined;
      });
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

function* lane(spans: Spans, track: number, depth: number): Generator<number> {
  for (let span = 0; span < spans.count; span += 1) {
    if (spans.track[span] === track && spans.depth[span] === depth) {
      yield span;
    }
  }
}

function* rowsFrom(layout: Layout, track: number, depth: number, by: 1 | -1) {
  const rows = [...layout.byTrack.values()].flatMap((block) =>
    Array.from({ length: block.rows }, (_, row) => ({ track: block.track.track, depth: row })),
  );
  const start = rows.findIndex((row) => row.track === track && row.depth === depth);
  for (let index = start + by; start >= 0 && index >= 0 && index < rows.length; index += by) {
    yield rows[index] ?? { track, depth };
  }
}

function nearestOf(
  spans: Iterable<number>,
  distance: (span: number) => number | undefined,
): number | undefined {
  let nearest: number | undefined;
  let nearestDistance = Infinity;
  for (const span of spans) {
    const away = distance(span);
    if (away !== undefined && away < nearestDistance) {
      nearest = span;
      nearestDistance = away;
    }
  }
  return nearest;
}
