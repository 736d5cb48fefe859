// The other ways in: buttons, menus, dialogs, tabs, the sample.

import path from "node:path";

import { Editor } from "./support/editor";
import { expect, test } from "./support/fixtures";
import { SCRIPT, recording } from "./support/scripts";

const HEAVY = "heavy = x @ self.weight";

test("the button above the editor profiles the script", async ({ workspace, open }) => {
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.page.locator('.editor-actions a[aria-label^="Profile on Trainium"]').click();
  await expect.poll(() => editor.hint(HEAVY)).toMatch(/ms|µs/);
});

test("a file's context menu profiles that file", async ({ workspace, open }) => {
  workspace.write("other.py", "print('in front')\n");
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "other.py" });
  await editor.extensionIsThere();
  await editor.contextMenu(await editor.explorerRow("train.py"), /^Profile on Trainium/);
  await expect(editor.statusBarItem(/train · [\d.]+ (ms|µs)/)).toBeVisible();
});

test("Open Profile reads a trace by its path", async ({ workspace, open }) => {
  workspace.write("record.py", recording("recorded.json"));
  workspace.run("record.py");
  const editor = await open();
  await editor.palette("Sidelight: Open Profile");
  await editor.chooseFile(workspace.path("recorded.json"));
  await expect(editor.statusBarItem(/recorded/)).toBeVisible();
});

test("the timeline opens as a tab of its own", async ({ workspace, open }) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.palette("Sidelight: Show Timeline");
  await expect(editor.timeline.canvas).toBeVisible();
  await editor.button("Open Timeline as Editor").first().click();
  await expect(editor.tab("Timeline")).toBeVisible();
  // In the panel it stays as well.
  await expect(editor.page.locator('iframe.webview[src*="sidelight.sidelight"]')).toHaveCount(2);
});

test("a profile is revealed among the files", async ({ workspace, open }) => {
  const document = workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.openSideBar("Sidelight");
  await editor.contextMenu(editor.treeRow("train"), /^Reveal/);
  await expect(editor.treeRow(path.basename(document.profile))).toBeVisible();
});

test("the sample opens with its numbers", async ({ workspace, open, context }) => {
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.openSideBar("Sidelight");
  const opening = context.waitForEvent("page");
  await editor.sideBar().getByRole("button", { name: "Try the Sample" }).click();
  const sample = new Editor(await opening);
  await expect(sample.tab("rmsnorm.py")).toBeVisible();
  await expect(sample.statusBarItem(/rmsnorm · [\d.]+ (ms|µs)/)).toBeVisible();
  await expect
    .poll(() => sample.hint("normalized = x * inverse_rms"))
    .toMatch(/^[\d.]+ (ms|µs) · [\d.]+ % · 1×$/);
});
