import { expect, test } from "vitest";

import { profileCommand, scriptEnvironment } from "../../../../extension/src/profiling/commandLine";

test("the command line names everything, and the script's own arguments come last", () => {
  const command = profileCommand({
    python: "/server/python",
    interpreter: "/user/python",
    script: "/w/train.py",
    arguments: ["--steps", "5", "a b"],
    workingDirectory: "/w",
    store: "/w/.sidelight",
    target: "cpu",
    warmupSteps: 1,
    steps: 7,
  });
  expect(command.program).toBe("/server/python");
  expect(command.arguments.join(" ")).toBe(
    "-I -m sidelight profile --json --progress-fd 3 --store /w/.sidelight --python /user/python " +
      "--target cpu --warmup 1 --steps 7 /w/train.py --steps 5 a b",
  );
  expect(command.arguments.at(-1)).toBe("a b");
});

test("a script gets the editor's environment without what is the editor's own", () => {
  const editors = { PATH: "/bin", PYTHONPATH: "/lib", VSCODE_IPC: "x", ELECTRON_RUN_AS_NODE: "1" };
  expect(scriptEnvironment(editors)).toEqual({
    PATH: "/bin",
    PYTHONPATH: "/lib",
    PYTHONUNBUFFERED: "1",
  });
});
