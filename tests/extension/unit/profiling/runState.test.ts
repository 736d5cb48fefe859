import { expect, test } from "vitest";

import { advance, BEFORE_START, progressText } from "../../../../extension/src/profiling/runState";
import { parseStage, type Stage } from "../../../../extension/src/profiling/stages";

function run(...stages: Stage[]) {
  return stages.reduce(advance, BEFORE_START);
}

const STORED: Stage = { stage: "stored", profile: "/p" };

test("a script that runs on is done when its profile is stored", () => {
  const told: Stage[] = [
    { stage: "starting" },
    { stage: "recording" },
    { stage: "reading", fraction: 0.5 },
    STORED,
    { stage: "running_on", profile: "/p" },
  ];
  const texts = told.map((_, index) => progressText(run(...told.slice(0, index + 1)), "train.py"));
  expect(texts).toEqual([
    "Starting train.py …",
    "Recording …",
    "Reading the recording … 50 %",
    "Showing the profile …",
    "Done",
  ]);
  expect(run(...told).profile).toBe("/p");
});

test("a script that ends early is read after its end", () => {
  const ended = run({ stage: "recording" }, { stage: "ended" });
  expect(ended.phase).toBe("recording");
  const reading = advance(ended, { stage: "reading", fraction: 0.999 });
  expect(progressText(reading, "a.py")).toBe("Reading the recording … 99 %");
  expect(advance(reading, STORED).phase).toBe("showing");
});

test("a second recording takes the first one's place", () => {
  expect(run(STORED, { stage: "stored", profile: "/q" }).profile).toBe("/q");
});

test("a recording that is kept unread is known at the end", () => {
  const kept = parseStage('{"stage": "kept", "recording": "/s"}');
  expect(kept).toEqual({ stage: "kept", recording: "/s" });
  if (kept !== undefined) expect(run({ stage: "ended" }, kept).recording).toBe("/s");
});

test.each([
  "",
  "[]",
  "null",
  "{",
  '{"stage": "other"}',
  '{"stage": "stored"}',
  '{"stage": "kept"}',
  '{"stage": "reading", "fraction": "1"}',
])("%j tells of no stage", (line) => {
  expect(parseStage(line)).toBeUndefined();
});
