import { expect, test } from "vitest";

import {
  profileCommand,
  type RunRequest,
  scriptEnvironment,
} from "../../../../extension/src/profiling/commandLine";

const REQUEST: RunRequest = {
  python: "/server/python",
  interpreter: "/user/python",
  script: "/w/train.py",
  arguments: ["--steps", "5", "a b"],
  workingDirectory: "/w",
  store: "/w/.sidelight",
  target: "cpu",
  prediction: { device: undefined, lnc: undefined, autoCast: "matmult" },
  warmupSteps: 1,
  steps: 7,
};

test("the command line names everything, and the script's own arguments come last", () => {
  const command = profileCommand(REQUEST);
  expect(command.program).toBe("/server/python");
  expect(command.arguments.join(" ")).toBe(
    "-I -m sidelight profile --json --progress-fd 3 --store /w/.sidelight --python /user/python " +
      "--target cpu --warmup 1 --steps 7 /w/train.py --steps 5 a b",
  );
  expect(command.arguments.at(-1)).toBe("a b");
});

test.each([
  ["cpu", { device: "trn1", lnc: undefined, autoCast: "none" }, "--device trn1 --auto-cast none"],
  ["auto", { device: "trn2", lnc: 1, autoCast: "all" }, "--device trn2 --lnc 1 --auto-cast all"],
  ["fake", { device: undefined, lnc: 1, autoCast: "matmult" }, "--lnc 1 --auto-cast matmult"],
  ["virtual", { device: "trn3", lnc: 2, autoCast: "all" }, "--device trn3 --lnc 2 --auto-cast all"],
  ["virtual", { device: undefined, lnc: undefined, autoCast: "none" }, "--auto-cast none"],
  ["cpu", { device: undefined, lnc: 1, autoCast: "all" }, ""],
  ["neuron-xla", { device: "trn1", lnc: 2, autoCast: "all" }, ""],
] as const)("on %s, the prediction %j is asked for by %j", (target, prediction, options) => {
  const words = profileCommand({ ...REQUEST, target, prediction }).arguments;
  const between = words.slice(words.indexOf(target) + 1, words.indexOf("--warmup"));
  expect(between.join(" ")).toBe(options);
});

test("a script gets the editor's environment without what is the editor's own", () => {
  const editors = { PATH: "/bin", PYTHONPATH: "/lib", VSCODE_IPC: "x", ELECTRON_RUN_AS_NODE: "1" };
  expect(scriptEnvironment(editors)).toEqual({
    PATH: "/bin",
    PYTHONPATH: "/lib",
    PYTHONUNBUFFERED: "1",
  });
});
