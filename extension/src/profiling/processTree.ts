// A process and everything it started, and how to end them all.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** A process that runs. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it started, in the system's own words: with the pid, it tells processes apart. */
  readonly started: string;
}

const POLL_MS = 50;
/** A process that even SIGKILL does not end for so long hangs in the kernel. */
const GIVE_UP_AFTER_MS = 5_000;

/**
 * Ends a process group's leader and all that came of it: also what made a group of its own.
 *
 * @param root The leader.
 * @param graceMs How long they may take to end by themselves after SIGTERM.
 */
export async function endTree(root: number, graceMs: number): Promise<void> {
  const tree = new Map<number, ProcessRow>();
  const told = new Set<number>();
  const startedMs = performance.now();
  for (;;) {
    const alive = grow(tree, root, listProcesses());
    const passedMs = performance.now() - startedMs;
    if (alive.length === 0 || passedMs > graceMs + GIVE_UP_AFTER_MS) return;
    for (const { pid } of alive) {
      if (passedMs >= graceMs) send(pid, "SIGKILL");
      else if (!told.has(pid)) send(pid, "SIGTERM");
      told.add(pid);
    }
    await delay(POLL_MS);
  }
}

/** The same at once: nothing of it is left when this returns. */
export function killTree(root: number): void {
  for (const { pid } of grow(new Map(), root, listProcesses())) send(pid, "SIGKILL");
}

/**
 * Those of the running processes that belong to the tree; `tree` learns the new ones.
 *
 * A process stays in the tree when its parent has ended, so that orphans are found, too.
 */
export function grow(
  tree: Map<number, ProcessRow>,
  root: number,
  running: readonly ProcessRow[],
): ProcessRow[] {
  const isKnown = (row: ProcessRow): boolean => tree.get(row.pid)?.started === row.started;
  const byParent = new Map<number, ProcessRow[]>();
  for (const row of running) byParent.set(row.parent, [...(byParent.get(row.parent) ?? []), row]);
  const pending = running.filter((row) => row.pid === root || row.group === root || isKnown(row));
  const found = new Map<number, ProcessRow>();
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    tree.set(row.pid, row);
    pending.push(...(byParent.get(row.pid) ?? []));
  }
  return [...found.values()];
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in the meantime.
  }
}

function listProcesses(): ProcessRow[] {
  return process.platform === "linux" ? fromProc() : fromPs();
}

function fromProc(): ProcessRow[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return parseStat(readFileSync(`/proc/${name}/stat`, "utf8"));
    } catch {
      return []; // It ended in the meantime.
    }
  });
}

/** A line of /proc/PID/stat; nothing for a process that has ended and waits to be asked how. */
export function parseStat(line: string): ProcessRow[] {
  // The name in parentheses may hold anything, parentheses too.
  const [state, parent, group, ...rest] = line.slice(line.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return [];
  const started = rest[16] ?? "";
  return [{ pid: parseInt(line), parent: Number(parent), group: Number(group), started }];
}

function fromPs(): ProcessRow[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,state=,lstart="], {
    encoding: "utf8",
  });
  return table.split("\n").flatMap(parsePsLine);
}

/** A line of `ps`: pid, parent, group, state, and when it started. */
export function parsePsLine(line: string): ProcessRow[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
  if (match === null) return [];
  const [, pid, parent, group, state, started = ""] = match;
  if (state?.startsWith("Z")) return [];
  return [{ pid: Number(pid), parent: Number(parent), group: Number(group), started }];
}
