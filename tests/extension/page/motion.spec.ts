// Nothing of the analysis moves by itself, so that who wants no motion has nothing to switch off.

import { expect } from "@playwright/test";

import { TAB_NAMES } from "../../../extension/webview/analysis/tabNames";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenAnalysis } from "./support/openAnalysis";
import { OpenTimeline } from "./support/openTimeline";
import { test } from "./support/rmsnormTest";

/** The selectors of style rules that let something move. */
function movingRules(): string[] {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const inner = rules.flatMap((rule) =>
    rule instanceof CSSGroupingRule ? [rule, ...rule.cssRules] : [rule],
  );
  const moves = ({ style }: CSSStyleRule): boolean =>
    [style.transition, style.animation].some((value) => value !== "" && value !== "none") ||
    style.scrollBehavior === "smooth";
  return inner
    .filter((rule): rule is CSSStyleRule => rule instanceof CSSStyleRule && moves(rule))
    .map(({ selectorText }) => selectorText);
}

test("style sheets let nothing move", async ({ page, profile }) => {
  await OpenAnalysis.open(page, profile);
  await expect(page.getByRole("tabpanel")).toBeVisible();
  expect(await page.evaluate(movingRules)).toEqual([]);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("@media screen { .moving { transition: width 1s; } }");
    const { cssRules } = sheet;
    Object.defineProperty(document, "styleSheets", { value: [{ cssRules }] });
  });
  expect(await page.evaluate(movingRules)).toEqual([".moving"]);
});

test("the timeline's neither", async ({ page }) => {
  await OpenTimeline.open(page, new GeneratedProfile(300));
  await expect(page.locator("canvas")).toBeVisible();
  expect(await page.evaluate(movingRules)).toEqual([]);
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`tabs, a flame graph's zoom and a roofline's dots, ${reducedMotion}`, async ({
    page,
    profile,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await OpenAnalysis.open(page, profile);
    for (const name of TAB_NAMES) {
      await page.locator(`#tab-${name}`).click();
      await expect(page.getByRole("tabpanel")).toBeVisible();
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    }
    await page.locator("#tab-roofline").click();
    await page.getByRole("application", { name: /^Roofline/u }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("tooltip")).toBeVisible();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await page.locator("#tab-flame").click();
    // The smallest frame fills the width before anything is drawn again.
    const widths = await page.getByRole("treeitem").evaluateAll((frames) => {
      const smallest = frames.reduce((one, other) =>
        one.clientWidth < other.clientWidth ? one : other,
      );
      const { number } = smallest.dataset;
      const whole = smallest.parentElement?.clientWidth;
      const before = smallest.clientWidth;
      smallest.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      const after = document.querySelector<HTMLElement>(`[data-number="${number ?? ""}"]`);
      return { before, after: after?.offsetWidth, whole };
    });
    expect(widths.before).toBeLessThan((widths.whole ?? 0) / 2);
    expect(widths.after).toBe(widths.whole);
  });
}
