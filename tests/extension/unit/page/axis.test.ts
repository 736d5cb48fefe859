import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Axis, type AxisKind, axisOver } from "../../../../extension/webview/page/axis";

const axis = fc
  .record({
    from: fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
    times: fc.double({ min: 1.5, max: 1e6, noNaN: true }),
    lengthPx: fc.integer({ min: 40, max: 2_000 }),
    kind: fc.constantFrom<AxisKind>("linear", "log"),
  })
  .map(({ from, times, lengthPx, kind }) => new Axis(from, from * times, lengthPx, kind));

describe("an axis", () => {
  it("places values in proportion, or by their logarithm", () => {
    const linear = new Axis(0, 200, 400);
    expect([0, 50, 200, 300, -1].map((value) => linear.toPx(value))).toEqual([0, 100, 400, 400, 0]);
    const log = new Axis(1, 1_000, 300, "log");
    expect([1, 10, 100, 1_000].map((value) => Math.round(log.toPx(value)))).toEqual([
      0, 100, 200, 300,
    ]);
  });

  it("marks round values", () => {
    expect(new Axis(0, 1_050, 300).ticks(50)).toEqual([0, 200, 400, 600, 800, 1_000]);
    expect(new Axis(0, 0.0042, 200).ticks(50)).toEqual([0, 0.002, 0.004]);
    expect(new Axis(80, 2_000, 600, "log").ticks(60)).toEqual([100, 200, 500, 1_000, 2_000]);
    expect(new Axis(1, 1e6, 200, "log").ticks(60)).toEqual([1, 100, 1e4, 1e6]);
  });

  it("has marks that lie on it, in order, with room for each", () => {
    fc.assert(
      fc.property(axis, fc.integer({ min: 20, max: 90 }), (made, apartPx) => {
        const ticks = made.ticks(apartPx);
        const places = ticks.map((tick) => made.toPx(tick));
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(made.from * (1 - 1e-6));
          expect(tick).toBeLessThanOrEqual(made.to * (1 + 1e-6));
        }
        expect(ticks.length).toBeLessThanOrEqual(Math.max(1, made.lengthPx / apartPx + 3));
        expect(places).toEqual([...places].sort((one, other) => one - other));
      }),
    );
  });

  it("reaches over all values", () => {
    const values = fc.array(fc.nat(1e12), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.constantFrom<AxisKind>("linear", "log"), (given, kind) => {
        const made = axisOver(given, 300, kind);
        const lowest = kind === "log" ? 1 : 0;
        for (const value of given.filter((each) => each >= lowest)) {
          expect(value).toBeGreaterThanOrEqual(made.from);
          expect(value).toBeLessThan(made.to);
        }
      }),
    );
  });
});
