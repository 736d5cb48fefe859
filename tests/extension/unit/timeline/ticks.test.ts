import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Scale } from "../../../../extension/webview/timeline/model/scale";
import { ruler } from "../../../../extension/webview/timeline/model/ticks";

describe("the ruler", () => {
  it("labels round times", () => {
    const marks = ruler(new Scale({ fromNs: 0, toNs: 6e6 }, 600));
    expect(marks.base).toBe("");
    expect(marks.ticks.map((tick) => tick.label)).toEqual([
      "0 ms",
      "1 ms",
      "2 ms",
      "3 ms",
      "4 ms",
      "5 ms",
      "6 ms",
    ]);
  });

  it("counts from a base where whole times would be too long", () => {
    const marks = ruler(new Scale({ fromNs: 12_345_678_100, toNs: 12_345_678_500 }, 600));
    expect(marks.base).toBe("12.3456 s");
    expect(marks.ticks.map((tick) => tick.label)).toEqual([
      "+78.1 µs",
      "+78.2 µs",
      "+78.3 µs",
      "+78.4 µs",
      "+78.5 µs",
    ]);
  });

  it("marks times of a clock that was not measured", () => {
    const whole = ruler(new Scale({ fromNs: 0, toNs: 6e6 }, 600), true);
    expect(whole.ticks.slice(0, 2).map((tick) => tick.label)).toEqual(["≈0 ms", "≈1 ms"]);
    const far = ruler(new Scale({ fromNs: 12_345_678_100, toNs: 12_345_678_500 }, 600), true);
    expect(far.base).toBe("≈12.3456 s");
    expect(far.ticks[0]?.label).toBe("≈+78.1 µs");
  });

  it("has short, different labels at even distances, anywhere and at any zoom", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e6, max: 1e13 }),
        fc.double({ min: 20, max: 1e13, noNaN: true }),
        fc.integer({ min: 300, max: 4000 }),
        (fromNs, length, width) => {
          const scale = new Scale({ fromNs, toNs: fromNs + length }, width);
          const { ticks } = ruler(scale);
          expect(new Set(ticks.map((tick) => tick.label)).size).toBe(ticks.length);
          expect(ticks.every((tick) => tick.label.length <= 12)).toBe(true);
          const places = ticks.map((tick) => scale.toPx(tick.ns));
          places.slice(1).forEach((place, index) => {
            const apart = place - (places[index] ?? 0);
            expect(apart).toBeGreaterThan(95);
            expect(apart).toBeLessThan(Math.max(241, 1.01 * scale.pxPerNs));
          });
        },
      ),
    );
  });
});
