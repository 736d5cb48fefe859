// How long frames of a page take: the page's own work in each, and the time to the next.
//
// The browser draws without regard to a screen's beat here, each frame as soon as the one before it
// is done: so the time from frame to frame is what a frame costs, with rastering and compositing. On
// a screen of 60 Hz it could not be told from 16.7 ms.

import { type Page, test as base } from "@playwright/test";

const UNTIMED = ["--disable-frame-rate-limit", "--disable-gpu-vsync"];

/** A test in a browser that waits for no screen. */
export const test = base.extend({
  launchOptions: [
    async ({ launchOptions }, use) => {
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...UNTIMED] });
    },
    { scope: "worker" },
  ],
});

export interface Frames {
  workMs: number[];
  startsMs: number[];
}

declare global {
  var benchFrames: Frames;
}

/** Notes when each frame begins, and how long the page's part of it takes: runs in the page. */
export function measureFrames(): void {
  globalThis.benchFrames = { workMs: [], startsMs: [] };
  const original = requestAnimationFrame;
  globalThis.requestAnimationFrame = (callback) =>
    original((nowMs) => {
      const beganMs = performance.now();
      callback(nowMs);
      benchFrames.workMs.push(performance.now() - beganMs);
      benchFrames.startsMs.push(beganMs);
    });
}

/** The frames while keys are held, one after another. */
export async function held(page: Page, keys: readonly string[], heldMs: number): Promise<Frames> {
  await page.evaluate(() => {
    globalThis.benchFrames = { workMs: [], startsMs: [] };
  });
  for (const key of keys) {
    await page.keyboard.down(key);
    await page.waitForTimeout(heldMs);
    await page.keyboard.up(key);
  }
  return page.evaluate(() => benchFrames);
}

/** The value that so much of them are no higher than. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
}

export function report(what: string, { workMs, startsMs }: Frames): void {
  const intervalsMs = startsMs.slice(1).map((start, index) => start - (startsMs[index] ?? start));
  console.log(`${what}, ${workMs.length} frames`);
  console.log(`  work        ${percentiles(workMs)}`);
  console.log(`  next frame  ${percentiles(intervalsMs)}`);
}

export function percentiles(values: readonly number[]): string {
  const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((part) =>
    percentile(values, part).toFixed(1),
  );
  return `p50 ${p50}   p95 ${p95}   p99 ${p99}   max ${most} ms`;
}
