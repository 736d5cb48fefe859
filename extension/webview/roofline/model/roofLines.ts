// The roofs as lines of the plane: peaks are level, bandwidths rise, and they meet at ridge points.

import type { ComputeRoof, MemoryRoof, Roofs } from "../../../src/documents";
import type { Plane, Point } from "./plane";

/** From one point to another. */
export interface Line {
  readonly from: Point;
  readonly to: Point;
}

/** The peak of dtypes that share it. */
export interface ComputeLine extends Line {
  readonly dtypes: readonly string[];
  readonly flopsPerS: number;
}

export interface MemoryLine extends Line {
  readonly roof: MemoryRoof;
}

/** Where a peak and a bandwidth meet. */
export interface Ridge extends Point {
  readonly dtypes: readonly string[];
  readonly memory: string;
  /** In FLOP/byte. */
  readonly intensity: number;
}

/** All there is to draw of roofs. */
export interface RoofLines {
  readonly compute: readonly ComputeLine[];
  readonly memory: readonly MemoryLine[];
  readonly ridges: readonly Ridge[];
}

export function roofLines(roofs: Roofs | null, plane: Plane): RoofLines {
  if (roofs === null) return { compute: [], memory: [], ridges: [] };
  const peaks = alikePeaks(roofs.compute);
  const compute = peaks.flatMap((alike): readonly ComputeLine[] => {
    const [first] = alike;
    if (first === undefined) return [];
    const { flops_per_s: flopsPerS, ridge_points: ridges } = first;
    // Left of the ridge point with the widest memory no work can be so fast.
    const start = Math.min(...Object.values(ridges), plane.intensity.to);
    const to = plane.at(plane.intensity.to, flopsPerS);
    const dtypes = alike.map(({ dtype }) => dtype);
    return [{ dtypes, flopsPerS, from: plane.at(start, flopsPerS), to }];
  });
  const highest = Math.max(...compute.map(({ flopsPerS }) => flopsPerS), 0) || plane.rate.to;
  const memory = roofs.memory.flatMap((roof): readonly MemoryLine[] => {
    const line = risingLine(roof.bytes_per_s, highest, plane);
    return line === undefined ? [] : [{ roof, ...line }];
  });
  const ridges = peaks.flatMap((alike) =>
    Object.entries(alike[0]?.ridge_points ?? {}).map(([name, intensity]) => ({
      dtypes: alike.map(({ dtype }) => dtype),
      memory: name,
      intensity,
      ...plane.at(intensity, alike[0]?.flops_per_s ?? 0),
    })),
  );
  return { compute, memory, ridges };
}

/** Peaks that are equally high stand together. */
function alikePeaks(roofs: readonly ComputeRoof[]): readonly (readonly ComputeRoof[])[] {
  const peaks = new Map<number, ComputeRoof[]>();
  for (const roof of roofs) {
    const alike = peaks.get(roof.flops_per_s);
    if (alike === undefined) peaks.set(roof.flops_per_s, [roof]);
    else alike.push(roof);
  }
  return [...peaks.values()];
}

/** Where bytes come at a rate: from the plane's edge up to the highest peak. */
function risingLine(bytesPerS: number, highest: number, plane: Plane): Line | undefined {
  const { intensity, rate } = plane;
  const start = Math.max(intensity.from, rate.from / bytesPerS);
  const end = Math.min(intensity.to, highest / bytesPerS);
  if (start >= end) return undefined;
  return { from: plane.at(start, start * bytesPerS), to: plane.at(end, end * bytesPerS) };
}
