import { expect, test } from "vitest";

import { isAlive } from "../../../../extension/src/server/lock";
import { run } from "../../../../extension/src/python/run";

const NODE = process.execPath;

test("gives the status, and the output of both streams", async () => {
  const lines: string[] = [];
  const script = "console.log('one'); console.error('zwei é'); process.exitCode = 3";
  const result = await run(NODE, ["-e", script], {
    timeoutMs: 240_000,
    onLine: (line) => lines.push(line),
  });
  expect(result).toEqual({ status: 3, stdout: "one\n", stderr: "zwei é\n", problem: undefined });
  expect(lines.sort()).toEqual(["one", "zwei é"]);
});

test("a program that is not there is a result, not an exception", async () => {
  const result = await run("/no/such/program", [], { timeoutMs: 240_000 });
  expect(result.status).toBeNull();
  expect(result.problem).toContain("ENOENT");

  const inAFile = await run(`${NODE}/python`, [], { timeoutMs: 240_000 });
  expect(inAFile.status).toBeNull();
  expect(inAFile.problem).toContain("ENOTDIR");
});

test.each(["exec cat /dev/zero", "exec yes"])("output without end: %s", async (script) => {
  const result = await run("sh", ["-c", script], { timeoutMs: 240_000 });
  expect(result.status).toBeNull();
  expect(result.problem).toBe("it wrote output without end");
});

// It starts a child that would run for long, and says both pids.
const FAMILY = ["-c", "sleep 1000 & echo $$; echo $!; wait"];

test("one that takes too long is ended, with its children", async () => {
  const result = await run("sh", FAMILY, { timeoutMs: 3_000 });
  expect(result.status).toBeNull();
  expect(result.problem).toBe("it took longer than 3 s");
  await expectGone(result.stdout.trim().split("\n").map(Number));
});

test("one that has left a child of another group behind is not waited for beyond its time", async () => {
  // Its own session, and its output is the one that is listened to.
  const result = await run("sh", ["-c", "setsid sleep 1000 & echo $!"], { timeoutMs: 2_000 });
  process.kill(Number(result.stdout));
  expect(result.problem).toBe("it took longer than 2 s");
});

test("cancelling ends it, with its children", async () => {
  const abort = new AbortController();
  const pids: number[] = [];
  const running = run("sh", FAMILY, {
    timeoutMs: 240_000,
    signal: abort.signal,
    onLine: (line) => {
      pids.push(Number(line));
      if (pids.length === 2) abort.abort(new Error("enough"));
    },
  });
  await expect(running).rejects.toThrow("enough");
  await expectGone(pids);
});

test("cancelled before it began, nothing is started", async () => {
  await expect(
    run(NODE, ["-e", ""], { timeoutMs: 1, signal: AbortSignal.abort(new Error("no")) }),
  ).rejects.toThrow("no");
});

async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.some(isAlive), { timeout: 240_000 }).toBe(false);
}
