import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { copySample, SAMPLE_ID, SCRIPT } from "../../../../extension/src/walkthrough/copySample";

let directory: string;
let carried: string;
let copy: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "sidelight-sample-"));
  carried = path.join(directory, "carried");
  copy = path.join(directory, "storage", "sample");
  mkdirSync(path.join(carried, "profile"), { recursive: true });
  writeFileSync(path.join(carried, SCRIPT), "import torch\n");
  writeFileSync(path.join(carried, "profile", "profile.json"), "{}");
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("the script comes with a store that has its profile", async () => {
  await copySample(carried, copy);
  expect(readFileSync(path.join(copy, SCRIPT), "utf8")).toBe("import torch\n");
  const profile = path.join(copy, ".sidelight/profiles", SAMPLE_ID);
  expect(existsSync(path.join(profile, "profile.json"))).toBe(true);
  expect([SAMPLE_ID, "20260101-120000-000-ab12"].sort()[0]).toBe(SAMPLE_ID);
});

test("what a person made of it stays", async () => {
  await copySample(carried, copy);
  writeFileSync(path.join(copy, SCRIPT), "edited");
  await copySample(carried, copy);
  expect(readFileSync(path.join(copy, SCRIPT), "utf8")).toBe("edited");
});

test("a copy that was cut short is made anew", async () => {
  mkdirSync(`${copy}.partial`, { recursive: true });
  writeFileSync(path.join(`${copy}.partial`, "rest"), "");
  await copySample(carried, copy);
  expect(existsSync(path.join(copy, "rest"))).toBe(false);
});
