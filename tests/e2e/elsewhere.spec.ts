// Profiles of files that are not where they were, or not in the workspace.

import fs from "node:fs";

import type { Editor } from "./support/editor";
import { expect, test } from "./support/fixtures";
import { ONE_EVENT_SCRIPT, lineOf } from "./support/scripts";

const WARM = "x.sin_()";
const LINE = lineOf(ONE_EVENT_SCRIPT, WARM);

test("of two files that a profile's file may be, a person says which, once", async ({
  workspace,
  open,
}) => {
  workspace.writeProfiled("waves.py", ONE_EVENT_SCRIPT);
  workspace.write("one/waves.py", ONE_EVENT_SCRIPT);
  workspace.write("two/waves.py", ONE_EVENT_SCRIPT);
  fs.rmSync(workspace.path("waves.py"));
  const editor = await open({ file: "one/waves.py" });
  await selectRectangle(editor);
  await editor.palette("View: Close All Editors");

  const { timeline } = editor;
  await timeline.canvas.click({ position: await timeline.findInMiddle("aten::sin_") });
  await timeline.details.getByRole("button", { name: `waves.py:${LINE} …` }).click();
  await editor.page.locator(".quick-input-list").getByText("two/waves.py").click();
  await expect(editor.statusBarItem(new RegExp(`Ln ${LINE},`))).toBeVisible();
  await expect(editor.page.locator(".breadcrumbs-control")).toContainText("two");
  const settings = JSON.parse(workspace.read(".vscode/settings.json")) as unknown;
  expect(settings).toEqual({ "sidelight.sourceMap": { [workspace.directory]: "two" } });

  // It is where it was said to be, and the other is not it any more.
  await editor.palette("View: Close All Editors");
  await timeline.canvas.click({ position: await timeline.findInMiddle("aten::sin_") });
  await timeline.details
    .getByRole("button", { name: `waves.py:${LINE}`, exact: true })
    .first()
    .click();
  await expect.poll(() => editor.hint(WARM)).toMatch(/ms|µs/);
  await editor.openFile("one/waves.py");
  await expect(editor.page.locator(".breadcrumbs-control")).toContainText("one");
  await expect.poll(() => editor.hint(WARM)).toBe("");
});

test("a file outside of the open folder is opened once a person says so", async ({
  workspace,
  open,
}) => {
  workspace.writeProfiled("outer/waves.py", ONE_EVENT_SCRIPT);
  workspace.write("inner/other.py", "");
  fs.renameSync(workspace.path(".sidelight"), workspace.path("inner/.sidelight"));
  const editor = await open({ folder: workspace.path("inner"), file: "outer/waves.py" });
  await selectRectangle(editor);
  await editor.palette("View: Close All Editors");

  const { timeline } = editor;
  await timeline.canvas.click({ position: await timeline.findInMiddle("aten::sin_") });
  await timeline.details.getByRole("button", { name: `waves.py:${LINE}` }).click();
  const question = editor.page.getByRole("dialog", { name: /is outside of the open folders/ });
  await expect(question).toBeVisible();
  await expect(editor.line(WARM)).toBeHidden();
  await question.getByRole("button", { name: "Open", exact: true }).click();
  await expect(editor.line(WARM)).toBeVisible();
});

/** From the warm line's hover to its rectangle, and the details closed again. */
async function selectRectangle(editor: Editor): Promise<void> {
  await expect.poll(() => editor.hint(WARM)).toMatch(/ms|µs/);
  const hover = await editor.hover(WARM, "sin_");
  await hover.getByText("Show in timeline").click();
  await expect(editor.timeline.details).toContainText("aten::sin_");
  await editor.timeline.details.getByRole("button", { name: "Close the details" }).click();
}
