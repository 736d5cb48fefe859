// Every time on the timeline's page has `≈` before it where the profile is predicted, and none where
// it is measured: what is written in the page and on the canvas, what pointing at spans shows, what
// selecting them shows and says aloud. All of the page is read, so that a new place on it needs no
// entry; one that takes another action to be seen needs that action here.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, type Page, test } from "@playwright/test";

import { type Kind, timesIn, wronglyMarked } from "../times";
import { OpenTimeline } from "./support/openTimeline";
import { waitUntilDrawn } from "./support/pictures";
import { RecordedProfile, type RecordedTarget } from "./support/recordedProfile";

const SCRIPT = `
import torch

x = torch.randn(64, 64)
for _ in range(4):
    y = x @ x
    y = y.relu()
`;
const TARGETS = { predicted: "fake", measured: "cpu" } as const satisfies Record<
  Kind,
  RecordedTarget
>;
const LEFT_PX = 200;
const TOP_PX = 60;

test.use({ viewport: { width: 1100, height: 420 } });

for (const kind of ["predicted", "measured"] as const) {
  test(`times of a ${kind} profile`, async ({ page }) => {
    const folder = mkdtempSync(join(tmpdir(), "sidelight-page-"));
    const script = join(folder, "multiply.py");
    writeFileSync(script, SCRIPT);
    const profile = await RecordedProfile.record(script, folder, TARGETS[kind]);
    await watchCanvas(page);
    const open = await OpenTimeline.open(page, profile);
    await waitUntilDrawn(open);

    const places = {
      page: await textsOfPage(page),
      ruler: await textsOnCanvas(page),
      tooltips: await tooltips(page),
      area: await areaAndMarkers(page),
      details: "",
      zoomed: "",
    };
    const { file, line, ...place } = await profile.costliestLine();
    const { directory } = profile.timeline;
    await open.send({ type: "goTo", directory, place, line: { file, line } });
    const details = page.getByRole("complementary", { name: "Details" });
    await expect(details.getByText("Duration")).toBeVisible();
    await expect(page.locator(".live")).not.toBeEmpty();
    places.details = await textsOfPage(page);
    // Close enough that the ruler counts from a base.
    await page.keyboard.press("f");
    for (let press = 0; press < 12; press += 1) await page.getByTitle("Zoom in (W)").click();
    await waitUntilDrawn(open);
    places.zoomed = `${await textsOnCanvas(page)}\n${await textsOfPage(page)}`;

    for (const [name, text] of Object.entries(places)) {
      expect(wronglyMarked(text, kind), name).toEqual([]);
      expect(timesIn(text).length, name).toBeGreaterThan(0);
    }
    const groups = kind === "predicted" ? ["Device, predicted", "Host, predicted"] : ["Host"];
    for (const group of groups) {
      await expect(page.getByRole("button", { name: group, exact: true })).toBeVisible();
    }
    expect(open.complaints).toEqual([]);
    await profile.close();
    rmSync(folder, { recursive: true });
  });
}

/** What an area sums up to and what markers tell, both closed again. */
async function areaAndMarkers(page: Page): Promise<string> {
  await page.locator("canvas").focus();
  await page.keyboard.press("m");
  await page.keyboard.press("r");
  await expect(page.getByRole("complementary", { name: "Selected area" })).toContainText("Busy");
  await page.getByRole("button", { name: "Markers", exact: true }).click();
  const text = await textsOfPage(page);
  await page.getByRole("button", { name: "Markers", exact: true }).click();
  await page.getByRole("button", { name: "Close the area" }).click();
  return text;
}

/** Keeps what is written on canvases from now on. */
async function watchCanvas(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const written = new Set<string>();
    const { prototype } = CanvasRenderingContext2D;
    type Write = typeof prototype.fillText;
    prototype.fillText = new Proxy(
      Reflect.get<typeof prototype, "fillText">(prototype, "fillText"),
      {
        apply: (write, canvas, words: Parameters<Write>) => {
          written.add(words[0]);
          Reflect.apply(write, canvas, words);
        },
      },
    );
    Object.assign(globalThis, { written });
  });
}

async function textsOnCanvas(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const { written } = globalThis as unknown as { written: Set<string> };
    const texts = [...written].join("\n");
    written.clear();
    return texts;
  });
}

/** All text of the page, with what stands in titles and what is for those who listen. */
async function textsOfPage(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const said = [...document.querySelectorAll("*")].flatMap((element) =>
      ["title", "aria-label"].map((name) => element.getAttribute(name) ?? ""),
    );
    const texts = [...document.querySelectorAll("p, h1, h2, dd, li, span, strong, div")]
      .filter((element) => element.childElementCount === 0)
      .map((element) => element.textContent);
    return [...said, ...texts].join("\n");
  });
}

/** What pointing shows, all over the canvas. */
async function tooltips(page: Page): Promise<string> {
  const found = new Set<string>();
  const tooltip = page.locator("[role=tooltip]");
  for (let y = TOP_PX; y < 400; y += 19) {
    for (let x = LEFT_PX; x < 1090; x += 60) {
      await page.mouse.move(x, y);
      const text = await tooltip.evaluate((box) =>
        (box as HTMLElement).hidden ? "" : (box as HTMLElement).innerText,
      );
      if (text !== "") found.add(text);
    }
  }
  return [...found].join("\n");
}
