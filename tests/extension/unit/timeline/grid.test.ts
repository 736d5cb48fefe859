import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { PixelGrid } from "../../../../extension/webview/timeline/model/grid";
import { boundsOf, pan } from "../../../../extension/webview/timeline/model/range";
import { Scale } from "../../../../extension/webview/timeline/model/scale";

const WIDTH = 1000;
const BOUNDS = boundsOf(0, 1e15);

function gridOf(fromNs: number, lengthNs: number, ratio = 1): PixelGrid {
  return new PixelGrid(new Scale({ fromNs, toNs: fromNs + lengthNs }, WIDTH), ratio);
}

describe("the grid of pixels", () => {
  it("has a moment on the same pixel wherever the view is", () => {
    const view = fc.record({
      fromNs: fc.double({ min: 0, max: 9e14, noNaN: true }),
      lengthNs: fc.double({ min: 20, max: 1e10, noNaN: true }),
      screens: fc.double({ min: -3, max: 3, noNaN: true }),
      ratio: fc.constantFrom(1, 1.25, 1.5, 2),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(view, ({ fromNs, lengthNs, screens, ratio, part }) => {
        const range = { fromNs, toNs: fromNs + lengthNs };
        const before = gridOf(fromNs, lengthNs, ratio);
        const moved = pan(range, screens, BOUNDS);
        const after = new PixelGrid(new Scale(moved, WIDTH), ratio);
        // Far away pixels are counted from another moment, and all is drawn anew.
        fc.pre(after.isSame(before));
        const ns = fromNs + part * lengthNs;
        expect(after.pixel(ns)).toBe(before.pixel(ns));
      }),
    );
  });

  it("begins the view with a whole pixel, less than one from where it is", () => {
    const grid = gridOf(1234.567, 98_765, 1.5);
    expect(grid.scale.toPx(grid.toNs(grid.left))).toBeCloseTo(0, 6);
    const apartPx = (grid.scale.range.fromNs - 1234.567) * grid.devicePerNs;
    expect(Math.abs(apartPx)).toBeLessThanOrEqual(0.5);
  });

  it("counts pixels exactly at the end of a long recording", () => {
    const grid = gridOf(1e15, 20);
    expect(grid.pixel(1e15 + 1) - grid.pixel(1e15)).toBe(50);
  });

  it("is another where the view zooms", () => {
    expect(gridOf(0, 1e6).isSame(gridOf(0, 1.001e6))).toBe(false);
    expect(gridOf(0, 1e6).isSame(gridOf(500, 1e6))).toBe(true);
  });
});
