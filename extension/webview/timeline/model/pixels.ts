// What comes pixel by pixel: how busy groups are, and quantities over time.

import type { TimelineCounters, TimelineUtilisation } from "../../../src/protocol";
import { lengthNs, type Range } from "./range";
import { bytesOf } from "./spans";

/** How busy groups are in a stretch of time: by group, 0 to 255 a pixel. */
export interface Levels extends Range {
  readonly width: number;
  readonly byGroup: ReadonlyMap<string, Uint8Array>;
}

/** A quantity: NaN where it is not known. */
export interface CounterPixels {
  readonly mean: Float32Array;
  readonly highest: Float32Array;
}

/** Quantities in a stretch of time, by their numbers. */
export interface CounterValues extends Range {
  readonly width: number;
  readonly byCounter: ReadonlyMap<number, CounterPixels>;
}

/** @param keys The groups' keys, in the order they were asked for. */
export function decodeLevels(answer: TimelineUtilisation, keys: readonly string[]): Levels {
  const { fromNs, toNs, width, groups } = answer;
  const byGroup = new Map(
    groups.map(({ levels }, index) => [keys[index] ?? "", bytesOf(levels)] as const),
  );
  return { fromNs, toNs, width, byGroup };
}

export function decodeCounters({ fromNs, toNs, width, counters }: TimelineCounters): CounterValues {
  const byCounter = new Map(
    counters.map(({ counter, mean, highest }) => [
      counter,
      {
        mean: new Float32Array(bytesOf(mean).buffer),
        highest: new Float32Array(bytesOf(highest).buffer),
      },
    ]),
  );
  return { fromNs, toNs, width, byCounter };
}

/** The pixel of an answer that a time is in; undefined outside. */
export function pixelAt(of: Range & { readonly width: number }, ns: number): number | undefined {
  const pixel = Math.floor(((ns - of.fromNs) / lengthNs(of)) * of.width);
  return pixel >= 0 && pixel < of.width ? pixel : undefined;
}
