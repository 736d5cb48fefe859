import fc from "fast-check";
import { expect, test } from "vitest";

import { arrowPath } from "../../../../extension/webview/roofline/model/arrow";
import {
  BOUNDS,
  boundName,
  largestRadius,
  markAt,
  marksOf,
  outline,
  radiusOf,
  smallestSizedNs,
  SMALLEST_RADIUS_PX,
} from "../../../../extension/webview/roofline/model/marks";
import { isCharted, Plane } from "../../../../extension/webview/roofline/model/plane";
import { roofLines } from "../../../../extension/webview/roofline/model/roofLines";
import { charted, dotOf, ROOFS } from "./dots";

const SIZE = { width: 900, height: 400 };

test("what has no logarithm has no place", () => {
  expect(isCharted(dotOf())).toBe(true);
  for (const nothing of [0, null]) {
    expect(isCharted(dotOf({ intensity: nothing }))).toBe(false);
    expect(isCharted(dotOf({ achieved_flops_per_s: nothing }))).toBe(false);
  }
});

test("dots, peaks and ridge points are in the plane, as far from each other as their logarithms", () => {
  const amount = fc.double({ min: 1e-6, max: 1e20, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount), { maxLength: 9 }), (places) => {
      const dots = places.map(([intensity, rate]) => charted(intensity, rate));
      const plane = new Plane(SIZE, ROOFS, dots);
      for (const { intensity, achieved_flops_per_s: rate } of dots) {
        const { x, y } = plane.at(intensity, rate);
        expect(x > 0 && x < SIZE.width && y > 0 && y < SIZE.height).toBe(true);
      }
    }),
  );
  const plane = new Plane(SIZE, ROOFS, [charted(0.01, 1e9)]);
  const [one, ten, hundred] = [1, 10, 100].map((times) => plane.at(times, 1e12 * times));
  expect((hundred?.x ?? NaN) - (ten?.x ?? NaN)).toBeCloseTo((ten?.x ?? NaN) - (one?.x ?? NaN));
  expect((hundred?.y ?? NaN) - (ten?.y ?? NaN)).toBeCloseTo((ten?.y ?? NaN) - (one?.y ?? NaN));
  expect(hundred?.y).toBeLessThan(ten?.y ?? NaN);
});

test("peaks are level, bandwidths rise to the highest peak, and ridge points are where they meet", () => {
  const plane = new Plane(SIZE, ROOFS, [charted(1, 1e11)]);
  const { compute, memory, ridges } = roofLines(ROOFS, plane);
  expect(compute.map(({ dtypes }) => dtypes)).toEqual([["bf16", "fp16"], ["fp32"]]);
  for (const { from, to } of compute) {
    expect(from.y).toBe(to.y);
    expect(to.x).toBe(SIZE.width);
  }
  const top = compute[0]?.from.y ?? NaN;
  for (const { from, to } of memory) {
    expect(to.y).toBeCloseTo(top, 6);
    expect(from.x).toBeLessThan(to.x);
  }
  expect(ridges).toHaveLength(4);
  for (const { memory: name, x, y } of ridges) {
    const line = memory.find(({ roof }) => roof.memory === name);
    if (line === undefined) throw new Error(name);
    // On the straight line between the ends of the bandwidth.
    const part = (x - line.from.x) / (line.to.x - line.from.x);
    expect(line.from.y + part * (line.to.y - line.from.y)).toBeCloseTo(y, 6);
    expect(compute.some(({ from }) => Math.abs(from.y - y) < 1e-6)).toBe(true);
  }
  expect(roofLines(null, plane)).toEqual({ compute: [], memory: [], ridges: [] });
});

test("area is in proportion to device time, down to the smallest dot", () => {
  const area = (timeNs: number): number => radiusOf(timeNs, 1_000, 20) ** 2;
  expect(area(1_000) / area(250)).toBeCloseTo(4);
  expect(radiusOf(1, 1_000, 20)).toBe(SMALLEST_RADIUS_PX);
  expect(radiusOf(smallestSizedNs(1_000, 20), 1_000, 20)).toBeCloseTo(SMALLEST_RADIUS_PX);
});

test("dots are smaller where there is little room, or there are many", () => {
  const alone = largestRadius(SIZE, [500]);
  expect(largestRadius(SIZE, [500, 300, 1])).toBe(alone);
  expect(largestRadius({ width: 200, height: 200 }, [500])).toBeLessThan(alone);
  const many = Array.from({ length: 300 }, () => 500);
  const radius = largestRadius(SIZE, many);
  expect(radius).toBeLessThan(alone);
  expect(300 * Math.PI * radius ** 2).toBeLessThan((SIZE.width * SIZE.height) / 4);
  expect(largestRadius(SIZE, [])).toBe(alone);
});

test("all shapes of a radius have the same area", () => {
  for (const bound of BOUNDS.filter((name) => name !== "compute")) {
    const numbers = outline(bound, { x: 50, y: 50 }, 10).match(/[\d.]+/gu) ?? [];
    const corners = Array.from({ length: numbers.length / 2 }, (_, corner) => ({
      x: Number(numbers[2 * corner]),
      y: Number(numbers[2 * corner + 1]),
    }));
    // The shoelace formula.
    const doubled = corners.reduce((sum, { x, y }, corner) => {
      const next = corners[(corner + 1) % corners.length] ?? { x: NaN, y: NaN };
      return sum + x * next.y - next.x * y;
    }, 0);
    expect(Math.abs(doubled) / 2, bound).toBeCloseTo(Math.PI * 100, 0);
  }
  expect(boundName(null)).toBe("unknown");
  expect(boundName("somewhere")).toBe("unknown");
});

test("the pointer means the smallest dot under it, else the nearest", () => {
  const plane = new Plane(SIZE, ROOFS, [charted(1, 1e12)]);
  const marks = marksOf([charted(1, 1e12, 9_000), charted(1, 1e12, 600)], plane, 20);
  const [large, small] = marks;
  if (large === undefined || small === undefined) throw new Error();
  expect(markAt(marks, { x: large.x, y: large.y })).toBe(small);
  expect(markAt(marks, { x: large.x + large.radius - 1, y: large.y })).toBe(large);
  expect(markAt(marks, { x: large.x + large.radius + 3, y: large.y })).toBe(large);
  expect(markAt(marks, { x: large.x + large.radius + 20, y: large.y })).toBeUndefined();
});

test("an arrow goes from where a dot was to where it is, unless it stayed", () => {
  expect(arrowPath({ x: 0, y: 0 }, { x: 3, y: 0 })).toBeUndefined();
  expect(arrowPath({ x: 0, y: 0 }, { x: 70, y: 0 })).toBe("M0 0L70 0M63 3.5L70 0L63 -3.5");
});
