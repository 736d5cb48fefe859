import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { afterEach, expect, test } from "vitest";

import {
  endTree,
  grow,
  killTree,
  parsePsLine,
  parseStat,
  type ProcessRow,
} from "../../../../extension/src/profiling/processTree";
import { isAlive, waitFor } from "./waiting";

function row(pid: number, parent: number, group = pid, started = "1"): ProcessRow {
  return { pid, parent, group, started };
}

function pids(rows: readonly ProcessRow[]): number[] {
  return rows.map(({ pid }) => pid).sort((one, other) => one - other);
}

test("a tree holds children, whatever their group, and the group, whatever their parent", () => {
  const running = [row(1, 0), row(10, 1), row(11, 10), row(12, 11, 12), row(13, 1, 10), row(20, 1)];
  expect(pids(grow(new Map(), 10, running))).toEqual([10, 11, 12, 13]);
});

test("an orphan stays in the tree it came from", () => {
  const tree = new Map<number, ProcessRow>();
  grow(tree, 10, [row(10, 1), row(12, 10, 12)]);
  expect(pids(grow(tree, 10, [row(12, 1, 12), row(13, 12, 13)]))).toEqual([12, 13]);
});

test("a number that was given to another process is left alone", () => {
  const tree = new Map<number, ProcessRow>();
  grow(tree, 10, [row(10, 1), row(12, 10, 12, "early")]);
  expect(grow(tree, 10, [row(12, 1, 12, "late")])).toEqual([]);
});

test("the system's tables are read, strange names and ended processes too", () => {
  const stat = "42 (a) b (c)) S 7 8 9 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 98765 0 0";
  expect(parseStat(stat)).toEqual([row(42, 7, 8, "98765")]);
  expect(parseStat(stat.replace(" S ", " Z "))).toEqual([]);
  expect(parsePsLine("  42     7     8 Ss   Mon Nov 30 05:46:22 2026    ")).toEqual([
    row(42, 7, 8, "Mon Nov 30 05:46:22 2026"),
  ]);
  expect(parsePsLine("42 7 8 Z+ Mon Nov 30 05:46:22 2026")).toEqual([]);
  expect(parsePsLine("")).toEqual([]);
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) if (child.pid !== undefined) killTree(child.pid);
});

/** A shell whose child is in a group of its own and ignores SIGTERM; gives the child's pid. */
async function startStubborn(): Promise<[root: number, child: number]> {
  const script = `setsid sh -c 'trap "" TERM; echo $$; while :; do sleep 0.1; done' & wait`;
  const shell = spawn("sh", ["-c", script], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(shell);
  const [line] = (await once(createInterface({ input: shell.stdout }), "line")) as [string];
  return [shell.pid ?? 0, Number(line)];
}

test("all end, also what made a group of its own and does not listen", async () => {
  const [root, child] = await startStubborn();
  expect([isAlive(root), isAlive(child)]).toEqual([true, true]);
  await endTree(root, 200);
  expect([isAlive(root), isAlive(child)]).toEqual([false, false]);
});

test("all are killed at once", async () => {
  const [root, child] = await startStubborn();
  killTree(root);
  await waitFor(() => !isAlive(root) && !isAlive(child));
});
