// The marks of the time ruler: round times, labelled with as many digits as their distance needs.

import type { Scale } from "./scale";

export interface Tick {
  readonly ns: number;
  readonly label: string;
}

export interface Ruler {
  /** What labels that begin with `+` count from; empty where labels are whole times. */
  readonly base: string;
  readonly ticks: readonly Tick[];
}

const APART_PX = 96;
const MOST_DECIMALS = 3;
const UNITS = [
  ["s", 1e9],
  ["ms", 1e6],
  ["µs", 1e3],
  ["ns", 1],
] as const;

/** @param predicted Whether the clock is not measured: `≈` is before each of its times then. */
export function ruler(scale: Scale, predicted = false): Ruler {
  const approximately = predicted ? "≈" : "";
  const stepNs = niceStep(APART_PX / scale.pxPerNs);
  const { fromNs, toNs } = scale.range;
  const first = Math.ceil(fromNs / stepNs);
  const last = Math.floor(toNs / stepNs);
  const farNs = Math.max(Math.abs(first), Math.abs(last)) * stepNs;
  const baseNs = decimals(farNs, stepNs) > MOST_DECIMALS ? roundBase(fromNs, stepNs) : 0;
  const ticks: Tick[] = [];
  for (let index = first; index <= last; index += 1) {
    const ns = index * stepNs;
    const offset = written(ns - baseNs, Math.max(farNs - baseNs, stepNs), stepNs);
    const sign = baseNs === 0 || ns < baseNs ? "" : "+";
    ticks.push({ ns, label: `${approximately}${sign}${offset}` });
  }
  const base = baseNs === 0 ? "" : approximately + written(baseNs, baseNs, stepNs * 1e3);
  return { base, ticks };
}

/** The smallest of 1, 2, 5, 10, 20, … nanoseconds that is no less than this. */
function niceStep(atLeastNs: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(atLeastNs)));
  return power * ([1, 2, 5].find((factor) => factor * power >= atLeastNs) ?? 10);
}

/** A round time at or before the left edge from which offsets stay short. */
function roundBase(fromNs: number, stepNs: number): number {
  const roundNs = 10 ** (Math.floor(Math.log10(stepNs)) + 3);
  return Math.floor(fromNs / roundNs) * roundNs;
}

function unitOf(ns: number): (typeof UNITS)[number] {
  return UNITS.find(([, scale]) => Math.abs(ns) >= scale) ?? UNITS[3];
}

function decimals(farNs: number, stepNs: number): number {
  return Math.max(0, Math.round(Math.log10(unitOf(farNs)[1])) - Math.floor(Math.log10(stepNs)));
}

function written(ns: number, farNs: number, stepNs: number): string {
  const [unit, scale] = unitOf(farNs);
  return `${(ns / scale).toFixed(decimals(farNs, stepNs))} ${unit}`;
}
