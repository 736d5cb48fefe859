// Rows whose device time is divided over several source lines: their parts, and which line is meant.

import { expect, type Page, test } from "@playwright/test";

import type { EventDetails } from "../../../extension/src/protocol";
import { GeneratedProfile } from "./support/generatedProfile";
import { OpenTimeline } from "./support/openTimeline";
import { spanIn, waitUntilDrawn } from "./support/pictures";

const DIRECTORY = "/project";

class DividedProfile extends GeneratedProfile {
  override details(event: number): EventDetails {
    const place = (name: string, line: number, parts: readonly [number, string] | undefined) => {
      const file = `${DIRECTORY}/${name}`;
      const [deviceTimeNs, deviceTimeText] = parts ?? [null, null];
      return { file, uri: `file://${file}`, line, currentLine: line, deviceTimeNs, deviceTimeText };
    };
    return {
      ...super.details(event),
      deviceTimeNs: 10_000,
      deviceTimeText: "10.0 µs",
      places: [
        place("kernel.py", 7, [6_000, "6.00 µs"]),
        place("kernel.py", 9, [3_000, "3.00 µs"]),
        place("train.py", 24, undefined),
      ],
      owners: 2,
      unattributedTimeText: "1.00 µs",
      causes: [],
    };
  }
}

test.use({ viewport: { width: 1100, height: 500 } });

async function openAt(page: Page, profile: GeneratedProfile) {
  const fromNs = profile.timeline.endNs / 2;
  const view = { fromNs, toNs: fromNs + 100_000, scrollTop: 0, event: null, collapsed: [] };
  const open = await OpenTimeline.open(page, profile, {
    state: [[profile.timeline.directory, view]],
  });
  await waitUntilDrawn(open);
  const span = spanIn(open, { track: 0, depth: 0 });
  const box = await page.locator("canvas").boundingBox();
  const at = { x: (box?.x ?? 0) + span.left + 5, y: (box?.y ?? 0) + span.y };
  const chosen = {
    type: "choosePlace",
    directory: profile.timeline.directory,
    event: span.event,
  };
  return { open, at, chosen };
}

test("each line stands with its part, and those around them apart", async ({ page }) => {
  const { open, at, chosen } = await openAt(page, new DividedProfile(3_000));
  await page.mouse.click(at.x, at.y);
  const details = page.getByRole("complementary", { name: "Details" });
  const lists = details.locator("ol.places");
  await expect(lists).toHaveCount(2);
  await expect(lists.first().getByRole("listitem")).toHaveText([
    "kernel.py:76.00 µs · 60.0%",
    "kernel.py:93.00 µs · 30.0%",
  ]);
  await expect(lists.last().getByRole("listitem")).toHaveText(["train.py:24"]);
  await expect(details.getByRole("heading", { level: 3 })).toHaveText([
    "Source, apportioned",
    "Called from",
    "Inputs",
  ]);
  await expect(details).toContainText("On no line1.00 µs");
  // Each of them is gone to without being asked which is meant.
  await details.getByRole("button", { name: "kernel.py:9" }).click();
  await expect
    .poll(() => open.asked("reveal"))
    .toEqual([{ type: "reveal", uri: "file:///project/kernel.py", line: 9 }]);
  expect(open.asked("choosePlace")).toEqual([]);
  await details.getByRole("button", { name: "Go to Source…" }).click();
  await expect.poll(() => open.asked("choosePlace")).toEqual([chosen]);
  expect(open.complaints).toEqual([]);
});

test("Enter and Ctrl+click ask which line is meant", async ({ page }) => {
  const { open, at, chosen } = await openAt(page, new DividedProfile(3_000));
  await page.mouse.click(at.x, at.y);
  expect(open.asked("choosePlace")).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(() => open.asked("choosePlace")).toEqual([chosen]);
  await page.keyboard.down("Control");
  await page.mouse.click(at.x, at.y);
  await page.keyboard.up("Control");
  await expect.poll(() => open.asked("choosePlace")).toEqual([chosen, chosen]);
  expect(open.asked("reveal")).toEqual([]);
});

test("Ctrl+click on a row of one line goes there", async ({ page }) => {
  const { open, at } = await openAt(page, new GeneratedProfile(3_000));
  await page.keyboard.down("Control");
  await page.mouse.click(at.x, at.y);
  await page.keyboard.up("Control");
  await expect
    .poll(() => open.asked("reveal"))
    .toEqual([{ type: "reveal", uri: "file:///project/model.py", line: 12 }]);
});
