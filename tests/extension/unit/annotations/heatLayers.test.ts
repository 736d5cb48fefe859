import fc from "fast-check";
import { expect, test } from "vitest";

import { heatLayers, WARM_LAYERS } from "../../../../extension/src/annotations/heatLayers";

test("levels go to layers in order, and lines that were changed to one of their own", () => {
  const line = (number: number, level: number, stale = false) => ({
    ...{ line: number, level, share: 0.1, stale },
  });
  const layers = heatLayers([line(8, 8), line(5, 5), line(2, 2), line(1, 1), line(9, 8, true)]);
  expect(layers.warm).toEqual([[2, 1], [], [], [5], [], [], [8]]);
  expect(layers.stale).toEqual([9]);
});

test("whatever comes, each of the hottest thousand lines stands in one layer", () => {
  const anyLine = fc.record({
    line: fc.nat(100_000),
    level: fc.integer({ min: -2, max: 20 }),
    share: fc.double({ min: 0, max: 1 }),
    stale: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 1_500 }), (lines) => {
      const { warm, stale } = heatLayers(lines);
      expect(warm).toHaveLength(WARM_LAYERS);
      const drawn = [...warm.flat(), ...stale].sort((one, other) => one - other);
      const expected = lines.slice(0, 1_000).map(({ line }) => line);
      expect(drawn).toEqual(expected.sort((one, other) => one - other));
    }),
    { numRuns: 30 },
  );
});
