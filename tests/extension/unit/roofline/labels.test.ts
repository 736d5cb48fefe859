import fc from "fast-check";
import { expect, test } from "vitest";

import {
  type Box,
  doOverlap,
  isInside,
  type Named,
  placeLabels,
} from "../../../../extension/webview/roofline/model/labels";

const AREA = { width: 600, height: 300 };

function sizeOf(text: string) {
  return { width: 6 * text.length, height: 14 };
}

const named: fc.Arbitrary<Named> = fc.record({
  x: fc.integer({ min: 0, max: AREA.width }),
  y: fc.integer({ min: 0, max: AREA.height }),
  radius: fc.integer({ min: 3, max: 20 }),
  text: fc.string({ minLength: 1, maxLength: 30 }),
});
const box: fc.Arbitrary<Box> = fc.record({
  x: fc.integer({ min: 0, max: AREA.width }),
  y: fc.integer({ min: 0, max: AREA.height }),
  width: fc.integer({ min: 1, max: 80 }),
  height: fc.integer({ min: 1, max: 40 }),
});

/** Whether any pixel of one is a pixel of the other, pixel by pixel. */
function shareAPixel(one: Box, other: Box): boolean {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const up = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return across > 0 && up > 0;
}

test("names stay inside, and cover neither each other nor what is taken", () => {
  fc.assert(
    fc.property(
      fc.array(named, { maxLength: 40 }),
      fc.array(box, { maxLength: 5 }),
      (all, taken) => {
        const placed = placeLabels(all, sizeOf, AREA, taken);
        placed.forEach((label, index) => {
          expect(label.x).toBeGreaterThanOrEqual(0);
          expect(label.y).toBeGreaterThanOrEqual(0);
          expect(label.x + label.width).toBeLessThanOrEqual(AREA.width);
          expect(label.y + label.height).toBeLessThanOrEqual(AREA.height);
          for (const other of [...placed.slice(0, index), ...taken]) {
            expect(shareAPixel(label, other)).toBe(false);
          }
        });
      },
    ),
  );
});

test("boxes overlap where they share area", () => {
  fc.assert(
    fc.property(box, box, (one, other) => {
      expect(doOverlap(one, other)).toBe(shareAPixel(one, other));
    }),
  );
  expect(isInside({ x: 0, y: 0, width: 600, height: 300 }, AREA)).toBe(true);
  expect(isInside({ x: 1, y: 0, width: 600, height: 300 }, AREA)).toBe(false);
});

test("a name alone stands to the right of its dot, and of two the first has the choice", () => {
  const dot = { x: 100, y: 100, radius: 10, text: "first" };
  const [label, second] = placeLabels([dot, { ...dot, text: "second" }], sizeOf, AREA, []);
  expect(label).toEqual({ x: 113, y: 93, width: 30, height: 14, text: "first" });
  expect(second?.y).toBeLessThan(90);
});

test("a name without room is left out, one beside another dot goes to its other side", () => {
  expect(placeLabels([{ x: 5, y: 5, radius: 4, text: "x".repeat(101) }], sizeOf, AREA, [])).toEqual(
    [],
  );
  const beside = [{ x: 112, y: 90, width: 20, height: 20 }];
  const [label] = placeLabels(
    [{ x: 100, y: 100, radius: 10, text: "ab" }],
    sizeOf,
    AREA,
    [],
    beside,
  );
  expect(label?.y).toBe(73);
});

/** How far a name is from a point, by going through its pixels. */
function pixelsAway(label: Box, x: number, y: number): number {
  let least = Infinity;
  for (let across = 0; across <= label.width; across += 1) {
    for (let down = 0; down <= label.height; down += 1) {
      least = Math.min(least, Math.hypot(label.x + across - x, label.y + down - y));
    }
  }
  return least;
}

test("a name stands nearest to its own dot, or is left out", () => {
  const few = fc.array(
    fc.record({
      x: fc.integer({ min: 0, max: 120 }),
      y: fc.integer({ min: 0, max: 120 }),
      radius: fc.integer({ min: 3, max: 20 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(few, (places) => {
      const all = places.map((place, index) => ({ ...place, text: `dot ${String(index)}` }));
      const dots = all.map(({ x, y, radius }) => ({
        ...{ x: x - radius, y: y - radius },
        ...{ width: 2 * radius, height: 2 * radius },
      }));
      for (const label of placeLabels(all, sizeOf, AREA, [], dots)) {
        const own = all.find(({ text }) => text === label.text);
        const away = pixelsAway(label, own?.x ?? NaN, own?.y ?? NaN);
        // Dots three pixels apart are in one place, to a pixel's width.
        for (const { x, y } of all) expect(pixelsAway(label, x, y)).toBeGreaterThan(away - 5);
      }
    }),
    { numRuns: 50 },
  );
});
