// What a number of the command line's document must look like on screen: said here a second time,
// plainly, so that the tests take nobody's word for it.

import type { LinesDocument } from "./workspace";

/** The line's own device time a step, as in `6.67 ms`. */
export function selfTime(document: LinesDocument, line: number): string {
  return duration(stats(document, line).self_ns / document.steps);
}

/** Its part of all device time, as in `24.2 %`. */
export function share(document: LinesDocument, line: number): string {
  return `${((100 * stats(document, line).self_ns) / document.device_time_ns).toFixed(1)} %`;
}

/** How often a step enters it, as in `1×`. */
export function count(document: LinesDocument, line: number): string {
  return `${stats(document, line).count / document.steps}×`;
}

/** All that stands at the line's end. */
export function hint(document: LinesDocument, line: number): string {
  return [selfTime, share, count].map((part) => part(document, line)).join(" · ");
}

/** A time of at least a microsecond and less than a second, to three digits. */
export function duration(ns: number): string {
  const [value, unit] = ns < 999_500 ? [ns / 1e3, "µs"] : [ns / 1e6, "ms"];
  return `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)} ${unit}`;
}

function stats(document: LinesDocument, line: number): LinesDocument["lines"][number] {
  const found = document.lines.find((candidate) => candidate.line === line);
  if (found === undefined) {
    throw new Error(`the command line knows nothing of line ${line}`);
  }
  return found;
}
