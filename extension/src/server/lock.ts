// A lock between windows: a file that names its owner. It saves work and is no matter of life and
// death: two that slip through each make an environment of their own, and the last one counts.

import { rm, stat, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 300;
const REFRESH_MS = 10_000;
/** An owner that has not refreshed its lock for so long is gone (another machine's, say). */
const STALE_MS = 60_000;

interface Owner {
  readonly host: string;
  readonly pid: number;
}

/**
 * Does something while holding a lock.
 *
 * @param waiting Called once if another holds it.
 * @throws The signal's reason, if it is aborted while waiting.
 */
export async function withLock<Result>(
  file: string,
  signal: AbortSignal,
  waiting: () => void,
  action: () => Promise<Result>,
): Promise<Result> {
  let told = false;
  while (!(await acquire(file))) {
    if (!told) waiting();
    told = true;
    await delay(POLL_MS);
    signal.throwIfAborted();
  }
  const refresh = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, REFRESH_MS);
  try {
    return await action();
  } finally {
    clearInterval(refresh);
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<boolean> {
  const owner: Owner = { host: hostname(), pid: process.pid };
  try {
    await writeFile(file, JSON.stringify(owner), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (await isStale(file)) await rm(file, { force: true });
  return false;
}

async function isStale(file: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > STALE_MS) return true;
    const owner = JSON.parse(await readFile(file, "utf8")) as Partial<Owner>;
    return owner.host === hostname() && owner.pid !== undefined && !isAlive(owner.pid);
  } catch {
    // Released, or being written, just now: look again later.
    return false;
  }
}

/** Whether a process of this machine is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
