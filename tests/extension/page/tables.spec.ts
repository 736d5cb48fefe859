// The tables: what stands in them, and how they are sorted, searched, grouped, walked and copied.

import { expect, type Locator, type Page, test as base } from "@playwright/test";

import type { TablePage } from "../../../extension/src/documents";
import type { TableParams } from "../../../extension/src/protocol";
import { violations } from "./support/axe";
import { type AskedServer, OpenAnalysis } from "./support/openAnalysis";
import { RecordedAnalysis } from "./support/recordedAnalysis";
import { THEMES } from "./support/themes";

// Fixtures say what they need by this pattern, also if that is nothing.
const test = base.extend<object, { profile: RecordedAnalysis }>({
  profile: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const verb = ["profile", "--target", "fake", "--device", "trn2", "examples/rmsnorm.py"];
      const profile = await RecordedAnalysis.open(verb);
      await use(profile);
      profile.close();
    },
    { scope: "worker" },
  ],
});

async function openTables(page: Page, profile: RecordedAnalysis, table = "Operators") {
  const open = await OpenAnalysis.open(page, profile, { state: "tables" });
  if (table !== "Operators") {
    await page.getByRole("combobox", { name: "Table" }).selectOption(table);
  }
  const grid = page.getByRole("grid", { name: table });
  await expect(rowsOf(grid).first()).toBeVisible();
  return { open, grid };
}

function rowsOf(grid: Locator): Locator {
  return grid.locator(".grid-body .grid-row");
}

/** The texts of a column's cells, by the column's number. */
function columnOf(grid: Locator, column: number): Promise<string[]> {
  return rowsOf(grid)
    .locator(`[aria-colindex="${column + 1}"]`)
    .allTextContents();
}

/** A printed table's values of a column in the order of the page. */
function sorted(profile: RecordedAnalysis, table: string, column: string, descending: boolean) {
  const rows = [...(profile.printed.tables[table]?.rows ?? [])];
  const key = (row: (typeof rows)[number]): number => Number(row[column]);
  return rows.sort((one, other) => (descending ? key(other) - key(one) : key(one) - key(other)));
}

test("cells are the command line's, to the character", async ({ page, profile }) => {
  await page.setViewportSize({ width: 2600, height: 800 });
  const { open } = await openTables(page, profile);
  for (const [title, name] of [
    ["Lines", "lines"],
    ["Operators", "operators"],
    ["Kernels", "kernels"],
  ] as const) {
    await page.getByRole("combobox", { name: "Table" }).selectOption(title);
    const grid = page.getByRole("grid", { name: title });
    await expect(rowsOf(grid).first()).toBeVisible();
    const shown = await grid
      .getByRole("row")
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    const printed = profile.printedTable(name);
    expect(shown.length).toBe(printed.length);
    for (const [index, cells] of printed.entries()) {
      const texts = (shown[index] ?? [])
        .filter((text) => text !== "")
        .map((text) => (text === "–" ? "-" : text));
      expect(texts.length).toBe(cells.length);
      for (const [at, cell] of cells.entries()) {
        if (cell.endsWith("…")) expect(texts[at]?.startsWith(cell.slice(0, -1))).toBe(true);
        else expect(texts[at]).toBe(cell);
      }
    }
  }
  expect(open.complaints).toEqual([]);
});

test("headings sort, both ways and back", async ({ page, profile }) => {
  const { grid } = await openTables(page, profile, "Kernels");
  const own = await columnOf(grid, 0);
  const heading = grid.getByRole("columnheader", { name: /^count:/u });
  for (const [order, descending] of [
    ["descending", true],
    ["ascending", false],
  ] as const) {
    await heading.click();
    await expect(heading).toHaveAttribute("aria-sort", order);
    const expected = sorted(profile, "kernels", "count", descending).map(({ name }) => name);
    await expect.poll(() => columnOf(grid, 0)).toEqual(expected);
  }
  await heading.click();
  await expect(heading).toHaveAttribute("aria-sort", "none");
  await expect.poll(() => columnOf(grid, 0)).toEqual(own);
});

test("a filter keeps rows with a text, and says how many and their sum", async ({
  page,
  profile,
}) => {
  const { grid } = await openTables(page, profile, "Kernels");
  const field = page.getByRole("searchbox");
  await field.fill("ADD");
  const rows = profile.printed.tables["kernels"]?.rows ?? [];
  const held = rows.filter(({ name }) => String(name).includes("add"));
  expect(held.length).toBeGreaterThan(1);
  await expect(page.locator(".table-status")).toContainText(`${held.length} rows with “ADD”`);
  await expect(rowsOf(grid)).toHaveCount(held.length);
  await field.fill("no such kernel");
  await expect(page.getByText("Clear the filter to see all rows.")).toBeVisible();
  await field.fill("");
  await expect(rowsOf(grid)).toHaveCount(rows.length);
});

test("rows are grouped, and groups opened and left", async ({ page, profile }) => {
  const { grid } = await openTables(page, profile, "Lines");
  await page.getByRole("combobox", { name: "Group rows" }).selectOption({ label: "By bound by" });
  const rows = profile.printed.tables["lines"]?.rows ?? [];
  const values = new Set(rows.map((row) => row["bound"]));
  await expect(rowsOf(grid)).toHaveCount(values.size);
  await expect(page.locator(".table-status")).toContainText(
    `${values.size} groups of ${rows.length} rows`,
  );
  await grid.focus();
  await page.keyboard.press("Enter");
  const back = page.getByRole("button", { name: "Back to the groups by bound by" });
  await expect(back).toBeVisible();
  const [first] = rows;
  const members = rows.filter((row) => row["bound"] === first?.["bound"]);
  await expect(rowsOf(grid)).toHaveCount(members.length);
  await back.click();
  await expect(rowsOf(grid)).toHaveCount(values.size);
});

test("the keyboard walks, sorts, chooses, copies and leads to lines", async ({ page, profile }) => {
  const { grid, open } = await openTables(page, profile, "Lines");
  const { directory } = profile.analysis;
  const [, second] = profile.printed.tables["lines"]?.rows ?? [];
  const place = { directory, file: second?.["file"], line: second?.["line"] };
  await grid.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => open.asked("goToLine")).toEqual([{ type: "goToLine", ...place }]);
  await page.keyboard.press("t");
  await expect
    .poll(() => open.asked("showOnTimeline"))
    .toEqual([{ type: "showOnTimeline", ...place }]);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+c");
  const order = { table: "lines", sort: "", descending: true, text: "", group: "", within: null };
  const rows = { type: "copyRows", directory, order, ranges: [{ first: 1, count: 3 }] };
  await expect.poll(() => open.asked("copyRows")).toEqual([rows]);
  await expect(page.getByRole("button", { name: "Copy 3 rows" })).toBeVisible();
  await page.getByRole("button", { name: "Save all of these rows as CSV" }).click();
  await expect.poll(() => open.asked("saveRows")).toEqual([{ type: "saveRows", directory, order }]);
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(grid.getByRole("columnheader").last()).toHaveAttribute("aria-sort", "descending");
});

/** A server with a table that is much longer than what is in view. */
function longTable(rows: number, asked: TableParams[]): AskedServer {
  const columns = [
    { name: "name", title: "kernel", is_number: false, adds_up: false, unit: "" },
    { name: "self_ns", title: "self", is_number: true, adds_up: true, unit: "ns" },
  ].map((column) => ({ ...column, per_step: false, is_rate: false, description: "A column." }));
  const answer = (params: TableParams): TablePage => {
    asked.push(params);
    const count = Math.max(0, Math.min(params.count, rows - params.first));
    const made = Array.from({ length: count }, (_, index) => ({
      ...{ name: `kernel ${params.first + index}`, self_ns: params.first + index },
    }));
    return {
      ...{ columns: columns as TablePage["columns"], rows: made, total: rows, sums: {} },
      ...{ groups: [], time_kind: "measured", attribution: "exact" },
    };
  };
  const request = (_: string, params: unknown) =>
    Promise.resolve({ pageJson: JSON.stringify(answer(params as TableParams)) });
  return { request: request };
}

test("of a hundred thousand rows those in view are in the document", async ({ page, profile }) => {
  const asked: TableParams[] = [];
  const long = { analysis: profile.analysis, server: longTable(100_000, asked) };
  await OpenAnalysis.open(page, long, { state: "tables" });
  const grid = page.getByRole("grid");
  await expect(grid).toHaveAttribute("aria-rowcount", "100002");
  await grid.focus();
  await page.keyboard.press("Control+End");
  await expect(grid.getByText("kernel 99999")).toBeVisible();
  const last = rowsOf(grid).last();
  await expect(last).toHaveAttribute("aria-rowindex", "100001");
  expect(await rowsOf(grid).count()).toBeLessThan(100);
  await page.keyboard.press("PageUp");
  const current = await grid.getAttribute("aria-activedescendant");
  await expect(page.locator(`[id="${current}"]`)).toBeVisible();
  await grid.evaluate((element) => {
    element.scrollTop = 50_000 * 24;
  });
  await expect(grid.getByText("kernel 50000", { exact: true })).toBeVisible();
  // What was passed over was never asked for.
  expect(asked.length).toBeLessThan(12);
});

for (const [name, theme] of Object.entries(THEMES)) {
  test(`tables are in nobody's way, ${name}`, async ({ page, profile }) => {
    await OpenAnalysis.open(page, profile, { state: "tables", theme });
    const grid = page.getByRole("grid");
    await expect(rowsOf(grid).first()).toBeVisible();
    for (const width of [1300, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await grid.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Shift+ArrowDown");
      expect(await violations(page)).toEqual([]);
      const isWide = await page.evaluate(() => document.body.scrollWidth > window.innerWidth);
      expect(isWide, "nothing is cut off at the side").toBe(false);
    }
  });
}
