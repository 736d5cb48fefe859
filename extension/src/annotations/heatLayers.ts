// Which lines are drawn how warm: the server's eight levels as layers of one look each.

import type { HeatLine } from "../protocol";

/** Layers of warm lines; one more is for lines that were changed since. */
export const WARM_LAYERS = 7;

export interface HeatLayers {
  /** Line numbers, 0-based, by layer, the coolest first. */
  readonly warm: readonly (readonly number[])[];
  readonly stale: readonly number[];
}

const MOST_LINES = 1_000;

/** @param lines Hottest first: of too many, the coolest are left out. */
export function heatLayers(lines: readonly HeatLine[]): HeatLayers {
  const warm = Array.from({ length: WARM_LAYERS }, (): number[] => []);
  const stale: number[] = [];
  for (const { line, level, stale: isStale } of lines.slice(0, MOST_LINES)) {
    if (isStale) stale.push(line);
    // The two coolest levels can hardly be told apart: they share a layer.
    else warm[Math.min(Math.max(level - 2, 0), WARM_LAYERS - 1)]?.push(line);
  }
  return { warm, stale };
}
