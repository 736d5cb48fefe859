// Whether a Python can run a profiled script, in words.

import { type BrokenPython, type Python, isAtLeast, starts } from "./probe";

/** Why it cannot, as the end of a sentence; undefined where it can. */
export function suitability(python: Python | BrokenPython): string | undefined {
  if (!starts(python)) return python.problem;
  if (!isAtLeast(python, 3, 9)) {
    return `it is Python ${python.version.join(".")}, and 3.9 or newer is needed`;
  }
  return python.hasTorch ? undefined : "torch is not installed there";
}

/** A Python as a list of choices describes it. */
export function describeChoice(python: Python): string {
  return `Python ${python.version.join(".")} · ${suitability(python) ?? "has torch"}`;
}
