// What is said about a span before anything else is asked: in the tooltip, and read aloud.

import type { TimelineCounter } from "../../../src/protocol";
import { duration, share, size } from "../../units";
import { at, nameOf, type Spans } from "./spans";

/** A span in words. */
export interface Description {
  readonly title: string;
  readonly lines: readonly string[];
}

/** @param predicted Whether its times are not all measured. */
export function describe(
  spans: Spans,
  span: number,
  trackName: string,
  predicted: boolean,
): Description {
  const durationNs = at(spans.durationNs, span);
  const merged = at(spans.merged, span);
  const time = duration(durationNs, predicted);
  const lines = [`${time} at ${duration(at(spans.startNs, span), predicted)}`, trackName];
  if (merged === 1) {
    return { title: nameOf(spans, span), lines };
  }
  const busy = share(at(spans.busyNs, span), durationNs);
  const what = `${merged} events${busy === "" ? "" : `, busy ${busy}`}`;
  return { title: what, lines: [`longest: ${nameOf(spans, span)}`, ...lines] };
}

/**
 * What is said about a quantity where it is pointed at.
 *
 * @param values What it is there; undefined where that is not known.
 */
export function describeCounter(
  counter: TimelineCounter,
  values: { readonly mean: number; readonly highest: number } | undefined,
  ns: number,
  predicted: boolean,
): Description {
  const { name, owner } = counter;
  const time = duration(Math.round(Math.max(ns, 0)), predicted);
  const owners = owner === "" ? [] : [owner];
  if (values === undefined) return { title: name, lines: [`not known at ${time}`, ...owners] };
  const { mean, highest } = values;
  const peak = highest > mean ? [`highest here: ${amount(highest, counter)}`] : [];
  const of = againstCapacity(mean, counter);
  return { title: name, lines: [`${amount(mean, counter)} at ${time}`, ...peak, ...of, ...owners] };
}

/**
 * What is said about a folded group where it is pointed at.
 *
 * @param level How busy it is there, 0 to 1; undefined where that is not known.
 */
export function describeGroup(
  name: string,
  level: number | undefined,
  ns: number,
  predicted: boolean,
): Description {
  const time = duration(Math.round(Math.max(ns, 0)), predicted);
  const line = level === undefined ? `not known at ${time}` : `busy ${share(level, 1)} at ${time}`;
  return { title: name, lines: [line] };
}

/** A value as people read it. */
function againstCapacity(value: number, counter: TimelineCounter): readonly string[] {
  const { capacity } = counter;
  if (capacity === null) return [];
  const whole = amount(capacity, counter);
  return [
    value > capacity
      ? `more than its capacity of ${whole}`
      : `${share(value, capacity)} of its capacity of ${whole}`,
  ];
}

function amount(value: number, { unit }: TimelineCounter): string {
  switch (unit) {
    case "bytes":
      return size(value);
    case "bytes_per_s":
      return `${size(value)}/s`;
    case "fraction":
      return share(value, 1);
    case "":
      return value.toLocaleString("en-US", { maximumFractionDigits: 3 });
  }
}
