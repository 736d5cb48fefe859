import type { KeyOf } from "../model/colouring";
import type { Palette } from "../model/palette";
import { at, nameOf, type Spans } from "../model/spans";

/** The spans of a window, those of one colour together: setting a colour costs more than a rectangle. */
export interface Batches {
  /** Spans, by colour. */
  readonly order: Uint32Array;
  /** By colour: where it begins in `order`; one more at the end. */
  readonly starts: Uint32Array;
}

/** Sorts a window's spans by colour, in one pass over them. */
export function batchByColour(spans: Spans, palette: Palette, keyOf: KeyOf): Batches {
  const colours = new Uint16Array(spans.count);
  const starts = new Uint32Array(palette.fills.length + 1);
  for (let span = 0; span < spans.count; span += 1) {
    const durationNs = at(spans.durationNs, span);
    const isMerged = at(spans.merged, span) > 1 && durationNs > 0;
    const busyShare = isMerged ? at(spans.busyNs, span) / durationNs : 1;
    const key = keyOf(spans, span);
    const colour =
      key === undefined
        ? palette.colourOf(at(spans.category, span), nameOf(spans, span), busyShare)
        : palette.keyedColourOf(key, busyShare);
    colours[span] = colour;
    starts[colour + 1] = (starts[colour + 1] ?? 0) + 1;
  }
  for (let colour = 1; colour < starts.length; colour += 1) {
    starts[colour] = (starts[colour] ?? 0) + (starts[colour - 1] ?? 0);
  }
  const next = starts.slice();
  const order = new Uint32Array(spans.count);
  for (let span = 0; span < spans.count; span += 1) {
    const colour = colours[span] ?? 0;
    const place = next[colour] ?? 0;
    order[place] = span;
    next[colour] = place + 1;
  }
  return { order, starts };
}
