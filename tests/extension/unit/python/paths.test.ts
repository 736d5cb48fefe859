import { homedir } from "node:os";
import * as path from "node:path";

import fc from "fast-check";
import { expect, test } from "vitest";

import { expandPath, expandProgram, isPath } from "../../../../extension/src/python/paths";

test("the home directory and the folder are put in", () => {
  expect(expandPath("~/venv/bin/python", undefined)).toBe(path.join(homedir(), "venv/bin/python"));
  expect(expandPath("${workspaceFolder}/.venv/bin/python", "/work")).toBe("/work/.venv/bin/python");
  expect(expandPath("~user/python", undefined)).toBe("~user/python");
});

test("a path is taken from the folder, a command is left to PATH", () => {
  expect(expandPath("runs", "/work")).toBe("/work/runs");
  expect(expandPath("runs/one", undefined)).toBe("runs/one");
  expect(expandProgram("envs/one/bin/python", "/work")).toBe("/work/envs/one/bin/python");
  expect(expandProgram("python3.12", "/work")).toBe("python3.12");
});

test("a folder's name is put in as it is, whatever it holds", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\/[^/\0]{1,20}$/), (folder) => {
      fc.pre(path.resolve(folder) === folder);
      expect(expandPath("${workspaceFolder}/python", folder)).toBe(`${folder}/python`);
      expect(path.isAbsolute(expandPath("a/b", folder))).toBe(true);
    }),
  );
});

test("programs are told from paths", () => {
  expect(isPath("python3")).toBe(false);
  expect(isPath("./python3")).toBe(true);
  expect(isPath("C:\\Python\\python.exe")).toBe(true);
});
