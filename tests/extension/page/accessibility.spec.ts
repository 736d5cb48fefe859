// What axe finds on the timeline's page: nothing, in every state it has and in every kind of theme.

import { expect, test } from "@playwright/test";

import { violations } from "./support/axe";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { waitUntilDrawn } from "./support/pictures";
import { THEMES } from "./support/themes";

test.use({ viewport: { width: 1300, height: 700 } });

for (const [name, theme] of Object.entries(THEMES)) {
  test(`nothing is in anybody's way, ${name}`, async ({ page }) => {
    const profile = new GeneratedProfile(3_000);
    const { directory, endNs } = profile.timeline;
    const fromNs = endNs / 2;
    const view = {
      ...{ fromNs, toNs: fromNs + 100_000, scrollTop: 0, event: null, collapsed: ["device"] },
    };
    const markers = [
      { name: "loss", atNs: fromNs + 22_000 },
      { name: "B", atNs: fromNs + 60_000 },
    ];
    const state = [[directory, view]];
    const open = await OpenTimeline.open(page, profile, { theme, state, markers });
    await waitUntilDrawn(open);
    expect(await violations(page), "at first").toEqual([]);
    await page.locator("canvas").focus();
    await page.keyboard.press("ArrowRight");
    const details = page.getByRole("complementary", { name: "Details" });
    await expect(details.getByText("Duration")).toBeVisible();
    expect(await violations(page), "details").toEqual([]);
    await page.keyboard.press("r");
    const area = page.getByRole("complementary", { name: "Selected area" });
    await expect(area.getByText("By operator")).toBeVisible();
    expect(await violations(page), "area").toEqual([]);
    for (const opener of ["Markers", "Save a picture", "Data quality", "Colours and keys"]) {
      await page.getByRole("toolbar").getByRole("button", { name: opener }).click();
      expect(await violations(page), opener).toEqual([]);
    }
  });

  test(`the empty state is in nobody's way, ${name}`, async ({ page }) => {
    await OpenTimeline.open(page, undefined, { theme });
    await expect(page.getByRole("heading")).toHaveText("No timeline yet");
    expect(await violations(page)).toEqual([]);
  });
}

test("what is in the way is found", async ({ page }) => {
  await OpenTimeline.open(page, undefined);
  await page.evaluate(() => {
    document.querySelector("h1")?.append(document.createElement("button"));
  });
  expect(await violations(page)).toContainEqual(expect.stringContaining("button-name"));
});
