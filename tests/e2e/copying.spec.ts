// What the pages put on the clipboard.

import { execFileSync } from "node:child_process";

import type { Editor } from "./support/editor";
import { expect, test } from "./support/fixtures";
import { openFixedTrace } from "./support/fixedTrace";
import { PYTHON } from "./support/tools";
import type { Workspace } from "./support/workspace";

test("a view and rows of a table are on the clipboard as they were copied", async ({
  workspace,
  open,
}) => {
  const { profile } = openFixedTrace(workspace);
  const editor = await open({ file: "train.py" });
  await editor.allowClipboard();
  await editor.palette("Sidelight: Show Timeline");
  const { timeline, page } = editor;
  await timeline.frame.getByLabel("Group tracks by").selectOption("stream");
  await timeline.canvas.focus();
  await page.keyboard.press("ArrowRight");
  await expect(timeline.details).toBeVisible();
  await page.keyboard.press("m");
  await page.keyboard.press("f");
  // An argument of the command that shows the timeline.
  await editor.timeline.frame.getByRole("button", { name: /^Copy this view/ }).click();
  await expect(editor.toast("The view is on the clipboard")).toBeVisible();
  expect(JSON.parse(await editor.clipboard())).toMatchObject({
    directory: profile,
    view: { grouping: "stream", markers: [{ name: "A" }] },
  });

  await expectRowsCopied(workspace, editor);
});

async function expectRowsCopied(workspace: Workspace, editor: Editor): Promise<void> {
  await editor.palette("Sidelight: Show Analysis");
  const { frame } = editor.analysis;
  await editor.analysis.showTab("Tables");
  const grid = frame.getByRole("grid", { name: "Operators" });
  await expect(grid.getByRole("row").filter({ hasText: "aten::sum" })).toBeVisible();
  const words = ["-m", "sidelight", "summary", "fixed", "--table", "operators", "--csv"];
  const printed = execFileSync(PYTHON, words, { cwd: workspace.path("."), encoding: "utf8" });
  // No cell of these has a comma, a tab or a quote in it.
  const lines = printed.replaceAll(",", "\t").split(/\r?\n/);
  const pasted = async () => (await editor.clipboard()).split(/\r?\n/);

  await frame.getByRole("button", { name: "Copy all rows" }).click();
  await expect(editor.toast("4 rows are on the clipboard")).toBeVisible();
  expect(await pasted()).toEqual(lines);

  await grid.focus();
  await editor.page.keyboard.press("ArrowDown");
  await editor.page.keyboard.press("Shift+ArrowDown");
  await editor.page.keyboard.press(`${editor.modifier}+c`);
  await expect(editor.toast("2 rows are on the clipboard")).toBeVisible();
  expect(await pasted()).toEqual([lines[0], lines[2], lines[3], ""]);
}
