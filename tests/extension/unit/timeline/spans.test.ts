import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  decodeSpans,
  nameOf,
  spanOfEvent,
} from "../../../../extension/webview/timeline/model/spans";
import { encodeSpans } from "../../page/support/encoding";

const uint16 = fc.integer({ min: 0, max: 2 ** 16 - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const time = fc.integer({ min: -1e6, max: 1e15 });
const plainSpan = fc.record({
  start_ns: time,
  duration_ns: time,
  busy_ns: time,
  event: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  merged: uint32,
  name: uint32,
  key: uint32,
  track: uint16,
  depth: uint16,
  category: fc.integer({ min: 0, max: 255 }),
});

function windowOf(spans: string, count: number, names: string[] = []) {
  return { fromNs: 0, toNs: 1, binNs: 0, count, names, keys: [], spans };
}

describe("decoding spans", () => {
  it("reads every value of every column", () => {
    fc.assert(
      fc.property(fc.array(plainSpan, { maxLength: 30 }), (plain) => {
        const spans = decodeSpans(windowOf(encodeSpans(plain), plain.length));
        expect(
          plain.map((_, span) => ({
            start_ns: spans.startNs[span],
            duration_ns: spans.durationNs[span],
            busy_ns: spans.busyNs[span],
            event: spans.event[span],
            merged: spans.merged[span],
            name: spans.name[span],
            key: spans.key[span],
            track: spans.track[span],
            depth: spans.depth[span],
            category: spans.category[span],
          })),
        ).toEqual(plain);
      }),
    );
  });

  it("refuses columns of another length", () => {
    expect(() => decodeSpans(windowOf(btoa("short"), 1))).toThrow(/damaged: 5 bytes where 45/);
    expect(() => decodeSpans(windowOf("", 3))).toThrow(/damaged/);
  });

  it("keeps names from turning the figures beside them", () => {
    const [plain] = fc.sample(plainSpan, 1);
    const encoded = encodeSpans(plain ? [{ ...plain, name: 0 }] : []);
    expect(nameOf(decodeSpans(windowOf(encoded, 1, ["a\u202eb\nc"])), 0)).toBe("a b c");
  });

  it("gives a name that is not there as nothing", () => {
    const [plain] = fc.sample(plainSpan, 1);
    const spans = decodeSpans(
      windowOf(encodeSpans(plain ? [{ ...plain, name: 1 }] : []), 1, ["a"]),
    );
    expect(nameOf(spans, 0)).toBe("");
  });

  it("finds an event", () => {
    const plain = fc.sample(plainSpan, 3).map((span, index) => ({ ...span, event: index * 10 }));
    const spans = decodeSpans(windowOf(encodeSpans(plain), 3));
    expect(spanOfEvent(spans, 20)).toBe(2);
    expect(spanOfEvent(spans, 5)).toBeUndefined();
  });
});
