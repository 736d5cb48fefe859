// How smoothly the timeline's page pans and zooms over a million events, in Chromium without a GPU:
// the page's own work in each frame, and the time from each frame to the next.
//
//     npx playwright test --project=bench

import { GeneratedProfile } from "../tests/extension/page/support/generatedProfile";
import { OpenTimeline } from "../tests/extension/page/support/openTimeline";
import { waitUntilDrawn } from "../tests/extension/page/support/pictures";
import { held, measureFrames, report, test } from "./frames";

const EVENTS = 1_000_000;
const HELD_MS = 3_000;

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
    report(`pan, ${what}`, await held(page, ["d", "a"], HELD_MS));
    report(`zoom, ${what}`, await held(page, ["w", "s"], HELD_MS));
    await page.close();
  }
});
