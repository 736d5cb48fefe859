// What stands there where not all is as it should be, each with the next step; quantities and folded
// groups by keyboard; and no motion where it is unwelcome.

import { expect, type Page, test } from "@playwright/test";

import type { Timeline } from "../../../extension/src/protocol";
import { lengthNs } from "../../../extension/webview/timeline/model/range";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { viewOf, waitUntilDrawn } from "./support/pictures";
import { THEMES } from "./support/themes";

const EVENTS = 3_000;

test.use({ viewport: { width: 1100, height: 500 } });

/** The generated profile with some of it otherwise. */
function profileWith(changed: (timeline: Timeline) => Partial<Timeline>): GeneratedProfile {
  const profile = new GeneratedProfile(EVENTS);
  const timeline = { ...profile.timeline, ...changed(profile.timeline) };
  return Object.assign(Object.create(profile) as GeneratedProfile, { timeline });
}

function live(page: Page) {
  return page.locator("[aria-live]");
}

test("while it loads, that is said, and that the first time takes a while", async ({ page }) => {
  const profile = new GeneratedProfile(EVENTS);
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow = Object.assign(Object.create(profile) as GeneratedProfile, {
    timeline: profile.timeline,
    window: async (...asked: Parameters<GeneratedProfile["window"]>) => {
      await held;
      return profile.window(...asked);
    },
  });
  await OpenTimeline.open(page, slow);
  const status = page.getByRole("status");
  await expect(status).toHaveText("Loading… A large profile takes a while at first.");
  answer();
  await expect(status).toBeHidden();
});

test("where a device was there and has no row, what to do is said, until it is read", async ({
  page,
}) => {
  const message = "The device has no rows. Record it with activities=[PrivateUse1].";
  const profile = profileWith(({ tracks }) => ({
    tracks: tracks.filter(({ kind }) => kind === "host"),
    quality: [{ code: "no_device_rows", severity: "warning", message, count: 1 }],
  }));
  await waitUntilDrawn(await OpenTimeline.open(page, profile));
  const note = page.getByRole("note");
  await expect(note).toContainText(message);
  await note.getByRole("button", { name: "Close the note" }).click();
  await expect(note).toHaveCount(0);
});

test("nothing is said where the CPU is the device, or a device has rows", async ({ page }) => {
  const profile = profileWith(({ tracks }) => ({
    tracks: tracks.filter(({ kind }) => kind === "host"),
    quality: [{ code: "cpu_is_device", severity: "info", message: "The CPU.", count: 1 }],
  }));
  await waitUntilDrawn(await OpenTimeline.open(page, profile));
  await expect(page.getByRole("note")).toHaveCount(0);
});

test("a profile without any event says where its figures are", async ({ page }) => {
  const profile = profileWith(() => ({
    tracks: [],
    counters: [],
    steps: [],
    events: 0,
    quality: [],
  }));
  await OpenTimeline.open(page, profile);
  await expect(page.getByRole("note")).toContainText("to see a timeline, record it with a trace");
});

test("quantities and folded groups are come to by arrow keys, and said", async ({ page }) => {
  const open = await OpenTimeline.open(page, new GeneratedProfile(EVENTS));
  await page.getByRole("button", { name: "Device", exact: true }).click();
  await expect.poll(() => open.asked("getUtilisation").length).toBeGreaterThan(1);
  await waitUntilDrawn(open);
  await page.locator("canvas").focus();
  // The first row of spans, then up to the group above it, and along it.
  await page.keyboard.press("ArrowRight");
  await expect(live(page)).toContainText("MainThread 4711");
  await page.keyboard.press("ArrowUp");
  await expect(live(page)).toHaveText(/^Device, busy \d+(\.\d)?% at \d/);
  const first = await live(page).textContent();
  await page.keyboard.press("ArrowRight");
  await expect(live(page)).not.toHaveText(first ?? "");
  await expect(live(page)).toHaveText(/^Device, busy/);
  await page.keyboard.press("ArrowDown");
  await expect(live(page)).toContainText("MainThread 4711");
  // Down over all rows to the quantity below them, and no further.
  for (let row = 0; row < 8; row += 1) await page.keyboard.press("ArrowDown");
  await expect(live(page)).toHaveText(/^HBM, 1\.00 GB at \d.*, NeuronCore 0$/);
  await page.keyboard.press("ArrowUp");
  await expect(live(page)).toContainText("autograd thread");
  expect(open.complaints).toEqual([]);
});

test("where all is folded, arrow keys begin with the groups", async ({ page }) => {
  const open = await OpenTimeline.open(page, new GeneratedProfile(EVENTS));
  await page.getByRole("button", { name: "Device", exact: true }).click();
  await page.getByRole("button", { name: "Host", exact: true }).click();
  await expect.poll(() => open.asked("getUtilisation").at(-1)?.groups.length).toBe(2);
  await waitUntilDrawn(open);
  await page.locator("canvas").focus();
  await page.keyboard.press("ArrowDown");
  await expect(live(page)).toHaveText(/^Device, busy/);
  await page.keyboard.press("ArrowDown");
  await expect(live(page)).toHaveText(/^Host, busy/);
});

/** How many stretches of time were on screen so far, and in how many frames. */
function shown(page: Page): Promise<{ readonly views: number; readonly frames: number }> {
  return page.evaluate(() => {
    const { views, drawn } = globalThis as unknown as { views: Set<string>; drawn: number };
    return { views: views.size, frames: drawn };
  });
}

/** Who says whether motion is welcome. */
const MOTION = [
  { told: "the system wants none", reducedMotion: "reduce", editor: "" },
  { told: "the editor wants none", reducedMotion: "no-preference", editor: "vscode-reduce-motion" },
  { told: "it is welcome", reducedMotion: "no-preference", editor: "" },
] as const;

for (const { told, reducedMotion, editor } of MOTION) {
  test(`a held key zooms at once, or by and by: ${told}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion });
    const theme = { ...THEMES.dark, className: `${THEMES.dark.className} ${editor}` };
    await waitUntilDrawn(await OpenTimeline.open(page, new GeneratedProfile(EVENTS), { theme }));
    await page.evaluate(() => {
      const noted = Object.assign(globalThis, { views: new Set<string>(), drawn: 0 });
      const note = (): void => {
        noted.views.add(document.querySelector<HTMLElement>(".seen")?.style.width ?? "");
        noted.drawn += 1;
        requestAnimationFrame(note);
      };
      note();
    });
    await page.locator("canvas").focus();
    await page.keyboard.down("w");
    if (told !== "it is welcome") {
      await expect.poll(async () => (await shown(page)).views).toBe(2);
      const { frames } = await shown(page);
      await expect.poll(async () => (await shown(page)).frames).toBeGreaterThan(frames + 20);
      expect((await shown(page)).views).toBe(2);
    } else {
      await expect.poll(async () => (await shown(page)).views).toBeGreaterThan(4);
    }
    await page.keyboard.up("w");
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
}

test("what is gone to is shown at once where motion is unwelcome", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const profile = new GeneratedProfile(EVENTS);
  const { directory, endNs } = profile.timeline;
  const view = { fromNs: 0, toNs: endNs / 50, scrollTop: 0, event: null, collapsed: [] };
  const open = await OpenTimeline.open(page, profile, { state: [[directory, view]] });
  await waitUntilDrawn(open);
  const before = await page.locator(".seen").getAttribute("style");
  await page.evaluate(() => {
    const widths = new Set<string>();
    Object.assign(globalThis, { widths });
    const note = (): void => {
      widths.add(document.querySelector(".seen")?.getAttribute("style") ?? "");
      requestAnimationFrame(note);
    };
    note();
  });
  await page.getByRole("button", { name: /^Fit/ }).click();
  await expect.poll(() => lengthNs(viewOf(open))).toBeGreaterThan(endNs);
  const seen = await page.evaluate(() => [
    ...(globalThis as unknown as { widths: Set<string> }).widths,
  ]);
  expect(seen[0]).toBe(before);
  expect(seen).toHaveLength(2);
});
