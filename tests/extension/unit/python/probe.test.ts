import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";

import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";

import { isAtLeast, parseAnswer, probe, starts } from "../../../../extension/src/python/probe";
import { describeChoice, suitability } from "../../../../extension/src/python/suitability";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "sidelight-probe-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test("a real Python says what it is like", async () => {
  const python = await probe("python3");
  if (!starts(python)) throw new Error(python.problem);
  expect(path.isAbsolute(python.path)).toBe(true);
  expect(isAtLeast(python, 3, 9)).toBe(true);
  expect(isAtLeast(python, 4, 0)).toBe(false);
  // By its path it is the same, and keeps the name it was asked by.
  expect(await probe(python.path)).toEqual(python);
});

test("no file of the directory it is asked in is run", async () => {
  const harm = `open(${JSON.stringify(path.join(directory, "harm"))}, "w"); raise SystemExit(1)`;
  for (const name of ["json", "importlib", "torch", "venv"]) {
    await writeFile(path.join(directory, `${name}.py`), harm);
  }
  const python = await probe("python3", { workingDirectory: directory });
  expect(starts(python)).toBe(true);
});

test("what does not start is told why", async () => {
  expect(await probe(path.join(directory, "gone"))).toMatchObject({
    problem: "there is no such program",
  });
  expect(await probe(await program("exit 1"))).toMatchObject({ problem: "it is no Python" });
  const failing = await program("echo 'error while loading shared libraries' >&2; exit 127");
  expect(await probe(failing)).toMatchObject({ problem: "error while loading shared libraries" });
  const locked = await program("exit 0");
  await chmod(locked, 0o644);
  expect(await probe(locked)).toMatchObject({ problem: "it may not be run" });
});

test("what runs a script is told from what does not", () => {
  const python = { path: "/p", version: [3, 12, 4], hasTorch: true, hasVenv: true } as const;
  expect(suitability(python)).toBeUndefined();
  expect(suitability({ ...python, hasTorch: false })).toBe("torch is not installed there");
  expect(suitability({ ...python, version: [3, 8, 1] })).toContain("3.9 or newer is needed");
  expect(suitability({ path: "/p", problem: "gone" })).toBe("gone");
  expect(describeChoice(python)).toBe("Python 3.12.4 · has torch");
});

test("an answer is found after other output, and anything else is no answer", () => {
  const answer = '{"executable": "/p", "version": [3, 12, 1], "hasTorch": true, "hasVenv": false}';
  expect(parseAnswer(`hello\n${answer}\n`)).toEqual({
    executable: "/p",
    version: [3, 12, 1],
    hasTorch: true,
    hasVenv: false,
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(parseAnswer(text)).toBeUndefined();
    }),
  );
});

async function program(commands: string): Promise<string> {
  const file = path.join(directory, `program-${commands.length}`);
  await writeFile(file, `#!/bin/sh\n${commands}\n`);
  await chmod(file, 0o755);
  return file;
}
