import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { TraceMemory } from "../../../../extension/src/traces/traceMemory";
import { MapMemory } from "../mapMemory";

let directory: string;
let trace: string;
let profile: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "sidelight-traces-"));
  trace = path.join(directory, "a.pt.trace.json");
  profile = path.join(directory, "profile");
  writeFileSync(trace, "{}");
  mkdirSync(profile);
  writeFileSync(path.join(profile, "profile.json"), "{}");
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("a trace that was read is known by its profile", async () => {
  const memory = new MapMemory();
  await new TraceMemory(memory).remember(trace, null, profile);
  expect(await new TraceMemory(memory).profileOf(trace, null)).toBe(profile);
});

test("one that was not read, or was written again, is not", async () => {
  const traces = new TraceMemory(new MapMemory());
  expect(await traces.profileOf(trace, null)).toBeUndefined();
  await traces.remember(trace, null, profile);
  writeFileSync(trace, '{"traceEvents": []}');
  expect(await traces.profileOf(trace, null)).toBeUndefined();
});

test("one that was priced for something else is not", async () => {
  const traces = new TraceMemory(new MapMemory());
  const trn2 = { chip: "trn2", lnc: null, autoCast: "matmult" } as const;
  await traces.remember(trace, trn2, profile);
  expect(await traces.profileOf(trace, { ...trn2 })).toBe(profile);
  expect(await traces.profileOf(trace, null)).toBeUndefined();
  expect(await traces.profileOf(trace, { ...trn2, lnc: 1 })).toBeUndefined();
});

test("a folder is another one once a file in it was written again, added or removed", async () => {
  const session = path.join(directory, "session");
  const inner = path.join(session, "i-1_pid_7", "20261130");
  mkdirSync(inner, { recursive: true });
  const table = path.join(inner, "trace.json");
  writeFileSync(table, "{}");
  const traces = new TraceMemory(new MapMemory());
  await traces.remember(session, null, profile);
  expect(await traces.profileOf(session, null)).toBe(profile);
  writeFileSync(table, "{ }");
  expect(await traces.profileOf(session, null)).toBeUndefined();
  await traces.remember(session, null, profile);
  writeFileSync(path.join(inner, "empty.ntff"), "");
  expect(await traces.profileOf(session, null)).toBeUndefined();
});

test("a profile that was deleted is read again", async () => {
  const traces = new TraceMemory(new MapMemory());
  await traces.remember(trace, null, profile);
  rmSync(profile, { recursive: true });
  expect(await traces.profileOf(trace, null)).toBeUndefined();
});

test("only the last hundred are remembered", async () => {
  const memory = new MapMemory();
  const traces = new TraceMemory(memory);
  for (let number = 0; number < 103; number++) {
    const other = path.join(directory, `${number}.json`);
    writeFileSync(other, "{}");
    await traces.remember(other, null, profile);
  }
  expect([...memory.values.values()].flat()).toHaveLength(100);
});
