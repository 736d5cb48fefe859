import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  around,
  between,
  boundsOf,
  clamp,
  lengthNs,
  pan,
  type Range,
  SHORTEST_NS,
  zoom,
} from "../../../../extension/webview/timeline/model/range";
import { Scale } from "../../../../extension/webview/timeline/model/scale";

const startNs = fc.integer({ min: 0, max: 1e13 });
const bounds = fc
  .tuple(startNs, fc.integer({ min: 0, max: 1e13 }))
  .map(([start, length]) => boundsOf(start, start + length));
const part = fc.double({ min: 0, max: 1, noNaN: true });
const view = fc.tuple(bounds, part, part).map(([all, from, length]) => ({
  all,
  range: clamp(
    {
      fromNs: all.fromNs + lengthNs(all) * from,
      toNs: all.fromNs + lengthNs(all) * from + lengthNs(all) * length,
    },
    all,
  ),
}));

/** What rounding may do to a time of this size. */
function roundingNs(all: Range): number {
  return Math.max(Math.abs(all.fromNs), Math.abs(all.toNs)) * 1e-14 + 1e-9;
}

function expectInside(range: Range, all: Range): void {
  expect(range.fromNs).toBeGreaterThanOrEqual(all.fromNs - roundingNs(all));
  expect(range.toNs).toBeLessThanOrEqual(all.toNs + roundingNs(all));
  expect(lengthNs(range)).toBeGreaterThanOrEqual(SHORTEST_NS - roundingNs(all));
}

describe("the visible range", () => {
  it("stays inside the bounds whatever is done to it", () => {
    fc.assert(
      fc.property(
        view,
        fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
        part,
        ({ all, range }, factor, anchor) => {
          expectInside(zoom(range, factor, anchor, all), all);
          expectInside(pan(range, factor, all), all);
          expectInside(pan(range, -factor, all), all);
          expectInside(around(range.fromNs, range.toNs, all), all);
        },
      ),
    );
  });

  it("keeps the time under the pointer where it is while zooming in", () => {
    fc.assert(
      fc.property(
        view,
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        part,
        ({ all, range }, factor, anchor) => {
          const before = new Scale(range, 1000).toNs(1000 * anchor);
          const zoomed = new Scale(zoom(range, factor, anchor, all), 1000);
          expect(Math.abs(zoomed.toNs(1000 * anchor) - before)).toBeLessThanOrEqual(
            roundingNs(all) * 4,
          );
        },
      ),
    );
  });

  it("keeps its length however far it is moved", () => {
    fc.assert(
      fc.property(view, ({ all, range }) => {
        for (const screens of [-Infinity, -1e15, 1e15, Infinity]) {
          const moved = pan(range, screens, all);
          expect(Math.abs(lengthNs(moved) - lengthNs(range))).toBeLessThanOrEqual(
            roundingNs(all) * 4,
          );
          const edge = screens < 0 ? moved.fromNs - all.fromNs : moved.toNs - all.toNs;
          expect(Math.abs(edge)).toBeLessThanOrEqual(roundingNs(all) * 4);
        }
      }),
    );
  });

  it("does not change when it is zoomed at its limits", () => {
    const all = boundsOf(0, 1e6);
    expect(zoom(all, 2, 0.3, all)).toEqual(all);
    const closest = clamp({ fromNs: 500, toNs: 500 }, all);
    expect(lengthNs(closest)).toBe(SHORTEST_NS);
    expect(zoom(closest, 0.5, 0.9, all)).toEqual(closest);
  });

  it("glides from where it is to where it goes, without leaving the two", () => {
    fc.assert(
      fc.property(
        view,
        view,
        part,
        ({ range: start, all }, { range: end, all: other }, progress) => {
          const slackNs =
            roundingNs(all) + roundingNs(other) + (lengthNs(start) + lengthNs(end)) * 1e-9;
          expect(Math.abs(between(start, end, 0).fromNs - start.fromNs)).toBeLessThanOrEqual(
            slackNs,
          );
          expect(Math.abs(between(start, end, 1).toNs - end.toNs)).toBeLessThanOrEqual(slackNs);
          const now = between(start, end, progress);
          expect(now.fromNs).toBeGreaterThanOrEqual(Math.min(start.fromNs, end.fromNs) - slackNs);
          expect(now.toNs).toBeLessThanOrEqual(Math.max(start.toNs, end.toNs) + slackNs);
        },
      ),
    );
  });
});

describe("the scale", () => {
  it("turns pixels into times and back within a hundredth of a pixel, late in a long recording", () => {
    fc.assert(
      fc.property(
        startNs,
        fc.integer({ min: SHORTEST_NS, max: 1e12 }),
        part,
        (start, length, x) => {
          const scale = new Scale({ fromNs: start, toNs: start + length }, 1200);
          expect(Math.abs(scale.toPx(scale.toNs(x * 1200)) - x * 1200)).toBeLessThan(0.15);
        },
      ),
    );
  });
});
