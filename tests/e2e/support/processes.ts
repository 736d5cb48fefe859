// The processes of this machine.

import { execFileSync } from "node:child_process";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Whether a process runs; one that ended and was not yet collected does not. */
export function runs(pid: number): boolean {
  return running().some((process) => process.pid === pid);
}

/** The processes below another one whose command line holds a text. */
export function descendants(ancestor: number, text: string): number[] {
  const all = running();
  const below = new Set([ancestor]);
  // A process may stand before its parent, so it takes as many rounds as there are generations.
  for (let size = 0; size !== below.size;) {
    size = below.size;
    all.filter(({ parent }) => below.has(parent)).forEach(({ pid }) => below.add(pid));
  }
  return all
    .filter(({ pid, command }) => pid !== ancestor && below.has(pid) && command.includes(text))
    .map(({ pid }) => pid);
}

function running(): Process[] {
  const columns = ["-ww", "-A", "-o", "pid=,ppid=,stat=,args="];
  return execFileSync("ps", columns, { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+([^Z\s]\S*)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({
      pid: Number(match[1]),
      parent: Number(match[2]),
      command: match[4] ?? "",
    }));
}
