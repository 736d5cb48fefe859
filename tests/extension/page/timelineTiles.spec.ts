// What is drawn once and moved is the picture that would be drawn anew.

import { createHash } from "node:crypto";

import { type Browser, expect, type Page, test } from "@playwright/test";

import type { SavedView } from "../../../extension/webview/timeline/model/savedViews";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { pixelAt, spanIn, viewOf, waitUntilDrawn } from "./support/pictures";
import { THEMES } from "./support/themes";

/** So few that none are merged: what is merged depends on where a window begins. */
const EVENTS = 600;
const MANY_EVENTS = 30_000;
const SIZE = { width: 1100, height: 420 };

test.use({ viewport: SIZE });

/** What stands for the canvas as it is, pixel by pixel. */
async function picture(page: Page): Promise<string> {
  const canvas = page.locator("canvas");
  const png = await canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());
  return createHash("sha256").update(png).digest("hex");
}

function viewOfPart(profile: GeneratedProfile, part: number, scrollTop = 0): SavedView {
  const { endNs } = profile.timeline;
  const fromNs = 0.4 * endNs;
  return { fromNs, toNs: fromNs + endNs * part, scrollTop, event: null, collapsed: [] };
}

async function opened(page: Page, view: SavedView, profile = new GeneratedProfile(EVENTS)) {
  const { directory } = profile.timeline;
  const open = await OpenTimeline.open(page, profile, { state: [[directory, view]] });
  await waitUntilDrawn(open);
  return open;
}

/** The picture of a view in a page that has shown nothing else. */
async function freshPicture(browser: Browser, view: SavedView, ratio: number): Promise<string> {
  const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: ratio });
  await opened(page, view);
  const drawn = await picture(page);
  await page.close();
  return drawn;
}

/** How many rectangles were filled since this was asked last. */
function rectangles(page: Page): Promise<number> {
  return page.evaluate(() => {
    const counted = globalThis as unknown as { filled: number };
    const { filled } = counted;
    counted.filled = 0;
    return filled;
  });
}

async function countRectangles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // Called on its own context below.
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const fill = CanvasRenderingContext2D.prototype.fillRect;
    const counted = globalThis as unknown as { filled: number };
    counted.filled = 0;
    CanvasRenderingContext2D.prototype.fillRect = function (...box) {
      counted.filled += 1;
      fill.apply(this, box);
    };
  });
}

for (const ratio of [1, 1.5, 2]) {
  for (const part of [1 / 3, 1 / 20]) {
    test(`a moved picture is the one drawn anew, ${ratio} px a px, ${part}`, async ({
      browser,
    }) => {
      const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: ratio });
      const profile = new GeneratedProfile(EVENTS);
      const open = await opened(page, viewOfPart(profile, part), profile);
      const before = await picture(page);
      // By odd distances, over the edges of tiles, and back over what was drawn.
      await page.mouse.move(600, 200);
      await page.keyboard.down("Shift");
      for (const px of [333, 471, -95, 7]) await page.mouse.wheel(0, px);
      await page.keyboard.up("Shift");
      await expect
        .poll(() => viewOf(open).fromNs)
        .toBeGreaterThan(viewOfPart(profile, part).fromNs);
      await waitUntilDrawn(open);
      const moved = await picture(page);
      expect(moved).not.toBe(before);
      expect(moved).toBe(await freshPicture(browser, viewOf(open), ratio));
      await page.close();
    });
  }
}

test("a scrolled picture is the one drawn anew", async ({ page, browser }) => {
  await page.setViewportSize({ width: 1100, height: 180 });
  const profile = new GeneratedProfile(EVENTS);
  const open = await opened(page, viewOfPart(profile, 1 / 20), profile);
  await page.mouse.move(600, 140);
  await page.mouse.wheel(0, 37);
  await expect.poll(() => viewOf(open).scrollTop).toBe(37);
  await page.setViewportSize(SIZE);
  await page.setViewportSize({ width: 1100, height: 180 });
  await waitUntilDrawn(open);
  const fresh = await browser.newPage({ viewport: { width: 1100, height: 180 } });
  await opened(fresh, viewOf(open));
  expect(await picture(page)).toBe(await picture(fresh));
  await fresh.close();
});

test("a theme, a fold and a zoom leave nothing behind", async ({ page, browser }) => {
  const profile = new GeneratedProfile(EVENTS);
  const open = await opened(page, viewOfPart(profile, 1 / 20), profile);
  await open.useTheme(THEMES.light);
  await page.getByRole("button", { name: "MainThread 4711" }).click();
  await page.mouse.move(600, 200);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 30);
  await page.keyboard.up("Control");
  await expect.poll(() => viewOf(open).collapsed).toEqual(["track:7"]);
  await page.mouse.move(600, 5);
  await waitUntilDrawn(open);
  const other = await browser.newPage({ viewport: SIZE });
  const fresh = await OpenTimeline.open(other, profile, {
    state: [[profile.timeline.directory, viewOf(open)]],
    theme: THEMES.light,
  });
  await waitUntilDrawn(fresh);
  expect(await picture(page)).toBe(await picture(other));
  await other.close();
});

test("the pointer draws no span anew, and a small move few", async ({ page }) => {
  await countRectangles(page);
  const profile = new GeneratedProfile(MANY_EVENTS);
  const open = await opened(page, viewOfPart(profile, 1 / 3), profile);
  const whole = await rectangles(page);
  expect(whole).toBeGreaterThan(1_000);
  const span = spanIn(open, { track: 7, depth: 0 });
  const canvas = await page.locator("canvas").boundingBox();
  const [x, y] = [(canvas?.x ?? 0) + span.left + 1, (canvas?.y ?? 0) + span.y];
  await page.mouse.move(x, y);
  await expect(page.getByRole("tooltip")).toBeVisible();
  await page.mouse.move(x + 1, y);
  await page.mouse.move(x + 2, y);
  // The ruler and its steps.
  expect(await rectangles(page)).toBeLessThan(300);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, 3);
  await page.keyboard.up("Shift");
  await expect.poll(() => viewOf(open).fromNs).toBeGreaterThan(0.4 * viewOf(open).toNs * 0.5);
  await waitUntilDrawn(open);
  expect(await rectangles(page)).toBeLessThan(whole / 2);
});

test("what was found before is not shown while other things are looked for", async ({ page }) => {
  const profile = new GeneratedProfile(EVENTS);
  const waiting = new Promise<never>(() => undefined);
  const slow = Object.assign(Object.create(profile) as GeneratedProfile, {
    window: (...asked: Parameters<GeneratedProfile["window"]>) =>
      asked[3]?.text === "aten" ? waiting : profile.window(...asked),
  });
  const open = await opened(page, viewOfPart(profile, 1 / 20), slow);
  const { left, y, name } = spanIn(open, { track: 0, depth: 0 });
  const inside = { x: left + 2, y };
  const bright = await pixelAt(page, inside);
  await page.getByRole("searchbox").fill("nothing has this name");
  await expect.poll(() => pixelAt(page, inside)).not.toEqual(bright);
  const pale = await pixelAt(page, inside);
  await page.getByRole("searchbox").fill(name);
  await expect.poll(() => pixelAt(page, inside)).toEqual(bright);
  await page.getByRole("searchbox").fill("aten");
  await expect.poll(() => open.asked("getWindow").at(-1)?.find?.text).toBe("aten");
  await expect.poll(() => pixelAt(page, inside)).toEqual(pale);
});
