// Why the device is idle: causes, lines and stretches, in the command line's figures.

import { expect, type Locator, type Page } from "@playwright/test";

import { share } from "../../../extension/webview/units";
import { violations } from "./support/axe";
import { IDLE } from "./support/handMade";
import { changed, OpenAnalysis } from "./support/openAnalysis";
import { test } from "./support/rmsnormTest";
import { THEMES } from "./support/themes";

test.use({ viewport: { width: 1300, height: 900 } });

const STATE = { state: "idle" };

function part(page: Page, title: string): Locator {
  return page.getByRole("region", { name: title, exact: true });
}

test("causes have the command line's names and shares", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, profile, STATE);
  const { idle } = profile.printed;
  const rows = part(page, "Idle time").locator("tbody tr");
  await expect(rows).toHaveCount(idle?.causes.length ?? -1);
  const printed = profile.printedText.split("\n");
  for (const [index, row] of (await rows.all()).entries()) {
    const [name = "", aStep = "", , ofIdle = "", ofSpan = ""] = await row
      .locator("th, td")
      .allInnerTexts();
    expect(printed.some((line) => line.includes(name) && line.includes(ofIdle))).toBe(true);
    const { duration_ns: causeNs = 0, cause } = idle?.causes[index] ?? {};
    expect(ofSpan).toBe(`≈${share(causeNs, idle?.span_ns ?? 0)}`);
    if (index > 0 || cause === undefined) continue;
    if (idle?.causes.length === 1) {
      expect(profile.printedText).toContain(`Why the device was idle for ${aStep} a step`);
    }
  }
  expect(open.complaints).toEqual([]);
});

test("a line with idle time leads to its source and to the timeline", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, profile, STATE);
  const place = profile.printed.idle?.causes[0]?.lines[0];
  const first = page.locator("section.cause").first();
  await first.locator("tbody tr").first().locator("button.place").first().click();
  await first
    .getByRole("button", { name: /^Show in timeline/u })
    .first()
    .click();
  const { directory } = profile.analysis;
  const told = { directory, file: place?.file, line: place?.line };
  await expect.poll(() => open.asked("goToLine")).toEqual([{ type: "goToLine", ...told }]);
  await expect.poll(() => open.asked("showOnTimeline")).toHaveLength(1);
  expect(open.asked("showOnTimeline")).toEqual([{ type: "showOnTimeline", ...told }]);
});

test("the longest stretches lead to their time, and more are shown when asked for", async ({
  page,
  profile,
}) => {
  const open = await OpenAnalysis.open(page, profile, STATE);
  const section = part(page, "Longest stretches");
  const longest = profile.printed.idle?.longest ?? [];
  await expect(section.locator("tbody tr")).toHaveCount(10);
  const rest = longest.length - 10;
  await section.getByRole("button", { name: `Show ${String(rest)} more` }).click();
  await expect(section.locator("tbody tr")).toHaveCount(longest.length);
  // The keyboard goes on at what has come.
  await expect(section.locator("tbody tr").nth(10).getByRole("button").first()).toBeFocused();
  await section
    .getByRole("button", { name: /^Show in timeline/u })
    .last()
    .click();
  const { start_ns: fromNs = 0, duration_ns: durationNs = 0 } = longest.at(-1) ?? {};
  const { directory } = profile.analysis;
  await expect
    .poll(() => open.asked("showRange"))
    .toEqual([{ type: "showRange", directory, fromNs, toNs: fromNs + durationNs }]);
});

test("causes, evidence and waiting are told as they are", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, changed(profile, { idle: IDLE }), STATE);
  const whole = part(page, "Idle time");
  await expect(whole).toContainText(
    "The device has nothing to do for 1.80 µs a step: 36.0% of the 10.0 µs from its first work to " +
      "its last, in 3 gaps.",
  );
  await expect(whole).toContainText("Besides, 400 ns lie between the steps.");
  await expect(whole.getByRole("img")).toHaveAccessibleName(
    "Idle time by cause: the host launched late 2.70 µs · 75.0%, not known 900 ns · 25.0%",
  );
  await expect(part(page, "The host launched late")).toContainText("<img src=x onerror=alert(1)>");
  expect(await page.locator("img").count()).toBe(0);
  // No line, and so nothing to go to.
  await expect(part(page, "Not known").getByRole("button")).toHaveCount(0);
  await expect(part(page, "Busy, but nothing computes")).toContainText(
    "For 750 ns a step the device is busy, and nothing computes: 25.0% of the time that it is busy.",
  );
  expect(open.complaints).toEqual([]);
});

test("without idle time the next step is said", async ({ page, profile }) => {
  await OpenAnalysis.open(page, changed(profile, { idle: null }), STATE);
  await expect(part(page, "Idle time")).toContainText("Profile a script on Trainium");
});

test("a CPU, which is host and device in one, waits for nobody", async ({ page, profile }) => {
  if (IDLE === null) throw new Error("There is no idle time.");
  const [first] = IDLE.causes.map((each) => ({ ...each, cause: "between_operators" as const }));
  const causes = first === undefined ? [] : [first];
  const made = changed(profile, { idle: { ...IDLE, causes, longest: [] } });
  const ofCpu = { ...made, analysis: { ...made.analysis, device: "cpu" } };
  await OpenAnalysis.open(page, ofCpu, STATE);
  const whole = part(page, "Between operators");
  await expect(whole).toContainText("No operator runs for 1.80 µs a step");
  await expect(whole).toContainText("from the first operator to the last");
  await expect(whole).toContainText("The CPU is the device here: host and device are one");
  await expect(part(page, "The program itself")).toBeVisible();
  await expect(page.locator(".idle")).not.toContainText("launched late");
});

for (const [name, theme] of Object.entries(THEMES)) {
  for (const width of [1300, 320]) {
    test(`nothing is in anybody's way, ${name}, ${String(width)} px`, async ({ page, profile }) => {
      await page.setViewportSize({ width, height: 900 });
      await OpenAnalysis.open(page, changed(profile, { idle: IDLE }), { ...STATE, theme });
      await expect(part(page, "Longest stretches")).toBeVisible();
      expect(await violations(page)).toEqual([]);
      const panel = page.locator(".panel");
      expect(await panel.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    });
  }
}
