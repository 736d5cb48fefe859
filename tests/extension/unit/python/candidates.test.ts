import { expect, test } from "vitest";

import {
  baseCandidates,
  type Findings,
  scriptCandidates,
} from "../../../../extension/src/python/candidates";

const NOTHING: Findings = { setting: undefined, extensionChoice: undefined, environments: [] };

test("for a script: the setting, the Python extension, the folder's environment, then PATH", () => {
  const findings = {
    setting: "/set/python",
    extensionChoice: "/chosen/python",
    environments: ["/folder/.venv/bin/python"],
  };
  expect(scriptCandidates(findings)).toEqual([
    { program: "/set/python", source: "setting" },
    { program: "/chosen/python", source: "Python extension" },
    { program: "/folder/.venv/bin/python", source: "workspace" },
    { program: "python3", source: "PATH" },
    { program: "python", source: "PATH" },
  ]);
  expect(scriptCandidates(NOTHING).map(({ program }) => program)).toEqual(["python3", "python"]);
});

test("one that is named twice is tried once, under its first name", () => {
  const candidates = scriptCandidates({
    ...NOTHING,
    extensionChoice: "/folder/.venv/bin/python",
    environments: ["/folder/.venv/bin/python"],
  });
  expect(candidates.map(({ source }) => source)).toEqual(["Python extension", "PATH", "PATH"]);
});

test("for the server's environment: newer Pythons first, after what somebody chose", () => {
  const programs = baseCandidates({ ...NOTHING, setting: "python3.12" }).map(
    ({ program }) => program,
  );
  expect(programs).toEqual([
    "python3.12",
    "python3.14",
    "python3.13",
    "python3.11",
    "python3.10",
    "python3",
    "python",
  ]);
});
