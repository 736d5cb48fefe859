// Tests of what the analysis shows of a real program, recorded once for all of a file.

import { test as base } from "@playwright/test";

import { RecordedAnalysis } from "./recordedAnalysis";

/** A test that is given `examples/rmsnorm.py`, as it would run on trn2. */
export const test = base.extend<object, { profile: RecordedAnalysis }>({
  profile: [
    // Fixtures say what they need by this pattern, also if that is nothing.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const verb = ["profile", "--target", "fake", "--device", "trn2", "examples/rmsnorm.py"];
      await use(await RecordedAnalysis.of(verb));
    },
    { scope: "worker" },
  ],
});
