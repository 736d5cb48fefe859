import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  duration,
  flops,
  meanCount,
  plainNumber,
  ratio,
  share,
  size,
} from "../../../../extension/webview/units";

const PYTHON = resolve(".venv/bin/python");
const ORIGINALS = `
import json, sys
from sidelight.profile import units
calls = {"duration": lambda a, b: units.duration(a, predicted=b), "share": units.share,
         "meanCount": units.mean_count, "size": lambda a, b: units.size(a),
         "flops": lambda a, b: units.flops(a), "ratio": lambda a, b: units.ratio(a, predicted=b),
         "plainNumber": lambda a, b: units.plain_number(a)}
print(json.dumps([calls[name](a, b) for name, a, b in json.load(sys.stdin)]))
`;

type Call =
  | readonly ["duration" | "size" | "flops" | "ratio" | "plainNumber", number, boolean]
  | readonly ["share" | "meanCount", number, number];

/** Whole numbers of every size, with those at which roundings and units change. */
const anyWhole = fc.nat(15).chain((power) => fc.nat(10 ** power));
const edges = [
  5, 15, 25, 995, 1005, 9995, 9_999_5, 99_950, 999_499, 999_500, 2_125, 12_250, 100_500,
];
const whole = fc.oneof(
  anyWhole,
  fc.constantFrom(...edges),
  fc.constantFrom(...edges.map((edge) => edge * 1000)),
);
const fraction = fc
  .tuple(whole, fc.integer({ min: 1, max: 64 }))
  .map(([above, below]) => above / below);
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(
    fc.constantFrom("duration", "size", "flops", "ratio", "plainNumber"),
    fc.oneof(whole, fraction),
    fc.boolean(),
  ),
  fc.tuple(fc.constant("share" as const), whole, whole),
  fc.tuple(fc.constant("meanCount" as const), whole, fc.nat(40)),
);

function here([name, a, b]: Call): string {
  switch (name) {
    case "duration":
      return duration(a, b);
    case "size":
      return size(a);
    case "flops":
      return flops(a);
    case "ratio":
      return ratio(a, b);
    case "plainNumber":
      return plainNumber(a);
    case "share":
      return share(a, b);
    case "meanCount":
      return meanCount(a, b);
  }
}

describe("numbers for people", () => {
  it("are written as everywhere else in Sidelight, to the character", () => {
    const calls = fc.sample(call, 20_000);
    const output = execFileSync(PYTHON, ["-c", ORIGINALS], {
      input: JSON.stringify(calls),
      encoding: "utf8",
      maxBuffer: 2 ** 25,
    });
    const originals = JSON.parse(output) as string[];
    const different = calls
      .map((made, index) => ({ made, here: here(made), original: originals[index] }))
      .filter(({ here: ours, original }) => ours !== original);
    expect(different).toEqual([]);
    expect(originals).toHaveLength(20_000);
  });

  it("round exact halves to even", () => {
    expect(duration(2125)).toBe("2.12 µs");
    expect(duration(2375)).toBe("2.38 µs");
    expect(share(1, 16)).toBe("6.2%");
    expect(meanCount(201, 2)).toBe("100");
  });
});
