import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test as base } from "@playwright/test";

import { OpenTimeline } from "./support/openTimeline";
import { waitUntilDrawn } from "./support/pictures";
import { RecordedProfile } from "./support/recordedProfile";

const SCRIPT = `
import torch

x = torch.randn(128, 128)
for _ in range(20):
    y = x @ x
    y = y.relu()
`;

const test = base.extend<{ profile: RecordedProfile }>({
  // Fixtures say what they need by this pattern, also if that is nothing.
  // eslint-disable-next-line no-empty-pattern
  profile: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "sidelight-page-"));
    const script = join(folder, "multiply.py");
    writeFileSync(script, SCRIPT);
    const profile = await RecordedProfile.record(script, folder);
    await use(profile);
    await profile.close();
    rmSync(folder, { recursive: true });
  },
});

test.use({ viewport: { width: 1200, height: 420 } });

test("a recording is shown, and its costliest line gone to", async ({ page, profile }) => {
  const open = await OpenTimeline.open(page, profile);
  await waitUntilDrawn(open);
  const { file, line, ...place } = await profile.costliestLine();
  await open.send({
    type: "goTo",
    directory: profile.timeline.directory,
    place,
    line: { file, line },
  });
  // All the line's executions are shown, and counted.
  const count = place.executions.toLocaleString("en-US");
  await expect(page.locator(".found")).toHaveText(`${count} found`);
  const found = open.asked("getWindow").map(({ find }) => find);
  expect(found).toContainEqual({ file, line });
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details.getByRole("button", { name: "Go to Source" })).toBeVisible();
  await details.getByRole("button", { name: "Go to Source" }).click();
  await expect.poll(() => open.asked("reveal")).toMatchObject([{ line }]);
  expect(open.asked("reveal")[0]?.uri).toContain(file);
  expect(open.complaints).toEqual([]);
});

test("a recording's area, matches and colours come from the server", async ({ page, profile }) => {
  const open = await OpenTimeline.open(page, profile);
  await waitUntilDrawn(open);
  await page.locator("canvas").focus();
  await page.keyboard.press("0");
  await page.keyboard.press("r");
  const area = page.getByRole("complementary", { name: "Selected area" });
  const operators = area.getByRole("table", { name: "By operator" });
  await expect(operators).toContainText("aten::mm");
  await page.getByRole("searchbox").fill("aten::relu");
  // Twenty times, or more where warm-up is on the timeline, too.
  await expect(page.locator(".found")).toHaveText(/^\d+ found$/);
  await page.getByLabel("Colour by").selectOption("Colour: file");
  await page.getByRole("button", { name: "Colours and keys" }).click();
  await expect(page.locator(".legend")).toContainText("multiply.py");
  expect(open.complaints).toEqual([]);
});
