// The summary: every figure is the command line's, every part leads somewhere, and what is not known
// is said with the next step.

import { expect, type Locator, type Page, test as base } from "@playwright/test";

import { duration, size } from "../../../extension/webview/units";
import { violations } from "./support/axe";
import { COLLECTIVES, MEMORY, NOTHING } from "./support/handMade";
import { changed, OpenAnalysis } from "./support/openAnalysis";
import { RecordedAnalysis } from "./support/recordedAnalysis";
import { THEMES } from "./support/themes";

const test = base.extend<object, { profile: RecordedAnalysis }>({
  profile: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const verb = ["profile", "--target", "fake", "--device", "trn2"];
      await use(
        await RecordedAnalysis.of([...verb, "examples/transformer_train.py", "--steps", "14"]),
      );
    },
    { scope: "worker" },
  ],
});

test.use({ viewport: { width: 1300, height: 900 } });

function part(page: Page, title: string): Locator {
  return page.getByRole("region", { name: title, exact: true });
}

/** The texts of a table's rows, cell by cell. */
async function rowsOf(section: Locator, label: string): Promise<readonly (readonly string[])[]> {
  const rows = await section.getByRole("table", { name: label }).locator("tbody tr").all();
  return await Promise.all(rows.map((row) => row.locator("th, td").allInnerTexts()));
}

/** Whether the command line has a line with these texts, in this order. */
function isPrinted(text: string, cells: readonly string[]): boolean {
  return text.split("\n").some((line) => {
    let from = 0;
    return cells.every((cell) => {
      const at = line.indexOf(cell, from);
      from = at + cell.length;
      return at >= 0;
    });
  });
}

test("each figure is the command line's", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, profile);
  const text = profile.printedText;
  const expectPrinted = (cells: readonly string[]): void => {
    expect(isPrinted(text, cells), cells.join(" | ")).toBe(true);
  };
  const { step_time: time, performance, memory } = profile.printed;

  for (const [name = "", mean = "", of = ""] of await rowsOf(
    part(page, "Step time"),
    "What a step's time went to",
  )) {
    if (mean !== "unknown" && !mean.endsWith("≈0 ns")) expectPrinted([name, of, mean]);
  }
  const meanStep = duration(time?.mean.duration_ns ?? 0, true);
  await expect(part(page, "Step time")).toContainText(`A mean step takes ${meanStep}`);
  expectPrinted([`A mean step takes ${meanStep}`]);

  const figures = part(page, "Key figures");
  const [spread = []] = await rowsOf(figures, "Times");
  const [, median = "", p10 = "", p90 = "", , , count = ""] = spread;
  expectPrinted(["step time, median", median, `p10 ${p10}, p90 ${p90}, of ${count}`]);
  const values = new Map((await rowsOf(figures, "Rates")).map(([name, value]) => [name, value]));
  for (const name of ["MFU", "HFU", "MBU"]) expectPrinted([name, values.get(name) ?? "?"]);
  expectPrinted(["tokens", values.get("tokens per second") ?? "?"]);
  expect(performance.kind).toBe("training");
  await expect(figures).toContainText("A training run.");

  for (const [name = "", value = ""] of await rowsOf(part(page, "Engine utilisation"), "active")) {
    if (value !== "unknown") expectPrinted([name, value]);
  }
  const { flops, hbm } = profile.printed.core;
  for (const [title, split] of [
    ["FLOPs, of the Tensor Engines' peak", flops],
    ["HBM bandwidth", hbm],
  ] as const) {
    const section = part(page, title);
    for (const [name = "", share = "", amount = ""] of await rowsOf(section, title)) {
      if (share !== "unknown") expectPrinted([name, share, amount]);
    }
    await expect(section).toContainText(split?.remark ?? "?");
  }
  const peak = `≈${size(memory?.device?.peak_bytes ?? 0)}`;
  await expect(part(page, "Memory")).toContainText(`${peak} at its peak`);
  expectPrinted(["at its peak", peak]);
  for (const [name = "", held = ""] of await rowsOf(part(page, "Memory"), "What memory held")) {
    if (held !== "≈0 B") expectPrinted([name, held]);
  }
  expect(open.complaints).toEqual([]);
});

test("what a figure means is at hand", async ({ page, profile }) => {
  await OpenAnalysis.open(page, profile);
  for (const name of ["step time", "MFU", "HFU", "MBU", "tokens per second"]) {
    const definition = profile.printed.performance.definitions.find((each) => each.name === name);
    const { text = "?", formula = "?", source = "?" } = definition ?? {};
    const opener = page.getByRole("button", { name, exact: true });
    const shown = page.locator(".defined", { has: opener }).locator(".definition");
    await expect(shown).toBeHidden();
    await opener.press("Enter");
    for (const words of [text, formula, source]) await expect(shown).toContainText(words);
  }
});

test("steps are walked through by keyboard, and lead to the timeline", async ({
  page,
  profile,
}) => {
  const open = await OpenAnalysis.open(page, profile);
  const steps = profile.printed.step_time?.steps ?? [];
  const slider = page.getByRole("slider", { name: /^The time of each/u });
  await slider.focus();
  await page.keyboard.press("End");
  const last = steps.at(-1);
  const spoken = `Step ${String(steps.length)}: ${duration(last?.duration_ns ?? 0, true)}`;
  await expect(slider).toHaveAttribute("aria-valuetext", new RegExp(`^${spoken}`, "u"));
  await expect(page.getByRole("tooltip")).toContainText(spoken);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const { directory } = profile.analysis;
  const rangeOf = (index: number) => {
    const { start_ns: fromNs = 0, duration_ns: takesNs = 0 } = steps[index] ?? {};
    return { type: "showRange", directory, fromNs, toNs: fromNs + takesNs };
  };
  await expect.poll(() => open.asked("showRange")).toEqual([rangeOf(1)]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tooltip")).toBeHidden();
  // The pointer finds them, too.
  await slider.hover({ position: { x: 63, y: 40 } });
  await expect(page.getByRole("tooltip")).toContainText("Step 1:");
});

test("the biggest lines lead to the timeline", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, profile);
  const { file, line } = profile.printed.headline?.lines[1] ?? {};
  await part(page, "Headline")
    .getByRole("button", { name: /^Show in timeline/u })
    .nth(1)
    .click();
  const { directory } = profile.analysis;
  await expect
    .poll(() => open.asked("showOnTimeline"))
    .toEqual([{ type: "showOnTimeline", directory, file, line }]);
});

test("without lines the data quality's own advice is said", async ({ page, profile }) => {
  const { headline, quality } = profile.printed;
  if (headline === null) throw new Error("There is no headline.");
  const message = "The instructions name no source line. Compile again with debug information.";
  const note = { code: "no_stacks", severity: "warning", message, count: 1 } as const;
  const none = { ...headline, lines: [] };
  const told = changed(profile, { headline: none, quality: [...quality, note] });
  const open = await OpenAnalysis.open(page, told);
  await expect(part(page, "Headline")).toContainText(
    `No line has device time of its own. ${message}`,
  );
  const { analysis } = changed(profile, { headline: none, quality: [] });
  await open.send({ type: "analysis", analysis, message: "" });
  await expect(part(page, "Headline")).toContainText("profile the script with Sidelight");
});

test("collectives are drawn one by one and by group", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, changed(profile, { collectives: COLLECTIVES }));
  const section = part(page, "Collectives");
  const chart = section.locator(".chart");
  const drawn = async (): Promise<readonly number[]> =>
    await Promise.all(
      [".dots", ".outliers"].map(
        async (kind) => (await chart.locator(kind).getAttribute("d"))?.split("M").length ?? 0,
      ),
    );
  await expect.poll(drawn).toEqual([1 + 4, 1 + 1]);
  await expect(section).toContainText("7 more are not drawn");
  const slider = section.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute(
    "aria-valuetext",
    "all-reduce of 4.10 kB, 8 ranks, 170 ns, at 2.00 µs, an outlier",
  );
  await page.keyboard.press("Enter");
  const { directory } = profile.analysis;
  const outlier = { type: "showRange", directory, fromNs: 2_000, toNs: 2_170 };
  await expect.poll(() => open.asked("showRange")).toEqual([outlier]);
  // Of those without a size nothing can be laid out by size.
  await section.getByLabel("Across").selectOption("size");
  await expect.poll(drawn).toEqual([1 + 3, 1 + 1]);
  await section.getByLabel("Across").selectOption("time");
  await section.getByLabel("Collectives shown").selectOption("1");
  await expect.poll(drawn).toEqual([1 + 1, 1]);
  const [first = []] = await rowsOf(section, "by what they are");
  expect(first.slice(0, 8)).toEqual(
    ["all-reduce of 4.10 kB, 8 ranks", "4", "460 ns", "90 ns"].concat([
      "97.5 ns",
      "100 ns",
      "108 ns",
      "170 ns",
    ]),
  );
  const [listed = []] = await rowsOf(section, "Outliers");
  expect(listed.slice(1, 4)).toEqual(["2.00 µs", "170 ns", "100 ns"]);
  expect(open.complaints).toEqual([]);
});

test("a box plot reaches as far as the times that are no outliers", async ({ page, profile }) => {
  await OpenAnalysis.open(page, changed(profile, { collectives: COLLECTIVES }));
  const numbers = async (path: string): Promise<readonly number[]> => {
    const drawn = page.locator(".box-plot").first().locator(path);
    return ((await drawn.getAttribute("d")) ?? "").match(/[\d.]+/gu)?.map(Number) ?? [];
  };
  const [low = 0, , q1 = 0, q3 = 0, , high = 0] = await numbers(".line");
  const [median = 0] = await numbers(".median");
  const beyond = await numbers(".beyond");
  // 90, 97.5, 100, 107.5 and 170 ns lie on one scale; the upper whisker ends at 100 ns.
  const pxPerNs = (q3 - q1) / 10;
  expect(low).toBeCloseTo(q1 - 7.5 * pxPerNs, 0);
  expect(median).toBeCloseTo(q1 + 2.5 * pxPerNs, 0);
  expect(high).toBeCloseTo(median, 0);
  expect(beyond.at(-1)).toBeCloseTo(median + 70 * pxPerNs, 0);
});

test("memory over time stands against its capacity, its peak at its line", async ({
  page,
  profile,
}) => {
  const open = await OpenAnalysis.open(page, changed(profile, { memory: MEMORY, step_time: null }));
  const section = part(page, "Memory");
  await expect(section).toContainText("20.0 GB at its peak, 83.3% of its capacity of 24.0 GB");
  await expect(section.locator("svg text.told")).toHaveText(["capacity 24.0 GB", "peak 20.0 GB"]);
  const line = (await section.locator("svg .line").getAttribute("d")) ?? "";
  // A value holds until the next: across, and then up or down.
  expect(line.replaceAll(/-?[\d.]+/gu, "")).toBe("M HVHV");
  await section.getByRole("button", { name: "<b>train.py:24" }).click();
  const { directory } = profile.analysis;
  const place = { type: "goToLine", directory, file: "/work/<b>train.py", line: 24 };
  await expect.poll(() => open.asked("goToLine")).toEqual([place]);
  const slider = section.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", "20.0 GB, at ≈5.00 µs");
  await page.keyboard.press("Enter");
  const around = { type: "showRange", directory, fromNs: -495_000, toNs: 505_000 };
  await expect.poll(() => open.asked("showRange")).toEqual([around]);
  await section.getByLabel("Memory shown").selectOption({ label: "Host memory · a machine" });
  await expect(section.locator("svg text.told")).toHaveText(["peak 1.00 GB"]);
  await expect(section).toContainText("1.00 GB, the most, was reached at ≈1.00 µs");
  await expect(section).toContainText("How much there is, is not known: nothing says.");
  expect(await page.locator("b").count()).toBe(0);
});

test("a capacity that stands above the chart is not said twice", async ({ page, profile }) => {
  const [first] = MEMORY?.series ?? [];
  if (first === undefined || !MEMORY?.device) throw new Error("No series is made up.");
  const capacity = { capacity_bytes: 1e12, source: "the trace" };
  const device = { ...MEMORY.device, capacity_bytes: 1e12, capacity_source: "the trace" };
  const far = { device, series: [{ ...first, capacity }] };
  await OpenAnalysis.open(page, changed(profile, { memory: far }));
  const section = part(page, "Memory");
  await expect(section).toContainText("2.0% of its capacity of 1.00 TB");
  await expect(section).toContainText("capacity: the trace");
  await expect(section.getByText("the trace")).toHaveCount(1);
  await expect(section).toContainText("Its capacity lies far above the chart.");
});

test("a capacity that is far away is said, and leaves the curve its height", async ({
  page,
  profile,
}) => {
  const [first] = MEMORY?.series ?? [];
  if (first === undefined) throw new Error("No series is made up.");
  const capacity = { capacity_bytes: 1e12, source: "<b>the</b> trace" };
  const memory = { device: null, series: [{ ...first, capacity }] };
  await OpenAnalysis.open(page, changed(profile, { memory }));
  const section = part(page, "Memory");
  await expect(section).toContainText(
    "That is 2.0% of its capacity of 1.00 TB (<b>the</b> trace), which lies far above the chart.",
  );
  await expect(section.locator("svg .limit")).toHaveCount(0);
  const box = await section.locator("svg .line").boundingBox();
  expect(box?.height).toBeGreaterThan(80);
});

test("the step that memory was largest in is shown on the timeline", async ({ page, profile }) => {
  const { start_ns: fromNs = 0, duration_ns: takesNs = 0 } =
    profile.printed.step_time?.steps[2] ?? {};
  const [first, ...others] = MEMORY?.series ?? [];
  if (first === undefined) throw new Error("No series is made up.");
  const peak = { ...first.peak, at_ns: fromNs + 1 };
  const memory = { device: MEMORY?.device ?? null, series: [{ ...first, peak }, ...others] };
  const open = await OpenAnalysis.open(page, changed(profile, { memory }));
  await part(page, "Memory")
    .getByRole("button", { name: /^Show in timeline/u })
    .click();
  const { directory } = profile.analysis;
  await expect
    .poll(() => open.asked("showRange"))
    .toEqual([{ type: "showRange", directory, fromNs, toNs: fromNs + takesNs }]);
});

test("what is not known is said, with the next step", async ({ page, profile }) => {
  const open = await OpenAnalysis.open(page, changed(profile, NOTHING));
  const absent = page.locator("section.absent");
  await expect(absent).toHaveCount(8);
  for (const text of await absent.locator("p").allInnerTexts()) {
    expect(text).toMatch(/\b(?:Profile|Open|open|Record)\b/u);
  }
  expect(open.complaints).toEqual([]);
});

for (const [name, theme] of Object.entries(THEMES)) {
  for (const width of [1300, 320]) {
    test(`nothing is in anybody's way, ${name}, ${String(width)} px`, async ({ page, profile }) => {
      await page.setViewportSize({ width, height: 900 });
      const all = changed(profile, { collectives: COLLECTIVES, memory: MEMORY });
      await OpenAnalysis.open(page, all, { theme });
      await expect(part(page, "Collectives").locator("svg .dots")).toBeVisible();
      await page.getByRole("button", { name: "MFU", exact: true }).click();
      expect(await violations(page)).toEqual([]);
      const panel = page.locator(".panel");
      expect(await panel.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    });
  }
}
