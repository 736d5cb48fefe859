// The roofline's tab: its numbers, its dots by pointer and keyboard, and what moved since a baseline.

import { readFileSync } from "node:fs";

import { expect, type Locator, type Page } from "@playwright/test";
import type { AxeResults } from "axe-core";

import type {
  Overview,
  RooflineChange,
  RooflineChart,
  RooflineDot,
  RooflinePair,
} from "../../../extension/src/documents";
import { duration, flops, ratio, share, size } from "../../../extension/webview/units";
import { timesIn, wronglyMarked } from "../times";
import { type AnalysisAnswers, changed, OpenAnalysis } from "./support/openAnalysis";
import { RecordedAnalysis } from "./support/recordedAnalysis";
import { test } from "./support/rmsnormTest";
import { THEMES } from "./support/themes";

// Tests run from the top of the checkout.
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const STATE = { state: "roofline" };

test.use({ viewport: { width: 1300, height: 900 } });

function chartOf(profile: RecordedAnalysis): RooflineChart {
  const { roofline } = profile.printed;
  if (roofline === null) throw new Error("The profile has no roofline.");
  return roofline;
}

function tabOf(page: Page): Locator {
  return page.getByRole("tabpanel", { name: "Roofline" });
}

function stageOf(page: Page): Locator {
  return page.getByRole("application", { name: /^Roofline/u });
}

/** What a person reads of a dot of a predicted profile. */
function told(dot: RooflineDot, profile: RecordedAnalysis): readonly string[] {
  const { steps } = profile.analysis;
  return [
    duration(dot.device_ns / steps, true),
    share(dot.device_ns, chartOf(profile).device_ns),
    flops(Math.round((dot.flops ?? 0) / steps)),
    size(Math.round((dot.hbm_bytes ?? 0) / steps)),
    ratio(dot.intensity ?? 0),
    `≈${flops(Math.round(dot.achieved_flops_per_s ?? 0))}/s`,
    `${flops(Math.round(dot.attainable_flops_per_s ?? 0))}/s`,
    `${ratio(dot.times_faster_at_roof ?? 0, true)}x`,
    dot.bound ?? "–",
    dot.dtype ?? "–",
    dot.attribution,
  ];
}

/** A change as the server tells it: before, every second dot took twice as long; the first is new. */
function movedSince({ printed, analysis }: RecordedAnalysis): RooflineChange {
  const chart = printed.roofline;
  if (chart === null) throw new Error("The profile has no roofline.");
  const pairOf = (dot: RooflineDot, index: number): RooflinePair => {
    if (index === 0) return { match: "added", base: null, new: dot, device_ns: null };
    const times = index % 2 === 0 ? 2 : 1;
    const rate = (dot.achieved_flops_per_s ?? 0) / times;
    const before = { ...dot, device_ns: times * dot.device_ns, achieved_flops_per_s: rate };
    const difference = (dot.device_ns * (1 - times)) / analysis.steps;
    const change = { difference, ratio: 1 / times };
    return { match: "same", base: before, new: dot, device_ns: change };
  };
  const side = { steps: analysis.steps, device_ns: chart.device_ns, core: "trn1" };
  return {
    base: { ...side, name: "before" },
    new: { ...side, name: analysis.name },
    change_kind: "predicted",
    whole: null,
    operators: chart.operators.dots.map(pairOf),
    lines: chart.lines.dots.map(pairOf),
    modules: chart.modules.dots.map(pairOf),
    remarks: ["The baseline is held against other roofs."],
    quality: [],
  };
}

/** The profile, with that change to be chosen. */
function compared(profile: RecordedAnalysis): AnalysisAnswers {
  return { analysis: profile.analysis, changeJson: JSON.stringify(movedSince(profile)) };
}

test("the table has the command line's numbers, and leads to lines and timeline", async ({
  page,
  profile,
}) => {
  const open = await OpenAnalysis.open(page, profile, STATE);
  const { dots } = chartOf(profile).lines;
  const rows = tabOf(page).getByRole("table", { name: "Lines by device time" }).locator("tbody tr");
  await expect(rows).toHaveCount(dots.length);
  for (const [index, dot] of dots.entries()) {
    const cells = await rows.nth(index).locator("th, td").allTextContents();
    expect(cells.slice(0, 12)).toEqual([dot.name, ...told(dot, profile)]);
  }
  const [first] = dots;
  await rows
    .first()
    .getByRole("button", { name: first?.name ?? "?", exact: true })
    .click();
  await rows.first().getByRole("button", { name: "timeline" }).click();
  const line = { directory: profile.analysis.directory, file: first?.file, line: first?.line };
  await expect.poll(() => open.asked("goToLine")).toEqual([{ type: "goToLine", ...line }]);
  await expect
    .poll(() => open.asked("showOnTimeline"))
    .toEqual([{ type: "showOnTimeline", ...line }]);
  // As `sidelight summary` has it of the longest lines, and of all.
  const { whole } = chartOf(profile);
  for (const dot of [whole, ...dots.slice(0, 3)]) {
    const faster = `${ratio(dot?.times_faster_at_roof ?? 0, true)}x`;
    expect(profile.printedText).toContain(faster);
    await expect(tabOf(page)).toContainText(faster);
  }
  expect(open.complaints).toEqual([]);
});

test("every time is marked as predicted", async ({ page, profile }) => {
  await OpenAnalysis.open(page, profile, STATE);
  await stageOf(page).focus();
  await page.keyboard.press("End");
  const text = await tabOf(page).innerText();
  expect(wronglyMarked(text, "predicted")).toEqual([]);
  expect(timesIn(text).length).toBeGreaterThan(8);
});

test("arrow keys walk the dots by device time; Enter and T lead on", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, profile, STATE);
  const stage = stageOf(page);
  const charted = chartOf(profile).lines.dots.filter((dot) => (dot.flops ?? 0) > 0);
  await stage.focus();
  await page.keyboard.press("Home");
  const tooltip = page.getByRole("tooltip");
  await expect(tooltip).toContainText("all of it");
  for (const dot of charted.slice(0, 3)) {
    await page.keyboard.press("ArrowRight");
    await expect(tooltip).toContainText(dot.name);
    await expect(tooltip).toContainText(`${ratio(dot.times_faster_at_roof ?? 0, true)}x as fast`);
    await expect(stage.locator(".live")).toContainText(dot.name);
  }
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.keyboard.press("t");
  const second = charted[1];
  const line = { directory: profile.analysis.directory, file: second?.file, line: second?.line };
  await expect.poll(() => open.asked("goToLine")).toEqual([{ type: "goToLine", ...line }]);
  await expect
    .poll(() => open.asked("showOnTimeline"))
    .toEqual([{ type: "showOnTimeline", ...line }]);
  await page.keyboard.press("Escape");
  await expect(tooltip).toBeHidden();
});

test("the pointer tells of a dot, and a click leads to its line", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, profile, STATE);
  await page.getByRole("combobox", { name: "Dots are" }).selectOption("Operators");
  const { dots } = chartOf(profile).operators;
  const charted = dots.filter((dot) => (dot.flops ?? 0) > 0);
  const shapes = stageOf(page).locator("path.dot");
  await expect(shapes).toHaveCount(charted.length);
  const middles = await shapes.evaluateAll((all) =>
    all.map((shape) => {
      const { left, top, width, height } = shape.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }),
  );
  // The one that is farthest from its neighbours: none lies over it.
  const alone = middles.map(({ x, y }, index) =>
    Math.min(
      ...middles.filter((_, at) => at !== index).map((at) => Math.hypot(at.x - x, at.y - y)),
    ),
  );
  const farthest = alone.indexOf(Math.max(...alone));
  const { x, y } = middles[farthest] ?? { x: 0, y: 0 };
  await page.mouse.move(x, y);
  await expect(page.getByRole("tooltip")).toContainText(charted[farthest]?.name ?? "?");
  await page.mouse.click(x, y);
  await expect.poll(() => open.asked("goToLine").map(({ line }) => line)).toHaveLength(1);
});

test("time without known work, and dots without a place, are stated", async ({ page, profile }) => {
  const chart = chartOf(profile);
  const { steps } = profile.analysis;
  const lines = { ...chart.lines, unpriced_ns: 50_000 * steps };
  const known = changed(profile, { roofline: { ...chart, lines } });
  await OpenAnalysis.open(page, known, STATE);
  await expect(tabOf(page)).toContainText("≈50.0 µs of device time a step has no known work");
  const { off_chart_dots: off, off_chart_ns: offNs } = chart.operators;
  expect(off).toBeGreaterThan(0);
  await page.getByRole("combobox", { name: "Dots are" }).selectOption("Operators");
  await expect(tabOf(page)).toContainText(
    `${duration(offNs / steps, true)} of device time a step. The table has ${off === 1 ? "it" : "them"}.`,
  );
});

test("without known work the next step is named", async ({ page, profile }) => {
  await OpenAnalysis.open(page, changed(profile, { roofline: null }), STATE);
  await expect(tabOf(page)).toContainText("There is no roofline");
  await expect(tabOf(page).locator("code")).toHaveText(
    `sidelight open ${profile.analysis.directory} --device trn2`,
  );
});

test("roofs and ridge points are named, with numbers and sources", async ({ page, profile }) => {
  await OpenAnalysis.open(page, profile, STATE);
  const { roofs } = chartOf(profile);
  const [fp32] = (roofs?.compute ?? []).filter(({ dtype }) => dtype === "fp32");
  const ridge = `${ratio(fp32?.ridge_points["HBM"] ?? 0)} FLOP/byte`;
  await expect(stageOf(page).locator("text", { hasText: "ridge point" })).toContainText(ridge);
  await tabOf(page).getByText("Roofs, ridge points").click();
  for (const roof of roofs?.compute ?? []) {
    const row = tabOf(page).getByRole("row", { name: new RegExp(`^${roof.dtype} `, "u") });
    await expect(row.first()).toContainText(`${flops(Math.round(roof.flops_per_s))}/s`);
    await expect(row.first()).toContainText(roof.source);
  }
});

test("what moved since a baseline has an arrow and its numbers", async ({ page, profile }) => {
  const change = movedSince(profile);
  const open = await OpenAnalysis.open(page, compared(profile), STATE);
  await page.getByRole("button", { name: "Compare with" }).click();
  const table = tabOf(page).getByRole("table", { name: "Largest changes since before" });
  await expect(table).toBeVisible();
  const arrows = stageOf(page).locator(".arrows path");
  const moved = change.lines.filter(
    ({ base: was, new: now }) =>
      was?.achieved_flops_per_s !== now?.achieved_flops_per_s &&
      was !== null &&
      (now?.flops ?? 0) > 0,
  );
  await expect(arrows).toHaveCount(moved.length);
  expect(moved.length).toBeGreaterThan(0);
  await expect(stageOf(page).locator(".dot.dimmed")).toHaveCount(1);
  await expect(tabOf(page)).toContainText("The baseline is held against other roofs.");
  const [, , third] = change.lines;
  const row = table.getByRole("row", { name: third?.new?.name ?? "?" });
  const { steps } = profile.analysis;
  await expect(row).toContainText(`≈-${duration((third?.new?.device_ns ?? 0) / steps)}`);
  await expect(table.locator("tbody tr").first()).toContainText("added");
  await page.getByRole("button", { name: "Without a baseline" }).click();
  await expect(table).toHaveCount(0);
  await expect(arrows).toHaveCount(0);
  expect(open.complaints).toEqual([]);
});

test("who chooses no baseline sees what was there", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, profile, STATE);
  await page.getByRole("button", { name: "Compare with" }).click();
  await expect.poll(() => open.asked("chooseBaseline").length).toBe(1);
  await expect(stageOf(page).locator("path.dot").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Without a baseline" })).toHaveCount(0);
});

test("a thousand dots are drawn, and names lie over none of each other", async ({
  page,
  profile,
}) => {
  const chart = chartOf(profile);
  const [sample] = chart.lines.dots;
  if (sample === undefined) throw new Error("The profile has no dots.");
  const dots = Array.from({ length: 1_000 }, (_, index) => ({
    ...sample,
    name: `model.py:${String(index)}`,
    line: index + 1,
    device_ns: 1_000_000 - 900 * index,
    intensity: 10 ** (((index * 7) % 50) ** 0.3),
    achieved_flops_per_s: 1e9 * 10 ** (((index * 13) % 97) / 30),
  }));
  const lines = { ...chart.lines, dots };
  await OpenAnalysis.open(page, changed(profile, { roofline: { ...chart, lines } }), STATE);
  await expect(stageOf(page).locator("path.dot")).toHaveCount(1_000);
  await expect(tabOf(page).getByRole("table").first().locator("tbody tr")).toHaveCount(20);
  const boxes = await stageOf(page)
    .locator(".names text")
    .evaluateAll((names) =>
      names.map((name) => {
        const { left, right, top, bottom } = name.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
  expect(boxes.length).toBeGreaterThan(2);
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(0, index)) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const up = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      // Letters' own boxes may be a pixel higher than the room they were given.
      expect(Math.min(across, up)).toBeLessThanOrEqual(2);
    }
  }
});

test("names from a trace are text", async ({ page, profile }) => {
  const chart = chartOf(profile);
  const name = '<img src=x onerror="alert(1)">';
  const lines = { ...chart.lines, dots: chart.lines.dots.map((dot) => ({ ...dot, name })) };
  const hostile: Partial<Overview> = { roofline: { ...chart, lines } };
  const open = await OpenAnalysis.open(page, changed(profile, hostile), STATE);
  await expect(tabOf(page).getByText(name).first()).toBeVisible();
  await expect(page.locator("img")).toHaveCount(0);
  expect(open.complaints).toEqual([]);
});

for (const [name, theme] of Object.entries(THEMES)) {
  test(`nothing is in anybody's way, ${name}`, async ({ page, profile }) => {
    await OpenAnalysis.open(page, compared(profile), { ...STATE, theme });
    await page.getByRole("button", { name: "Compare with" }).click();
    await expect(page.getByRole("button", { name: "Without a baseline" })).toBeVisible();
    await tabOf(page).getByText("Roofs, ridge points").click();
    await stageOf(page).focus();
    await page.keyboard.press("ArrowRight");
    await page.evaluate(AXE);
    const found = await page.evaluate<AxeResults>("axe.run()");
    const violations = found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`,
    );
    expect(violations).toEqual([]);
  });
}

test("in a narrow place nothing but tables scrolls sideways", async ({ page, profile }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await OpenAnalysis.open(page, profile, STATE);
  await expect(stageOf(page).locator("path.dot").first()).toBeVisible();
  const over = await tabOf(page).evaluate((panel) => panel.scrollWidth - panel.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
});
