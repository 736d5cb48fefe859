// The tour of README.md, step by step: from the palette to the fix of examples/rmsnorm.py. As a test
// it holds the tour to what it promises; `make screenshots` takes its pictures.

import fs from "node:fs";
import path from "node:path";

import type { Editor } from "./support/editor";
import { expect, test } from "./support/fixtures";
import { takePicture } from "./support/pictures";
import { ROOT } from "./support/tools";
import type { Workspace } from "./support/workspace";

const NAIVE = `    squares = x * x
    mean_square = squares.mean(dim=-1, keepdim=True)
    inverse_rms = torch.rsqrt(mean_square + EPSILON)
    normalized = x * inverse_rms
    return normalized * weight
`;
const FIXED = "    return functional.rms_norm(x, weight.shape, weight, EPSILON)\n";
const WARM = "squares = x * x";

test.use({
  settings: {
    "workbench.colorTheme": "Default Dark Modern",
    "sidelight.profile.targetWithoutChip": "virtual",
  },
});

test("from the palette to the fix", async ({ workspace, open }, info) => {
  const picture = async (editor: Editor, name: string): Promise<void> => {
    if (info.project.name === "screenshots") await takePicture(editor, `tour-${name}`);
  };
  fs.cpSync(path.join(ROOT, "examples/rmsnorm.py"), workspace.path("rmsnorm.py"));
  const editor = await open({ file: "rmsnorm.py" });
  await editor.extensionIsThere();

  await editor.searchPalette("Profile on Trainium");
  await picture(editor, "1-profile");
  await editor.palette("Sidelight: Profile on Trainium");

  await expect.poll(() => editor.hint(WARM)).toMatch(/^≈/);
  // The script's terminal makes way.
  await editor.page.keyboard.press(`${editor.modifier}+J`);
  await expect(editor.terminal()).toBeHidden();
  await expect.poll(() => editor.isDecorated(WARM)).toBe(true);
  await picture(editor, "2-lines");
  const before = workspace.lines("rmsnorm");

  const hover = await editor.hover(WARM, "squares");
  await expect(hover).toContainText("aten::mul");
  await picture(editor, "3-why");
  await editor.page.keyboard.press("Escape");

  await editor.palette("Sidelight: Show Analysis");
  await editor.maximizePanel(true);
  await editor.analysis.showTab("Roofline");
  await expect(editor.analysis.panel).toContainText("overhead-bound");
  await picture(editor, "4-roofline");
  await editor.maximizePanel(false);

  await showOnTimeline(editor);
  await picture(editor, "5-timeline");
  await editor.page.keyboard.press(`${editor.modifier}+J`);

  fix(workspace);
  await expect(editor.line("return functional.rms_norm").first()).toBeVisible();
  await editor.palette("Sidelight: Profile on Trainium");
  await expect
    .poll(() => workspace.lines("rmsnorm").profile, { timeout: 300_000 })
    .not.toBe(before.profile);
  const after = workspace.lines("rmsnorm");
  expect(after.device_time_ns / after.steps).toBeLessThan(
    (0.6 * before.device_time_ns) / before.steps,
  );
  await expect.poll(() => editor.hint(FIXED.trim())).toMatch(/^≈/);
  await editor.page.keyboard.press(`${editor.modifier}+J`);
  await picture(editor, "6-fixed");

  await editor.palette("Sidelight: Show Analysis");
  await editor.maximizePanel(true);
  await editor.analysis.showTab("Roofline");
  await editor.analysis.panel.getByRole("button", { name: "Compare with" }).click();
  await editor.quickPickRow("rmsnorm").first().click();
  await expect(
    editor.analysis.panel.getByRole("button", { name: "Without a baseline" }),
  ).toBeVisible();
  await editor.palette("Notifications: Clear All Notifications");
  await picture(editor, "7-compare");
});

/** The warm line's device time on the timeline, from its hover. */
async function showOnTimeline(editor: Editor): Promise<void> {
  const { timeline } = editor;
  const hover = await editor.hover(WARM, "squares");
  await hover.getByText("Show in timeline").click();
  await expect(timeline.details).toContainText("aten::mul");
  for (let zooms = 0; zooms < 4; zooms += 1) {
    await timeline.frame.getByRole("button", { name: "Zoom out" }).click();
  }
}

function fix(workspace: Workspace): void {
  const source = workspace.read("rmsnorm.py");
  expect(source).toContain(NAIVE);
  workspace.write("rmsnorm.py", source.replace(NAIVE, FIXED));
}
