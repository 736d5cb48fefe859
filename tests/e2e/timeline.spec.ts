// The timeline, from a line to its rectangle and back.

import type { Editor } from "./support/editor";
import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { ONE_EVENT_SCRIPT, SCRIPT, lineOf } from "./support/scripts";

const WARM = "x.sin_()";

test("Show Timeline opens the shown profile's", async ({ workspace, open }) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.palette("Sidelight: Show Timeline");
  await expect(editor.timeline.canvas).toBeVisible();
  await expect(editor.timeline.frame.getByRole("heading", { name: "train" })).toBeVisible();
});

test("without a profile it offers the first step", async ({ workspace, open }) => {
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.palette("Sidelight: Show Timeline");
  await expect(
    editor.timeline.frame.getByRole("button", { name: "Profile on Trainium" }),
  ).toBeVisible();
});

test("a line's hint, its hover and its rectangle's tooltip give the command line's number", async ({
  workspace,
  open,
}) => {
  const document = workspace.writeProfiled("waves.py", ONE_EVENT_SCRIPT);
  const time = expected.selfTime(document, lineOf(ONE_EVENT_SCRIPT, WARM));
  const editor = await open({ file: "waves.py" });

  await expect.poll(() => editor.hint(WARM)).toContain(time);
  await showInTimeline(editor);
  await expect(editor.timeline.details).toContainText("aten::sin_");
  await expect(editor.timeline.details).toContainText(time);

  const point = await editor.timeline.findInMiddle("aten::sin_");
  expect(await editor.timeline.tooltipAt(point)).toContain(time);
});

test.describe("following the cursor", () => {
  test.use({ settings: { "sidelight.timeline.followCursor": true } });

  test("the executions of the line that the cursor is on are shown", async ({
    workspace,
    open,
  }) => {
    workspace.writeProfiled("train.py", SCRIPT);
    const editor = await open({ file: "train.py" });
    await expect.poll(() => editor.hint("heavy = x @ self.weight")).toMatch(/ms|µs/);
    await editor.palette("Sidelight: Show Timeline");
    await expect(editor.timeline.canvas).toBeVisible();
    const found = editor.timeline.frame.locator(".found");
    await editor.clickEndOf("heavy = x @ self.weight");
    await expect(found).toHaveText(/^\d+ found$/);
    await editor.clickEndOf("from torch import nn");
    await expect(found).toHaveText("");
  });
});

test("a rectangle is drawn where its tooltip is, and moves when it is dragged", async ({
  workspace,
  open,
}) => {
  workspace.writeProfiled("waves.py", ONE_EVENT_SCRIPT);
  const editor = await open({ file: "waves.py" });
  await showInTimeline(editor);
  const { timeline } = editor;
  await expect(timeline.details).toContainText("aten::sin_");
  await editor.timeline.details.getByRole("button", { name: "Close the details" }).click();

  // Closer, so that there is room to drag in whatever part of all the event takes.
  const zoomIn = timeline.frame.getByRole("button", { name: "Zoom in" });
  for (let clicks = 0; clicks < 4; clicks += 1) await zoomIn.click();

  const inside = await timeline.findInMiddle("aten::sin_");
  const drawn = await timeline.colourAt(inside);
  // To the left, until what was in the middle is out of sight.
  await expect(async () => {
    await timeline.drag({ x: 500, y: inside.y }, -450);
    expect((await timeline.tooltipAt(inside)) ?? "").not.toContain("aten::sin_");
  }).toPass();
  expect(await timeline.colourAt(inside)).not.toEqual(drawn);
});

test("a click gives the details, and from there the source line", async ({ workspace, open }) => {
  workspace.write("other.py", "print('another file')\n");
  workspace.writeProfiled("waves.py", ONE_EVENT_SCRIPT);
  const editor = await open({ file: "waves.py" });
  await showInTimeline(editor);
  const { timeline } = editor;
  await timeline.details.getByRole("button", { name: "Close the details" }).click();
  await expect(timeline.details).toBeHidden();
  await editor.openFile("other.py");

  const point = await timeline.findInMiddle("aten::sin_");
  await timeline.canvas.click({ position: point });
  await expect(timeline.details).toContainText("float32 [1000, 1000]");
  const line = lineOf(ONE_EVENT_SCRIPT, WARM);
  await timeline.details.getByRole("button", { name: `waves.py:${line}` }).click();
  await expect(editor.line(WARM)).toBeVisible();
  await expect(editor.statusBarItem(new RegExp(`Ln ${line},`))).toBeVisible();
});

/** From the warm line's hover to its rectangle. */
async function showInTimeline(editor: Editor): Promise<void> {
  const hover = await editor.hover(WARM, "sin_");
  await hover.getByText("Show in timeline").click();
  await expect(editor.timeline.canvas).toBeVisible();
}
