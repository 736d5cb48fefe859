// From each tab of the analysis to the source line that it speaks of.

import { expect, test } from "./support/fixtures";
import { openFixedTrace } from "./support/fixedTrace";

test("lines of every tab lead to the source", async ({ workspace, open }) => {
  openFixedTrace(workspace);
  const editor = await open({ file: "train.py" });
  await editor.palette("Sidelight: Show Analysis");
  const { panel, frame } = editor.analysis;

  /** Follows a link, from another line than the one that it leads to. */
  async function expectToLeadTo(line: number, follow: () => Promise<void>): Promise<void> {
    const there = editor.statusBarItem(new RegExp(`Ln ${String(line)},`));
    await expect(there).toBeHidden();
    await follow();
    await expect(there).toBeVisible();
  }

  // The product has most device time; the panel makes way for its line.
  await editor.maximizePanel(true);
  const headline = panel.getByRole("region", { name: "Headline" });
  await expectToLeadTo(5, () => headline.getByRole("button").first().click());
  await expect(editor.line("product = x @ weight")).toBeInViewport();

  // The sum is launched after the device has run out of work: `forward` was at something else.
  await editor.analysis.showTab("Idle");
  const cause = panel.getByRole("region", { name: "The host launched late" });
  await expectToLeadTo(4, () => cause.getByRole("button", { name: "train.py:4" }).first().click());

  await editor.analysis.showTab("Roofline");
  const chart = frame.getByRole("application", { name: /^Roofline/ });
  await expectToLeadTo(5, async () => {
    // The farthest to the right: nothing has as many FLOPs a byte.
    const dots = await chart.locator("path.dot").all();
    const boxes = await Promise.all(dots.map((dot) => dot.boundingBox()));
    const left = boxes.map((box) => box?.x ?? 0);
    await dots[left.indexOf(Math.max(...left))]?.click();
  });
  // By device time: all of it, the product, and then this.
  await expectToLeadTo(6, async () => {
    await chart.focus();
    await editor.page.keyboard.press("Home");
    await editor.page.keyboard.press("ArrowRight");
    await editor.page.keyboard.press("ArrowRight");
    await editor.page.keyboard.press("Enter");
  });

  await editor.analysis.showTab("Flame graph");
  const flame = frame.getByRole("tree", { name: "Device time by source line" });
  const modifiers = [editor.modifier];
  await expectToLeadTo(7, () =>
    flame.getByText("train.py:7", { exact: true }).click({ modifiers }),
  );

  await editor.analysis.showTab("Tables");
  const rows = frame.getByRole("grid", { name: "Operators" }).getByRole("row");
  await expectToLeadTo(6, async () => {
    await rows.filter({ hasText: "aten::add" }).click();
    await frame.getByRole("button", { name: "Go to line" }).click();
  });
});
