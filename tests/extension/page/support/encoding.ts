// Windows in the protocol's encoding, made from plain spans.

import { SPAN_COLUMNS } from "../../../../extension/src/protocol";

export interface PlainSpan {
  readonly start_ns: number;
  readonly duration_ns: number;
  readonly busy_ns: number;
  readonly event: number;
  readonly merged: number;
  readonly name: number;
  /** What it is coloured by; the first key if it is not said. */
  readonly key?: number;
  readonly track: number;
  readonly depth: number;
  readonly category: number;
}

const WRITERS = {
  float64: { bytes: 8, write: "setFloat64" },
  int32: { bytes: 4, write: "setInt32" },
  uint32: { bytes: 4, write: "setUint32" },
  uint16: { bytes: 2, write: "setUint16" },
  uint8: { bytes: 1, write: "setUint8" },
} as const;

/** The columns as base64, value by value from `SPAN_COLUMNS`. */
export function encodeSpans(spans: readonly PlainSpan[]): string {
  const size = SPAN_COLUMNS.reduce((sum, [, type]) => sum + WRITERS[type].bytes, 0);
  const view = new DataView(new ArrayBuffer(size * spans.length));
  let offset = 0;
  for (const [column, type] of SPAN_COLUMNS) {
    for (const span of spans) {
      view[WRITERS[type].write](offset, span[column] ?? 0, true);
      offset += WRITERS[type].bytes;
    }
  }
  return Buffer.from(view.buffer).toString("base64");
}
