// The timeline by keyboard alone, from the palette to a source line; and in a narrow and a wide place.

import type { Locator } from "@playwright/test";

import type { Editor } from "./support/editor";
import { expect, test } from "./support/fixtures";
import { openFixedTrace } from "./support/fixedTrace";

test("the keyboard leads from the palette to a rectangle, along arrows, and to its line", async ({
  workspace,
  open,
}) => {
  openFixedTrace(workspace);
  const editor = await open({ file: "train.py" });
  await editor.palette("Sidelight: Show Timeline");
  await editor.palette("View: Close All Editors");
  await editor.palette("Sidelight: Show Timeline");
  const { timeline, page } = editor;
  const { details, frame } = timeline;
  await expect(frame.getByRole("heading", { name: "fixed" })).toBeVisible();
  await tabTo(editor, timeline.canvas);
  const title = details.getByRole("heading", { level: 2 });

  // Found by name, and gone to, there and back.
  await page.keyboard.press("/");
  await page.keyboard.type("sum_kernel");
  const found = frame.locator(".found");
  await expect(found).toHaveText("3 found");
  await page.keyboard.press("Enter");
  await expect(found).toHaveText("1 of 3");
  await expect(title).toHaveText("sum_kernel");
  await tabTo(editor, timeline.canvas);
  await page.keyboard.press("n");
  await expect(found).toHaveText("2 of 3");
  await page.keyboard.press("Shift+N");
  await expect(found).toHaveText("1 of 3");

  // What launched it, and that again.
  await expect(details.getByRole("button", { name: "train.py:7" })).toBeVisible();
  await page.keyboard.press("[");
  await expect(title).toHaveText("cudaLaunchKernel");
  await page.keyboard.press("]");
  await expect(title).toHaveText("sum_kernel");

  // A moment there and one at another span, and what is between.
  await page.keyboard.press("m");
  await page.keyboard.press("n");
  await expect(found).toHaveText("2 of 3");
  await page.keyboard.press("m");
  const opener = frame.getByRole("button", { name: "Markers", exact: true });
  await tabTo(editor, opener, "Shift+Tab");
  await page.keyboard.press("Enter");
  const list = frame.getByRole("region", { name: "Markers" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  // A step takes a millisecond.
  await expect(list).toContainText("1.00 ms later");
  const before = await frame.locator(".seen").getAttribute("style");
  await tabTo(editor, list.getByRole("button", { name: "Focus Between Markers" }));
  await page.keyboard.press("Enter");
  await expect(frame.locator(".seen")).not.toHaveAttribute("style", before ?? "");
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();

  await tabTo(editor, timeline.canvas);
  await page.keyboard.press("Enter");
  await expect(editor.statusBarItem(/Ln 7,/)).toBeVisible();
});

test("beside the code 320 px are enough, and all the room is used", async ({ workspace, open }) => {
  openFixedTrace(workspace);
  const editor = await open({ file: "train.py" });
  await editor.palette("View: Move Panel Right");
  await editor.palette("Sidelight: Show Timeline");
  const { timeline } = editor;
  const { frame } = timeline;
  await expect(frame.getByRole("searchbox")).toBeInViewport();
  // The least that the editor gives a panel at its side.
  const pageWidth = () => frame.locator("body").evaluate(() => window.innerWidth);
  await expect.poll(pageWidth).toBeLessThanOrEqual(320);
  for (const control of await frame.getByRole("banner").getByRole("button").all()) {
    await expect(control).toBeInViewport({ ratio: 1 });
  }
  expect(await sideways(editor)).toBe(0);
  const point = await timeline.findInMiddle("forward");
  await timeline.canvas.click({ position: point });
  const place = timeline.details.getByRole("button", { name: "train.py:4" });
  await expect(place).toBeVisible();
  expect(await sideways(editor)).toBe(0);
  await place.click();
  await expect(editor.statusBarItem(/Ln 4,/)).toBeVisible();

  await editor.maximizePanel(true);
  const canvasWidth = () => timeline.canvas.evaluate(({ clientWidth }) => clientWidth);
  await expect.poll(pageWidth).toBeGreaterThan(1_000);
  // Beside the tracks' names and the details.
  await expect.poll(canvasWidth).toBeGreaterThan((await pageWidth()) / 2);
  expect(await sideways(editor)).toBe(0);
});

/** Presses Tab until something has the keyboard. */
async function tabTo({ page }: Editor, wanted: Locator, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(wanted).toBeFocused();
}

/** How much of the page is to be scrolled sideways to. */
async function sideways({ timeline }: Editor): Promise<number> {
  return await timeline.frame
    .locator("html")
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}
