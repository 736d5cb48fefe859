// What a timeline keeps in order as people go on with it: the keyboard's place among markers, how near
// the view is, the way to try again, and nothing of a profile that is left.

import { expect, type Page, test } from "@playwright/test";

import { lengthNs } from "../../../extension/webview/timeline/model/range";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { viewOf, waitUntilDrawn } from "./support/pictures";

const EVENTS = 3_000;
const PROFILE = new GeneratedProfile(EVENTS);
const { directory } = PROFILE.timeline;

test.use({ viewport: { width: 1100, height: 500 } });

async function openMarkers(page: Page, markers: OpenTimeline["markers"]) {
  const open = await OpenTimeline.open(page, PROFILE, { markers });
  await waitUntilDrawn(open);
  await page.getByRole("button", { name: "Markers", exact: true }).click();
  const list = page.getByRole("region", { name: "Markers" });
  await expect(list.getByRole("listitem")).toHaveCount(markers.length);
  return { open, list };
}

test("the keyboard stays where it is as markers are named, set elsewhere and removed", async ({
  page,
}) => {
  const { open, list } = await openMarkers(page, [
    { name: "first", atNs: 1_000 },
    { name: "second", atNs: 2_000 },
  ]);
  // Named, and on to the next control.
  await list.getByLabel("Name of marker first").fill("start");
  await page.keyboard.press("Tab");
  await expect(list.getByTitle("Go to marker start")).toBeFocused();
  await expect.poll(() => open.markers.map(({ name }) => name)).toEqual(["start", "second"]);
  // Half typed as another window sets one before it.
  const second = list.getByLabel("Name of marker second");
  await second.fill("sec");
  open.markers = [{ name: "theirs", atNs: 5 }, ...open.markers];
  await open.send({ type: "markersChanged", directory });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await expect(second).toBeFocused();
  await expect(second).toHaveValue("sec");
  // Without a name it keeps the one it has.
  await second.fill(" ");
  await second.press("Enter");
  await expect(second).toHaveValue("second");
  // One after the other is removed, and the keyboard is at the next.
  await list.getByRole("button", { name: "Remove marker start" }).focus();
  await page.keyboard.press("Enter");
  await expect(list.getByRole("button", { name: "Remove marker second" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(list.getByRole("button", { name: "Remove marker theirs" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(list.getByRole("button", { name: "Add a marker (M)" })).toBeFocused();
  await expect.poll(() => open.markers).toEqual([]);
  expect(open.complaints).toEqual([]);
});

test("the start and the end are gone to, on the strip too, as near as before", async ({ page }) => {
  const { startNs, endNs } = PROFILE.timeline;
  const middleNs = (startNs + endNs) / 2;
  const view = { fromNs: middleNs, toNs: middleNs + 100_003, scrollTop: 0, event: null };
  const state = [[directory, { ...view, collapsed: [] }]];
  const open = await OpenTimeline.open(page, PROFILE, { state });
  await waitUntilDrawn(open);
  for (const place of [page.locator("canvas"), page.getByRole("scrollbar")]) {
    await place.focus();
    await page.keyboard.press("End");
    await expect.poll(() => viewOf(open).toNs).toBeGreaterThan(endNs);
    expect(lengthNs(viewOf(open))).toBeCloseTo(100_003, 3);
    await page.keyboard.press("Home");
    await expect.poll(() => viewOf(open).fromNs).toBeLessThan(startNs);
    expect(lengthNs(viewOf(open))).toBeCloseTo(100_003, 3);
  }
});

test("why quantities are not there is said, and they are asked for again", async ({ page }) => {
  const why = "The profile is being written. Try again in a moment.";
  let isWritten = false;
  const failing = Object.assign(Object.create(PROFILE) as GeneratedProfile, {
    timeline: PROFILE.timeline,
    counters: (...asked: Parameters<GeneratedProfile["counters"]>) => {
      if (!isWritten) throw new Error(why);
      return PROFILE.counters(...asked);
    },
  });
  const open = await OpenTimeline.open(page, failing);
  const status = page.getByRole("status");
  await expect(status).toContainText(why);
  isWritten = true;
  const before = open.asked("getCounters").length;
  await status.getByRole("button", { name: "Try Again" }).click();
  await expect(status).toBeHidden();
  expect(open.asked("getCounters").length).toBeGreaterThan(before);
});

test("nothing listens for a profile that is shown no more", async ({ page }) => {
  await page.addInitScript(() => {
    const listeners = new Set<unknown>();
    Object.assign(globalThis, { listeners });
    const [add, remove] = [
      document.addEventListener.bind(document),
      document.removeEventListener.bind(document),
    ];
    document.addEventListener = (...given: Parameters<typeof add>) => {
      listeners.add(given[1]);
      add(...given);
    };
    document.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners.delete(given[1]);
      remove(...given);
    };
  });
  const open = await OpenTimeline.open(page, PROFILE);
  await waitUntilDrawn(open);
  const listening = () =>
    page.evaluate(() => (globalThis as unknown as { listeners: Set<unknown> }).listeners.size);
  const before = await listening();
  for (let time = 0; time < 3; time += 1) {
    await open.send({ type: "timeline", timeline: PROFILE.timeline, message: "" });
    await waitUntilDrawn(open);
  }
  expect(await listening()).toBe(before);
});
