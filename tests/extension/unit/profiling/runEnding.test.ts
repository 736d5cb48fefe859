import { expect, test } from "vitest";

import { describeEnding, type RunEnd } from "../../../../extension/src/profiling/runEnding";

function end(document: unknown, overrides: Partial<RunEnd> = {}): RunEnd {
  return { status: 1, signal: null, problem: undefined, document, ...overrides };
}

function message(document: unknown): string | undefined {
  return describeEnding("train.py", end(document))?.message;
}

test("a run that went well needs no words", () => {
  expect(describeEnding("train.py", end({ steps: 20 }, { status: 0 }))).toBeUndefined();
});

test("a run that went well and used no device says so: there is nothing to show of it", () => {
  const ending = describeEnding("a.py", end({ steps: 1, device_time_ns: 0 }, { status: 0 }));
  expect(ending?.severity).toBe("warning");
  expect(ending?.message).toMatch(/^a\.py has ended, and nothing had run on the device/);
});

test.each([
  [{ steps: 3, script_exit: 1 }, "train.py ended with status 1; the 3 steps before are shown."],
  [
    { steps: 1, script_exit: null, stopped_by: "terminate" },
    "train.py was stopped; the step before is shown.",
  ],
  [
    { steps: 2, script_exit: 130, stopped_by: "interrupt" },
    "train.py was interrupted; the 2 steps before are shown.",
  ],
  [
    { steps: 2, script_exit: null, stopped_by: "disk_full" },
    "train.py filled the disk; the 2 steps before are shown.",
  ],
  [
    { steps: 1, script_exit: 2, device_time_ns: 0 },
    "train.py ended with status 2, and nothing had run on the device before.",
  ],
])("what was recorded before a failure is named: %j", (document, expected) => {
  const ending = describeEnding("train.py", end(document));
  expect(ending?.message).toBe(expected);
  expect(ending?.severity).toBe("warning");
});

test.each(["virtual", "fake"])("why a script could not go on is told with it: %s", (target) => {
  const note = "train.py:9 decides by the value of a tensor; profile it with --target cpu.";
  const quality = [
    { severity: "error", message: note },
    { severity: "info", message: "Times are predicted." },
  ];
  const ended = { steps: 1, script_exit: 1, quality };
  expect(message({ ...ended, target })).toBe(
    "train.py ended with status 1; the step before is shown. train.py:9 decides by the value of a " +
      "tensor; profile it with sidelight.profile.target set to cpu.",
  );
  expect(message({ ...ended, target: "cpu" })).not.toContain("decides");
});

test("where nothing was recorded the command line's sentence is told, with the editor's names", () => {
  const told = { error: { code: "no_torch", message: "X has no torch. Use `--python PATH`." } };
  const ending = describeEnding("train.py", end(told));
  expect(ending).toEqual({
    severity: "error",
    message: "X has no torch. Use the setting sidelight.python.interpreter.",
    interpreterAtFault: true,
  });
  expect(message({ error: { code: "disk_full", message: "Full." } })).toBe("Full.");
});

test("a process that died without a word, or never started, is told of", () => {
  expect(
    describeEnding("a.py", end(undefined, { status: null, signal: "SIGKILL" }))?.message,
  ).toMatch(/cut short \(ended by SIGKILL\)/);
  expect(describeEnding("a.py", end(undefined, { problem: "spawn ENOENT" }))?.message).toBe(
    "a.py could not be profiled: spawn ENOENT.",
  );
});

test.each([null, "text", 3, [], { error: "text" }])("the document %j does no harm", (document) => {
  expect(message(document)).toMatch(/cut short/);
});
