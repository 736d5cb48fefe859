// How smoothly the timeline's page pans and zooms over a million events, in Chromium without a GPU:
// the page's own work in each frame, and the time from each frame to the next.
//
//     npx playwright test --project=bench

import { type Page, test } from "@playwright/test";

import { GeneratedProfile } from "../tests/extension/page/support/generatedProfile";
import { OpenTimeline } from "../tests/extension/page/support/openTimeline";
import { waitUntilDrawn } from "../tests/extension/page/support/pictures";

const EVENTS = 1_000_000;
const HELD_MS = 3_000;

interface Frames {
  workMs: number[];
  startsMs: number[];
}

declare global {
  var benchFrames: Frames;
}

/** Notes when each frame begins, and how long the page's part of it takes. */
function measureFrames(): void {
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

async function held(page: Page, keys: readonly string[]): Promise<Frames> {
  await page.evaluate(() => {
    globalThis.benchFrames = { workMs: [], startsMs: [] };
  });
  for (const key of keys) {
    await page.keyboard.down(key);
    await page.waitForTimeout(HELD_MS);
    await page.keyboard.up(key);
  }
  return page.evaluate(() => benchFrames);
}

function percentiles(values: readonly number[]): string {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (part: number): string =>
    (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)}   p95 ${at(0.95)}   max ${at(1)} ms`;
}

function report(what: string, { workMs, startsMs }: Frames): void {
  const intervalsMs = startsMs.slice(1).map((start, index) => start - (startsMs[index] ?? start));
  console.log(`${what}, ${workMs.length} frames`);
  console.log(`  work        ${percentiles(workMs)}`);
  console.log(`  next frame  ${percentiles(intervalsMs)}`);
}

test("pan and zoom", async ({ context }) => {
  const profile = new GeneratedProfile(EVENTS, { autogradThreads: 7 });
  const { directory, endNs } = profile.timeline;
  for (const [what, part] of [
    ["dense: a third of the run in sight", 1 / 3],
    ["near: a thousandth of it", 1 / 1000],
  ] as const) {
    const fromNs = endNs * 0.3;
    const view = { fromNs, toNs: fromNs + endNs * part, scrollTop: 0, event: null, collapsed: [] };
    const page = await context.newPage();
    await page.setViewportSize({ width: 1200, height: 600 });
    await page.addInitScript(measureFrames);
    const open = await OpenTimeline.open(page, profile, { state: [[directory, view]] });
    await waitUntilDrawn(open);
    await page.locator("canvas").focus();
    report(`pan, ${what}`, await held(page, ["d", "a"]));
    report(`zoom, ${what}`, await held(page, ["w", "s"]));
    await page.close();
  }
});
