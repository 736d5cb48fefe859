// Waiting for what other processes do.

import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const TIMEOUT_MS = 240_000;

/** Waits until something is so; fails, with what was waited for, if it never is. */
export async function waitFor(isSo: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while (!isSo()) {
    if (performance.now() > deadlineMs) throw new Error(`it never became so: ${isSo.toString()}`);
    await delay(20);
  }
}

/** Whether a process runs; one that has ended and waits to be asked how does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return (
      process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
    );
  } catch {
    return false;
  }
}
