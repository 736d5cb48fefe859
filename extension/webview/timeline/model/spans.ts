// The spans of a window as columns: what `TimelineWindow.spans` holds, checked and opened.

import { SPAN_COLUMNS, type TimelineWindow } from "../../../src/protocol";
import { visible } from "../../visibleText";

const BYTES = { float64: 8, int32: 4, uint32: 4, uint16: 2, uint8: 1 } as const;
const BYTES_A_SPAN = SPAN_COLUMNS.reduce((sum, [, type]) => sum + BYTES[type], 0);

/** Spans of a window; a span is an index into every column. */
export interface Spans {
  readonly count: number;
  readonly names: readonly string[];
  /** What spans are coloured by; an empty one is none. */
  readonly keys: readonly string[];
  readonly startNs: Float64Array;
  readonly durationNs: Float64Array;
  readonly busyNs: Float64Array;
  readonly event: Int32Array;
  readonly merged: Uint32Array;
  readonly name: Uint32Array;
  readonly key: Uint32Array;
  readonly track: Uint16Array;
  readonly depth: Uint16Array;
  readonly category: Uint8Array;
}

/** Opens a window's columns; throws a sentence if they are not what the protocol says. */
export function decodeSpans(window: TimelineWindow): Spans {
  const { count, names } = window;
  const bytes = bytesOf(window.spans);
  const expected = BYTES_A_SPAN * count;
  if (bytes.length !== expected) {
    throw new Error(
      `The timeline's data is damaged: ${bytes.length} bytes where ${expected} are needed.`,
    );
  }
  let offset = 0;
  const next = (bytesAValue: number): [ArrayBuffer, number, number] => {
    const start = offset;
    offset += bytesAValue * count;
    return [bytes.buffer, start, count];
  };
  // In the order of SPAN_COLUMNS: widest types first, so each column starts where its type may.
  return {
    count,
    names: names.map(visible),
    keys: window.keys.map(visible),
    startNs: new Float64Array(...next(BYTES.float64)),
    durationNs: new Float64Array(...next(BYTES.float64)),
    busyNs: new Float64Array(...next(BYTES.float64)),
    event: new Int32Array(...next(BYTES.int32)),
    merged: new Uint32Array(...next(BYTES.uint32)),
    name: new Uint32Array(...next(BYTES.uint32)),
    key: new Uint32Array(...next(BYTES.uint32)),
    track: new Uint16Array(...next(BYTES.uint16)),
    depth: new Uint16Array(...next(BYTES.uint16)),
    category: new Uint8Array(...next(BYTES.uint8)),
  };
}

/** The bytes that a text in base64 stands for. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    bytes[index] = text.charCodeAt(index);
  }
  return bytes;
}

/** A span's end. */
export function endNs(spans: Spans, span: number): number {
  return at(spans.startNs, span) + at(spans.durationNs, span);
}

/** A column's value: for indices that come from the column itself. */
export function at(
  column: Spans["startNs" | "event" | "merged" | "track" | "category" | "key"],
  index: number,
): number {
  return column[index] ?? 0;
}

export function nameOf(spans: Spans, span: number): string {
  return spans.names[at(spans.name, span)] ?? "";
}

/** The span that is this event, or stands for it; undefined if it is not among these. */
export function spanOfEvent(spans: Spans, event: number): number | undefined {
  const span = spans.event.indexOf(event);
  return span < 0 ? undefined : span;
}
