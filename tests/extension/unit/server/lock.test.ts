import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import * as path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { isAlive, withLock } from "../../../../extension/src/server/lock";

const NEVER = new AbortController().signal;

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "sidelight-lock-"));
  file = path.join(directory, "lock");
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test("one after the other, and those who wait are told once", async () => {
  let inside = 0;
  let most = 0;
  let waiting = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 20));
    inside -= 1;
  };
  const told = (): void => {
    waiting += 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock(file, NEVER, told, work)));
  expect(most).toBe(1);
  expect(waiting).toBe(2);
  expect(await readdir(directory)).toEqual([]);
});

test("is released when the work fails", async () => {
  const failing = withLock(file, NEVER, unexpected, () => Promise.reject(new Error("work")));
  await expect(failing).rejects.toThrow("work");
  expect(await readdir(directory)).toEqual([]);
});

test("a living owner's is respected, and waiting can be cancelled", async () => {
  await writeFile(file, JSON.stringify({ host: hostname(), pid: process.pid }));
  const abort = new AbortController();
  const waiting = (): void => {
    abort.abort(new Error("cancelled"));
  };
  await expect(withLock(file, abort.signal, waiting, unexpected)).rejects.toThrow("cancelled");
});

test("one of another machine is taken over when it was not refreshed for a minute", async () => {
  await writeFile(file, JSON.stringify({ host: "elsewhere", pid: 1 }));
  const long = new Date(Date.now() - 61_000);
  await utimes(file, long, long);
  expect(
    await withLock(
      file,
      NEVER,
      () => undefined,
      () => Promise.resolve("mine"),
    ),
  ).toBe("mine");
});

test("processes that are there are told from those that are not", () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 30)).toBe(false);
});

function unexpected(): never {
  throw new Error("must not be called");
}
