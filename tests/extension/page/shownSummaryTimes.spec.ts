// Every time on the summary and on the idle tab has `≈` before it where the profile is predicted, and
// none where it is measured: what is written and drawn, what pointing shows, and what is read aloud.
// All of a tab is read, so that a new place on it needs no entry.

import { expect, type Page, test } from "@playwright/test";

import { type Kind, timesIn, wronglyMarked } from "../times";
import { COLLECTIVES, IDLE, MEMORY } from "./support/handMade";
import { changed, OpenAnalysis } from "./support/openAnalysis";
import { RecordedAnalysis } from "./support/recordedAnalysis";

const TARGETS = { predicted: ["fake", "--device", "trn2"], measured: ["cpu"] } as const;

test.use({ viewport: { width: 1100, height: 700 } });

for (const kind of ["predicted", "measured"] as const satisfies readonly Kind[]) {
  test(`times of a ${kind} profile`, async ({ page }) => {
    const verb = ["profile", "--target", ...TARGETS[kind], "examples/rmsnorm.py"];
    const recorded = await RecordedAnalysis.of(verb);
    const profile = changed(recorded, {
      collectives: COLLECTIVES === null ? null : { ...COLLECTIVES, time_kind: kind },
      memory: MEMORY,
      // On the CPU, which is the device there, nothing is told of idle time.
      ...(kind === "measured" ? { idle: IDLE } : {}),
    });
    const analysis = { ...profile.analysis, device: "trn2" };
    const open = await OpenAnalysis.open(page, { ...profile, analysis });
    const sliders = page.getByRole("slider");
    await expect(sliders).toHaveCount(3);
    let summary = await textsOfTab(page);
    for (const slider of await sliders.all()) {
      await slider.focus();
      await page.keyboard.press("End");
      await expect(page.locator(".tooltip:visible")).toHaveCount(1);
      summary += await textsOfTab(page);
    }
    expect(wronglyMarked(summary, kind)).toEqual([]);
    expect(timesIn(summary).length).toBeGreaterThan(40);
    await page.getByRole("tab", { name: "Idle" }).click();
    await expect(page.getByRole("heading", { name: "Longest stretches" })).toBeVisible();
    const idle = await textsOfTab(page);
    expect(wronglyMarked(idle, kind)).toEqual([]);
    expect(timesIn(idle).length).toBeGreaterThan(10);
    expect(open.complaints).toEqual([]);
  });
}

/** All text of the tab, with what stands in attributes for those who point or listen. */
async function textsOfTab(page: Page): Promise<string> {
  return await page.locator(".panel").evaluate((panel) => {
    const elements = [...panel.querySelectorAll("*")];
    const said = elements.flatMap((element) =>
      ["title", "aria-label", "aria-valuetext"].map((name) => element.getAttribute(name) ?? ""),
    );
    const texts = elements
      .filter((element) => element.childElementCount === 0)
      .map((element) => element.textContent);
    const mixed = [...panel.querySelectorAll("p")].map((element) => element.textContent);
    return [...said, ...texts, ...mixed].join("\n");
  });
}
