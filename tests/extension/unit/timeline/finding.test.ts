import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  eventAmong,
  firstSpan,
  neighbour,
  spanAt,
} from "../../../../extension/webview/timeline/model/finding";
import { groupTracks } from "../../../../extension/webview/timeline/model/grouping";
import { layOut, rowAt, ROW_PX, rowTop } from "../../../../extension/webview/timeline/model/layout";
import { Scale } from "../../../../extension/webview/timeline/model/scale";
import { decodeSpans, type Spans } from "../../../../extension/webview/timeline/model/spans";
import type { TimelineTrack } from "../../../../extension/src/protocol";
import { encodeSpans } from "../../page/support/encoding";

const track = (number: number, kind: "host" | "device", depth: number): TimelineTrack => ({
  track: number,
  kind,
  name: `track ${number}`,
  process: "100",
  thread: String(number),
  engine: null,
  depth,
  startNs: 0,
  endNs: 1000,
  regionsOf: null,
});
const TRACKS = [track(3, "device", 1), track(0, "host", 3), track(1, "host", 2)];
const GROUPS = groupTracks(TRACKS, "source", false);

/** Spans from `[track, depth, start, end]`. */
function spansOf(...rows: readonly (readonly [number, number, number, number])[]): Spans {
  const plain = rows.map(([trackNumber, depth, start, end], index) => ({
    start_ns: start,
    duration_ns: end - start,
    busy_ns: end - start,
    event: index,
    merged: 1,
    name: 0,
    track: trackNumber,
    depth,
    category: 0,
  }));
  return decodeSpans({
    fromNs: 0,
    toNs: 1000,
    binNs: 0,
    count: plain.length,
    names: ["a"],
    keys: [""],
    spans: encodeSpans(plain),
  });
}

describe("the layout", () => {
  it("puts groups and their tracks one below another", () => {
    const layout = layOut(GROUPS, [], new Set());
    expect(layout.blocks.map((block) => block.key)).toEqual([
      "device",
      "track:3",
      "host",
      "track:0",
      "track:1",
    ]);
    layout.blocks.slice(1).forEach((block, index) => {
      const above = layout.blocks[index];
      expect(block.top).toBeGreaterThanOrEqual((above?.top ?? 0) + (above?.height ?? 0));
    });
  });

  it("hides what is collapsed", () => {
    const layout = layOut(GROUPS, [], new Set(["device", "track:0"]));
    expect(rowTop(layout, 3, 0)).toBeUndefined();
    expect(rowTop(layout, 0, 0)).toBeDefined();
    expect(rowTop(layout, 0, 1)).toBeUndefined();
    expect(layout.height).toBeLessThan(layOut(GROUPS, [], new Set()).height);
  });

  it("finds the row at each row's height", () => {
    const layout = layOut(GROUPS, [], new Set());
    fc.assert(
      fc.property(
        fc.constantFrom(...TRACKS),
        fc.nat(),
        fc.nat(ROW_PX - 1),
        ({ track: number, depth }, any, y) => {
          const row = any % depth;
          const top = rowTop(layout, number, row) ?? NaN;
          expect(rowAt(layout, top + y)).toEqual({ track: number, depth: row });
        },
      ),
    );
    expect(rowAt(layout, 2)).toBeUndefined();
  });
});

describe("finding spans", () => {
  const layout = layOut(GROUPS, [], new Set());
  const spans = spansOf(
    [0, 0, 0, 400],
    [0, 0, 500, 900],
    [0, 1, 100, 200],
    [0, 1, 600, 650],
    [1, 0, 120, 180],
    [3, 0, 610, 620],
  );
  const view = { fromNs: 0, toNs: 1000 };
  const window = { ...view, binNs: 0, askedBinNs: 1, content: spans };
  const scale = new Scale(view, 1000);
  const hit = (trackNumber: number, depth: number, x: number): number | undefined =>
    spanAt([{ ...view, window }], layout, scale, x, (rowTop(layout, trackNumber, depth) ?? 0) + 5)
      ?.span;

  it("finds what is under the pointer, and what is just beside it", () => {
    expect(hit(0, 0, 300)).toBe(0);
    expect(hit(0, 0, 402)).toBe(0);
    expect(hit(0, 0, 450)).toBeUndefined();
    expect(hit(0, 1, 149)).toBe(2);
    expect(hit(0, 2, 149)).toBeUndefined();
    expect(hit(3, 0, 608)).toBe(5);
  });

  it("steps along a row, and from row to row to what lies nearest in time", () => {
    expect(neighbour(spans, layout, 0, "next")).toBe(1);
    expect(neighbour(spans, layout, 1, "previous")).toBe(0);
    expect(neighbour(spans, layout, 1, "next")).toBeUndefined();
    expect(neighbour(spans, layout, 1, "inward")).toBe(3);
    expect(neighbour(spans, layout, 3, "outward")).toBe(1);
    expect(neighbour(spans, layout, 2, "inward")).toBe(4);
    expect(neighbour(spans, layout, 0, "outward")).toBe(5);
  });

  it("begins on the topmost row", () => {
    expect(firstSpan(spans, layout, 0, 1000)).toBe(5);
    expect(firstSpan(spans, layout, 0, 300)).toBe(0);
    expect(firstSpan(spans, layout, 950, 1000)).toBeUndefined();
  });
});

describe("an event among what is drawn", () => {
  const coarse = { ...spansOf([0, 0, 0, 500]), merged: new Uint32Array([7]) };
  const fine = spansOf([0, 0, 100, 300]);
  const piece = (spans: Spans) => ({
    fromNs: 0,
    toNs: 1000,
    window: { fromNs: 0, toNs: 1000, binNs: 1, askedBinNs: 1, content: spans },
  });

  it("is the span that stands for the fewest, wherever it is in the order", () => {
    expect(eventAmong([piece(coarse), piece(fine)], 0)?.spans).toBe(fine);
    expect(eventAmong([piece(fine), piece(coarse)], 0)?.spans).toBe(fine);
    expect(eventAmong([piece(coarse)], 0)).toEqual({ spans: coarse, span: 0 });
  });

  it("is not there where no window has it", () => {
    expect(eventAmong([piece(fine)], 99)).toBeUndefined();
  });
});
