// What stands on the analysis where not all is as it should be, each with the next step.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test as base } from "@playwright/test";

import type { TabName } from "../../../extension/webview/analysis/tabNames";
import { fixedTrace } from "../../e2e/support/fixedTrace";
import { OpenAnalysis } from "./support/openAnalysis";
import { RecordedAnalysis } from "./support/recordedAnalysis";

/** What to do, tab by tab, where nothing is known of a device and its work. */
const NEXT_STEPS: Readonly<Record<TabName, RegExp>> = {
  summary: /Run the script with sidelight profile, or record with/u,
  roofline: /sidelight open .* --device trn2/u,
  idle: /Profile a script on Trainium/u,
  tables: /profile the script again/u,
  flame: /profile the script again/u,
};

const test = base.extend<object, { unknown: RecordedAnalysis }>({
  /** A recording of steps on a machine with a device, without a row of its, or of an operator. */
  unknown: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "sidelight-states-"));
      const trace = JSON.parse(fixedTrace("train.py")) as {
        traceEvents: readonly { readonly cat?: string; readonly ph: string }[];
      };
      const isKept = ({ cat, ph }: (typeof trace.traceEvents)[number]): boolean =>
        ph === "M" || cat === "user_annotation";
      const file = join(folder, "recording.json");
      const rest = { ...trace, traceEvents: trace.traceEvents.filter(isKept) };
      writeFileSync(file, JSON.stringify(rest));
      const profile = await RecordedAnalysis.open(["open", file]);
      await use(profile);
      profile.close();
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
});

test("without device rows every tab says what to do", async ({ page, unknown }) => {
  const open = await OpenAnalysis.open(page, unknown);
  for (const [name, step] of Object.entries(NEXT_STEPS)) {
    await page.locator(`#tab-${name}`).click();
    await expect(page.getByRole("tabpanel")).toContainText(step);
  }
  await page.getByRole("button", { name: /^Data quality/u }).click();
  await expect(page.getByText("Record the device's activity too")).toBeVisible();
  expect(open.complaints).toEqual([]);
});

test("a profile that cannot be had is explained, and others are offered", async ({
  page,
  unknown,
}) => {
  const open = await OpenAnalysis.open(page, unknown);
  await open.send({ type: "loading" });
  const message = "The profile is damaged: events.npy is missing. Delete it and profile again.";
  await open.send({ type: "analysis", analysis: null, message });
  await expect(page.getByRole("main")).toContainText(message);
  for (const step of ["Profile on Trainium", "Open Profile…", "Select Profile"]) {
    await expect(page.getByRole("button", { name: step })).toBeVisible();
  }
  // The server was away, and is back.
  await open.send({ type: "analysis", analysis: unknown.analysis, message: "" });
  await expect(page.getByRole("tabpanel")).toBeVisible();
});

test("a table that cannot be had is explained, and asked for again", async ({ page, unknown }) => {
  const { server, analysis } = unknown;
  const message = "The disk is full. Free some space.";
  let isFull = true;
  const failing: typeof server = {
    request: async (method, params) => {
      if (isFull) throw new Error(message);
      return await server.request(method, params);
    },
  };
  await OpenAnalysis.open(page, { analysis, server: failing }, { state: "tables" });
  await expect(page.getByRole("tabpanel")).toContainText(message);
  isFull = false;
  await page.getByRole("combobox", { name: "Table" }).selectOption("Lines");
  await expect(page.getByRole("tabpanel")).not.toContainText(message);
  await expect(page.getByRole("tabpanel")).toContainText(NEXT_STEPS.tables);
});
