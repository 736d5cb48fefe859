// What is told of a dot, in the words of `sidelight lines --explain`: means a step, each with its mark.

import type { RooflineDot } from "../../src/documents";
import { duration, flops, ratio, share, size } from "../units";

/** Whose dots they are. */
export interface DotsOf {
  /** How many steps their sums are of. */
  readonly steps: number;
  /** All device time, of these. */
  readonly deviceNs: number;
}

/** A dot's figures as texts; empty where one is not known. */
export interface DotFigures {
  readonly time: string;
  readonly share: string;
  readonly flops: string;
  readonly bytes: string;
  readonly intensity: string;
  readonly ridge: string;
  readonly achieved: string;
  readonly attainable: string;
  readonly faster: string;
}

export function figuresOf(dot: RooflineDot, { steps, deviceNs }: DotsOf): DotFigures {
  const isPredicted = dot.rate_kind === "predicted";
  const aStep = Math.max(steps, 1);
  const { device_ns: timeNs, achieved_flops_per_s: achieved } = dot;
  return {
    time: timeText(timeNs / aStep, dot),
    share: share(timeNs, deviceNs),
    flops: told(dot.flops, (count) => flops(Math.round(count / aStep))),
    bytes: told(dot.hbm_bytes, (bytes) => size(Math.round(bytes / aStep))),
    intensity: told(dot.intensity, ratio),
    ridge: told(dot.ridge_point, ratio),
    achieved: told(achieved, (rate) => (isPredicted ? "≈" : "") + rateText(rate)),
    attainable: told(dot.attainable_flops_per_s, rateText),
    faster: told(dot.times_faster_at_roof, (times) => `${ratio(times, isPredicted)}x`),
  };
}

/** A rate such as `167 TFLOP/s`. */
export function rateText(flopsPerS: number): string {
  return `${flops(Math.round(flopsPerS))}/s`;
}

/** A device time of a dot. */
export function timeText(timeNs: number, { time_kind: kind }: Pick<RooflineDot, "time_kind">) {
  return duration(timeNs, kind === "predicted");
}

/** What the pointer at a dot, and the keyboard on it, tells. */
export function dotLines(dot: RooflineDot, of: DotsOf): readonly string[] {
  const figures = figuresOf(dot, of);
  const { flops: done, bytes: moved, intensity, ridge } = figures;
  const work = [done, moved].filter((text) => text !== "").join(" and ");
  const roof = [ridge === "" ? "" : `ridge point ${ridge}`, dot.dtype ?? ""];
  const held = parts(", ", ...roof);
  const limits = attained(figures);
  return [
    parts(" · ", `${figures.time} a step`, figures.share && `${figures.share} of device time`),
    parts(
      " · ",
      work === "" ? "" : `${work} a step`,
      intensity === "" ? "" : `${intensity} FLOP/byte${held === "" ? "" : ` (${held})`}`,
    ),
    parts(" · ", limits, dot.bound === null ? "" : `${dot.bound}-bound`),
    figures.faster === "" ? "" : `${figures.faster} as fast at its roof`,
    kindText(dot, of),
  ].filter((line) => line !== "");
}

/** Whether its times are measured, and its own. */
function kindText(dot: RooflineDot, { steps }: DotsOf): string {
  const { time_kind: kind, rate_kind: rate, attribution } = dot;
  const held = duration(dot.time_ns / Math.max(steps, 1), true);
  return parts(
    " · ",
    kind === rate ? kind : `${kind}; held against the roof by its predicted time, ${held} a step`,
    attribution === "exact" ? "" : attribution === "mixed" ? "apportioned in part" : attribution,
  );
}

function attained({ achieved, attainable }: DotFigures): string {
  if (achieved === "") return "";
  return attainable === "" ? achieved : `${achieved} of ${attainable} attainable`;
}

function told(value: number | null, text: (value: number) => string): string {
  return value === null ? "" : text(value);
}

function parts(between: string, ...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(between);
}
