import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import { dotLines, figuresOf } from "../../../../extension/webview/roofline/figures";
import { change } from "../../../../extension/webview/units";
import { dotOf } from "./dots";

const OF = { steps: 4, deviceNs: 80_000 };

test("a dot is told in the words of the command line, a step at a time", () => {
  expect(dotLines(dotOf(), OF)).toEqual([
    "2.00 µs a step · 10.0% of device time",
    "1.00 MFLOP and 500 kB a step · 2.00 FLOP/byte (ridge point 10.0, fp32)",
    "500 GFLOP/s of 2.00 TFLOP/s attainable · memory-bound",
    "4.00x as fast at its roof",
    "measured",
  ]);
});

test("what is predicted is marked, also where only the rate is", () => {
  const elsewhere = dotOf({ rate_kind: "predicted", time_ns: 4_000 });
  const lines = dotLines(elsewhere, OF);
  expect(lines[0]).toContain("2.00 µs a step");
  expect(lines[2]).toContain("≈500 GFLOP/s");
  expect(lines[3]).toBe("≈4.00x as fast at its roof");
  expect(lines[4]).toBe("measured; held against the roof by its predicted time, ≈1.00 µs a step");
});

test("what is not known is left out, never 0", () => {
  const unknown = dotOf({
    ...{ flops: null, intensity: null, ridge_point: null, attainable_flops_per_s: null },
    ...{ achieved_flops_per_s: null, times_faster_at_roof: null, bound: null, dtype: null },
    attribution: "apportioned",
  });
  expect(dotLines(unknown, OF)).toEqual([
    "2.00 µs a step · 10.0% of device time",
    "500 kB a step",
    "measured · apportioned",
  ]);
  expect(figuresOf(unknown, OF).flops).toBe("");
});

test("differences are written as everywhere else in Sidelight", () => {
  const differences = [-412_000, -0.4, 0, 7, 1_834_000, 2.5e9];
  const script =
    "import json, sys; from sidelight.profile import units;" +
    "print(json.dumps([units.change(d, predicted=p) for d in json.load(sys.stdin) for p in (0, 1)]))";
  const printed = execFileSync(".venv/bin/python", ["-c", script], {
    input: JSON.stringify(differences),
    encoding: "utf8",
  });
  const ours = differences.flatMap((difference) => [change(difference), change(difference, true)]);
  expect(ours).toEqual(JSON.parse(printed));
});
