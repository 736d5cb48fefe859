// Spans and what stands on them. Where a span lies and what it says does not depend on the view, so
// that a cut that was drawn once can be moved; what does depend on it is drawn over that.

import { type Layout, ROW_PX } from "../model/layout";
import { at, nameOf, type Spans } from "../model/spans";
import type { Part } from "./parts";
import type { Cut, Surface } from "./surface";

/** Rows have air below them, and labels at both ends. */
const ROW_GAP_PX = 1;
const LABEL_AIR_PX = 5;
const NARROWEST_LABEL_PX = 30;
/** Neighbours stay apart where they are wide enough to spare a pixel. */
const WIDE_PX = 3;

/** A span that is named: from where to where on a cut's grid, and the top of its row on the cut. */
interface Placed {
  readonly span: number;
  readonly start: number;
  readonly end: number;
  readonly y: number;
}

/** Draws the spans of a cut, whose top left corner is that of the surface. */
export function drawSpans(
  surface: Surface,
  layout: Layout,
  parts: readonly Part<Spans>[],
  cut: Cut,
): void {
  const { context, ratio } = surface;
  const height = rowHeight(ratio);
  const rows = new RowTops(layout, ratio, cut);
  for (const part of parts) {
    const { left, right } = part;
    drawByColour(surface, rows, part, cut, (start, end, y) => {
      const x = Math.max(start, left);
      context.fillRect(x - cut.left, y, Math.min(end, right) - x, height);
      // One that begins in the part before has its name from there.
      return start >= left || left === cut.left ? start : undefined;
    });
  }
}

/** Names spans that begin left of the view at its edge. */
export function drawNamesAtEdge(
  surface: Surface,
  layout: Layout,
  parts: readonly Part<Spans>[],
  view: Cut,
): void {
  const { context, ratio } = surface;
  const [first] = parts;
  if (first?.left !== view.left) return;
  const height = rowHeight(ratio);
  const edge = { ...first, right: view.left + 1 };
  const rows = new RowTops(layout, ratio, view);
  drawByColour(surface, rows, edge, view, (start, end, y) => {
    if (start >= view.left || end - view.left < NARROWEST_LABEL_PX * ratio) return undefined;
    // Over what is left of the name from its start on.
    context.fillRect(0, y, Math.min(end - view.left, view.width), height);
    return view.left;
  });
}

/**
 * Goes through the spans of a part, those of one colour together.
 *
 * @param draw Draws one in the colour that is set; says from which pixel on it is named, if it is.
 */
function drawByColour(
  surface: Surface,
  rows: RowTops,
  { window, left, right }: Part<Spans>,
  cut: Cut,
  draw: (start: number, end: number, y: number) => number | undefined,
): void {
  const { context, ratio, look } = surface;
  const spans = window.content;
  const { order, starts } = look.batchesOf(spans);
  const { fills, texts } = look.palette;
  const { anchorNs, devicePerNs } = cut.grid;
  const narrowest = NARROWEST_LABEL_PX * ratio;
  for (let colour = 0; colour + 1 < starts.length; colour += 1) {
    const stop = at(starts, colour + 1);
    let index = at(starts, colour);
    if (index === stop) continue;
    context.fillStyle = fills[colour] ?? "";
    const named: Placed[] = [];
    for (; index < stop; index += 1) {
      const span = at(order, index);
      const startNs = at(spans.startNs, span) - anchorNs;
      const start = Math.round(startNs * devicePerNs);
      if (start >= right) continue;
      const width = Math.round((startNs + at(spans.durationNs, span)) * devicePerNs) - start;
      const end = start + (width > WIDE_PX ? width - 1 : Math.max(width, 1));
      if (end <= left) continue;
      const y = rows.top(at(spans.track, span), at(spans.depth, span));
      if (y === undefined) continue;
      const from = draw(start, end, y);
      if (from !== undefined && width >= narrowest) named.push({ span, start: from, end, y });
    }
    if (named.length === 0) continue;
    context.fillStyle = texts[colour] ?? "";
    for (const placed of named) write(surface, nameOf(spans, placed.span), placed, cut);
  }
}

function write({ context, ratio, labels }: Surface, name: string, placed: Placed, cut: Cut): void {
  const { start, end, y } = placed;
  const air = LABEL_AIR_PX * ratio;
  const text = labels.fit(name, end - start - 2 * air);
  const x = start - cut.left + air;
  if (text === "" || x >= cut.width || x + labels.width(text) <= 0) return;
  context.fillText(text, x, y + rowHeight(ratio) / 2);
}

/** How high what is drawn in a row is, in device pixels. */
export function rowHeight(ratio: number): number {
  return Math.round((ROW_PX - ROW_GAP_PX) * ratio);
}

/** The tops of the rows on a cut, in device pixels: looked up for every span. */
class RowTops {
  private readonly tops: (readonly number[] | undefined)[] = [];

  constructor(layout: Layout, ratio: number, { top, height }: Cut) {
    for (const [track, block] of layout.byTrack) {
      if (block.top * ratio < top + height && (block.top + block.height) * ratio > top) {
        this.tops[track] = Array.from(
          { length: block.rows },
          (_, depth) => Math.round((block.top + depth * ROW_PX) * ratio) - top,
        );
      }
    }
  }

  top(track: number, depth: number): number | undefined {
    return this.tops[track]?.[depth];
  }
}
