// The timeline of 10,000,000 events on 64 tracks, with the real server behind the page, in Chromium
// without a GPU, all in one run: opening, windows over the wire, panning, zooming, memory.
//
//     npx playwright test --project=bench timeline_large

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, Page } from "@playwright/test";

import { OpenTimeline } from "../tests/extension/page/support/openTimeline";
import { waitUntilDrawn } from "../tests/extension/page/support/pictures";
import { RecordedProfile, startServer } from "../tests/extension/page/support/recordedProfile";
import { held, measureFrames, percentiles, report, test } from "./frames";

const EVENTS = process.env["SIDELIGHT_BENCH_EVENTS"] ?? "10000000";
const PYTHON = ".venv/bin/python";
const HELD_MS = 3_000;
const WINDOWS = 300;
const WINDOW_PX = 2_000;
/** As a profile is that was stored before anything was kept with it. */
const WITHOUT_KEPT = "with nothing kept beside its tables";
const VIEWS = [
  ["a third of the run in sight", 1 / 3],
  ["a thousandth of it", 1 / 1000],
] as const;

interface Paint {
  timelineMs: number;
  windowMs: number;
  firstMs: number;
}

declare global {
  var benchPaint: Paint;
}

/** Notes when the page is given a profile, and when its spans are first on screen. */
function measurePaint(): void {
  globalThis.benchPaint = { timelineMs: 0, windowMs: 0, firstMs: 0 };
  addEventListener("message", ({ data }: MessageEvent<{ readonly type?: string }>) => {
    if (data.type === "timeline") benchPaint.timelineMs ||= performance.now();
    if (data.type !== "window" || benchPaint.windowMs !== 0) return;
    benchPaint.windowMs = performance.now();
    // The page draws in the next frame; when the one after it begins, that is there to be seen.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        benchPaint.firstMs = performance.now();
      });
    });
  });
}

/** Notes the largest answer that a page is sent. */
function noticingPayload(profile: RecordedProfile): { bytes: number } {
  const largest = { bytes: 0 };
  const ask = profile.window.bind(profile);
  profile.window = async (...asked) => {
    const window = await ask(...asked);
    largest.bytes = Math.max(largest.bytes, JSON.stringify(window).length);
    return window;
  };
  return largest;
}

/**
 * Sends a page its answers as responses to it. A test's own way leaves some copies of each in the
 * page; the editor, as this, leaves one.
 */
async function sendAsResponses(open: OpenTimeline): Promise<void> {
  const bodies = new Map<string, string>();
  let sent = 0;
  await open.page.route("https://sidelight.test/answers/*", async (route) => {
    const key = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
    const body = bodies.get(key) ?? "null";
    bodies.delete(key);
    await route.fulfill({ contentType: "application/json", body });
  });
  open.send = async (message) => {
    const key = String((sent += 1));
    bodies.set(key, JSON.stringify(message));
    await open.page.evaluate(async (path) => {
      const answer = await fetch(path);
      window.postMessage(await answer.json(), "*");
    }, `https://sidelight.test/answers/${key}`);
  };
}

async function windowTimes(profile: RecordedProfile): Promise<number[]> {
  const { endNs } = profile.timeline;
  // The first one waits for the tables.
  await profile.window(1, 2, WINDOW_PX);
  const timesMs: number[] = [];
  for (let number = 0; number < WINDOWS; number += 1) {
    const lengthNs = Math.floor(endNs / 10 ** (number % 5));
    const fromNs = Math.floor(((number * 0.618_034) % 1) * (endNs - lengthNs));
    const beganMs = performance.now();
    await profile.window(fromNs, fromNs + lengthNs, WINDOW_PX);
    timesMs.push(performance.now() - beganMs);
  }
  return timesMs;
}

/** What a page's memory is, as it is left by use and without what it has done with. */
async function memory(browser: Browser, page: Page): Promise<string> {
  const used = await memoryNow(browser, page);
  const own = await page.context().newCDPSession(page);
  await own.send("HeapProfiler.collectGarbage");
  return `${used}; without garbage ${await memoryNow(browser, page)}`;
}

/** The memory that the largest of the browser's pages has for itself, and its share of JavaScript. */
async function memoryNow(browser: Browser, page: Page): Promise<string> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const privateBytes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => privateMemory(id));
  const own = await page.context().newCDPSession(page);
  await own.send("Performance.enable");
  const { metrics } = await own.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0;
  return `${megabytes(Math.max(...privateBytes))} private, of which JavaScript ${megabytes(heap)}`;
}

function privateMemory(id: number): number {
  const told = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
  const sizes = [...told.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)];
  return sizes.reduce((sum, [, kilobytes]) => sum + 1024 * Number(kilobytes), 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

test("ten million events", async ({ browser }) => {
  test.setTimeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), "sidelight-bench-"));
  const store = join(folder, ".sidelight");
  try {
    const made = ["bench/large_profile.py", store, "--events", EVENTS];
    const directory = execFileSync(PYTHON, made, { encoding: "utf8" }).trim();
    for (const time of ["for the first time", "again", WITHOUT_KEPT]) {
      if (time === WITHOUT_KEPT) rmSync(join(directory, "derived"), { recursive: true });
      const server = await startServer(folder);
      const beganMs = performance.now();
      const profile = await RecordedProfile.of(server, directory);
      const openedMs = performance.now() - beganMs;
      const page = await browser.newPage({ viewport: { width: 1200, height: 600 } });
      await page.addInitScript(measurePaint);
      const open = await OpenTimeline.open(page, profile);
      await page.waitForFunction(() => benchPaint.firstMs > 0, undefined, { timeout: 300_000 });
      const paint = await page.evaluate(() => benchPaint);
      const drawnMs = paint.firstMs - paint.timelineMs;
      console.log(`${profile.timeline.events} events on ${profile.timeline.tracks.length} tracks`);
      console.log(`first paint, opened ${time}: ${(openedMs + drawnMs).toFixed(0)} ms`);
      console.log(`  overview ${openedMs.toFixed(0)} ms, spans ${drawnMs.toFixed(0)} ms`);
      await waitUntilDrawn(open);
      await page.close();
      if (time === "again") await measureUse(browser, profile);
      await profile.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function measureUse(browser: Browser, profile: RecordedProfile): Promise<void> {
  const { directory, endNs } = profile.timeline;
  console.log(
    `windows of ${WINDOW_PX} px over the wire: ${percentiles(await windowTimes(profile))}`,
  );
  const largest = noticingPayload(profile);
  for (const [what, part] of VIEWS) {
    const fromNs = endNs * 0.3;
    const view = { fromNs, toNs: fromNs + endNs * part, scrollTop: 0, event: null, collapsed: [] };
    // The policy forbids the page to fetch anything, its answers too.
    const page = await browser.newPage({ viewport: { width: 1200, height: 600 }, bypassCSP: true });
    await page.addInitScript(measureFrames);
    const open = await OpenTimeline.open(page, profile, { state: [[directory, view]] });
    await sendAsResponses(open);
    await waitUntilDrawn(open);
    await page.locator("canvas").focus();
    report(`cold pan, ${what}`, await held(page, ["d", "a"], HELD_MS));
    await waitUntilDrawn(open);
    report(`warm pan, ${what}`, await held(page, ["d", "a"], HELD_MS));
    report(`cold zoom, ${what}`, await held(page, ["w", "s"], HELD_MS));
    console.log(`memory of the page: ${await memory(browser, page)}`);
    await page.close();
  }
  console.log(`largest answer: ${megabytes(largest.bytes)}`);
}
