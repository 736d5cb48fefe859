// Where a recording ends, and what is too small to be drawn.

import { expect, test } from "@playwright/test";

import { lengthNs } from "../../../extension/webview/timeline/model/range";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { viewOf, waitUntilDrawn } from "./support/pictures";

const EVENTS = 3_000;
/** So many that from afar short ones are merged with longer neighbours, which stand for them. */
const MANY_EVENTS = 300_000;

test.use({ viewport: { width: 1100, height: 500 } });

test("an area ends where the recording does, though the view goes beyond", async ({ page }) => {
  const profile = new GeneratedProfile(EVENTS);
  const open = await OpenTimeline.open(page, profile);
  await page.locator("canvas").focus();
  await page.keyboard.press("0");
  await waitUntilDrawn(open);
  await expect.poll(() => viewOf(open).fromNs).toBeLessThan(profile.timeline.startNs);
  await page.keyboard.press("r");
  const area = page.getByRole("complementary", { name: "Selected area" });
  await expect(area).toContainText("Device time");
  const { startNs, endNs } = profile.timeline;
  expect(open.asked("getArea")).toMatchObject([{ fromNs: startNs, toNs: endNs }]);
});

test("an event too small to be drawn is zoomed to, and marked, where it is", async ({ page }) => {
  const profile = new GeneratedProfile(MANY_EVENTS);
  const open = await OpenTimeline.open(page, profile);
  await waitUntilDrawn(open);
  await page.getByRole("searchbox").fill("nrt_copy");
  // The first ones are merged with longer neighbours, which stand for them.
  await page.keyboard.press("Enter");
  await expect.poll(() => open.asked("getDetails")).toHaveLength(1);
  const event = open.asked("getDetails")[0]?.event ?? NaN;
  const { startNs, durationNs } = profile.details(event);
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details.getByRole("heading", { level: 2 })).toHaveText("nrt_copy");
  await page.locator("canvas").focus();
  await page.keyboard.press("m");
  await expect.poll(() => viewOf(open).markers).toMatchObject([{ atNs: startNs }]);
  await page.keyboard.press("f");
  await expect.poll(() => lengthNs(viewOf(open))).toBeLessThan(2 * durationNs);
  expect(viewOf(open).fromNs).toBeLessThan(startNs);
  expect(viewOf(open).toNs).toBeGreaterThan(startNs + durationNs);
});

test("tracks whose names begin alike are told apart by how they end", async ({ page }) => {
  const profile = new GeneratedProfile(EVENTS);
  const ends = ["Tensor Engine", "Vector Engine"];
  const tracks = profile.timeline.tracks.map((track, index) => {
    const end = ends[index];
    return end === undefined ? track : { ...track, name: `NeuronCore 2, physical core 0: ${end}` };
  });
  Object.assign(profile.timeline, { tracks });
  await OpenTimeline.open(page, profile);
  const gutter = await page.locator(".gutter").boundingBox();
  const right = (gutter?.x ?? NaN) + (gutter?.width ?? NaN);
  for (const end of ends) {
    const name = page.locator(".gutter").getByText(end, { exact: true });
    const [shown, whole] = await name.evaluate((span) => {
      const text = document.createRange();
      text.selectNodeContents(span);
      return [span, text].map((each) => each.getBoundingClientRect().width);
    });
    expect(shown).toBeGreaterThanOrEqual(whole ?? NaN);
    const box = await name.boundingBox();
    expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(right);
  }
});

test("an area takes the details' place where both would leave little of the tracks", async ({
  page,
}) => {
  const open = await OpenTimeline.open(page, new GeneratedProfile(EVENTS));
  await waitUntilDrawn(open);
  await page.locator("canvas").focus();
  await page.keyboard.press("ArrowRight");
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details).toBeVisible();
  await page.keyboard.press("r");
  const area = page.getByRole("complementary", { name: "Selected area" });
  await expect(area).toBeVisible();
  await expect(details).toBeHidden();
  await page.setViewportSize({ width: 1400, height: 500 });
  await expect(details).toBeVisible();
  await page.setViewportSize({ width: 1100, height: 500 });
  await page.keyboard.press("Escape");
  await expect(area).toBeHidden();
  await expect(details).toBeVisible();
});
