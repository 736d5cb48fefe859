// The pictures of README.md, in docs/screenshots/: `make screenshots`.

import fs from "node:fs";
import path from "node:path";

import type { Editor } from "./support/editor";
import { expect, test } from "./support/fixtures";
import { takePicture } from "./support/pictures";
import { THEMES } from "./support/themes";
import { ROOT } from "./support/tools";

const WARM = "normalized = x * inverse_rms";

for (const [name, theme] of Object.entries(THEMES)) {
  test.describe(name, () => {
    test.use({ settings: { "workbench.colorTheme": theme, "editor.fontSize": 13 } });

    test("the source, the profiles and the timeline", async ({ workspace, open }) => {
      fs.cpSync(path.join(ROOT, "examples/rmsnorm.py"), workspace.path("rmsnorm.py"));
      workspace.profile("rmsnorm.py");
      const editor = await open({ file: "rmsnorm.py" });
      const picture = (of: string) => takePicture(editor, `${of}-${name}`);

      await editor.openSideBar("Sidelight");
      await expect(editor.treeRow("rmsnorm")).toBeVisible();
      await expect.poll(() => editor.hint(WARM)).toMatch(/ms/);
      await expect.poll(() => editor.isDecorated(WARM)).toBe(true);
      await editor.hover(WARM, "inverse_rms");
      await picture("source");

      await showTimeline(editor);
      await picture("timeline");
    });

    test("the source with predicted times", async ({ workspace, open }) => {
      fs.cpSync(path.join(ROOT, "examples/rmsnorm.py"), workspace.path("rmsnorm.py"));
      workspace.profile("rmsnorm.py", "rmsnorm", ["--target", "virtual"]);
      const editor = await open({ file: "rmsnorm.py" });
      await editor.openSideBar("Sidelight");
      await expect.poll(() => editor.hint(WARM)).toMatch(/^≈/);
      await expect.poll(() => editor.isDecorated(WARM)).toBe(true);
      await editor.hover(WARM, "inverse_rms");
      await takePicture(editor, `predicted-${name}`);
    });
  });
}

/** A step of the timeline with an event selected in it, and that event's source above. */
async function showTimeline(editor: Editor): Promise<void> {
  const { timeline } = editor;
  const hover = await editor.hover(WARM, "inverse_rms");
  await hover.getByText("Show in timeline").click();
  await expect(timeline.details).toContainText("aten::mul");
  for (let zooms = 0; zooms < 4; zooms += 1) {
    await timeline.frame.getByRole("button", { name: "Zoom out" }).click();
  }
  await timeline.details.getByRole("button", { name: "Go to Source" }).click();
  await expect(editor.line(WARM)).toBeVisible();
}
