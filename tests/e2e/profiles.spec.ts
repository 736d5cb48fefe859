// The profiles of the side bar, and the traces of other programs.

import fs from "node:fs";
import path from "node:path";

import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { SCRIPT, lineOf, recording } from "./support/scripts";

const HEAVY = "heavy = x @ self.weight";

test("an empty side bar offers the first step", async ({ workspace, open }) => {
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.openSideBar("Sidelight");
  await expect(editor.sideBar().getByRole("button", { name: /^Profile/ })).toBeVisible();
});

test("profiles are listed, shown, renamed and deleted", async ({ workspace, open }) => {
  workspace.write("train.py", SCRIPT);
  const line = lineOf(SCRIPT, HEAVY);
  const older = workspace.profile("train.py", "older");
  const newer = workspace.profile("train.py", "newer");
  const editor = await open({ file: "train.py" });
  await editor.openSideBar("Sidelight");
  await expect(editor.treeRow(/newer.*cpu/)).toBeVisible();
  await expect(editor.treeRow("older")).toContainText(
    expected.duration(older.device_time_ns / older.steps),
  );
  await expect.poll(() => editor.hint(HEAVY)).toBe(expected.hint(newer, line));
  await expect(editor.statusBarItem("newer")).toBeVisible();

  await editor.treeRow("older").click();
  await expect.poll(() => editor.hint(HEAVY)).toBe(expected.hint(older, line));
  await expect(editor.statusBarItem("older")).toBeVisible();

  await editor.contextMenu(editor.treeRow("older"), /^Rename/);
  await editor.fillInputBox("with a better name");
  await expect(editor.treeRow("with a better name")).toBeVisible();
  await expect(editor.treeRow("older")).toHaveCount(0);
  expect(workspace.lines("with a better name").profile).toBe(older.profile);

  await editor.contextMenu(editor.treeRow("with a better name"), /^Delete/);
  await editor.page.locator(".monaco-dialog-box").getByRole("button", { name: "Delete" }).click();
  await expect(editor.treeRow("with a better name")).toHaveCount(0);
  expect(fs.existsSync(older.profile)).toBe(false);
  await expect.poll(() => editor.hint(HEAVY)).toBe(expected.hint(newer, line));
});

test("Select Profile lists them, and shows the one that is chosen", async ({ workspace, open }) => {
  workspace.write("train.py", SCRIPT);
  const older = workspace.profile("train.py", "older");
  workspace.profile("train.py", "newer");
  const editor = await open({ file: "train.py" });
  await expect.poll(() => editor.hint(HEAVY)).not.toBe("");
  await editor.palette("Sidelight: Select Profile");
  await expect(editor.quickPickRow("newer")).toBeVisible();
  await editor.quickPickRow("older").click();
  const hint = expected.hint(older, lineOf(SCRIPT, HEAVY));
  await expect.poll(() => editor.hint(HEAVY)).toBe(hint);
});

test("a double click on a trace opens its timeline and its numbers", async ({
  workspace,
  open,
}) => {
  workspace.write("record.py", recording("recorded.pt.trace.json"));
  workspace.run("record.py");
  const editor = await open();
  // An editor that sees an extension for the first time knows its kinds of file a moment later.
  await editor.openSideBar("Sidelight");
  await expect(editor.sideBar().getByText("No profile yet")).toBeVisible();
  await (await editor.explorerRow("recorded.pt.trace.json")).dblclick();
  await expect(editor.tab("recorded.pt.trace.json")).toBeVisible();
  await expect(editor.timeline.canvas).toBeVisible();

  await editor.openSideBar("Sidelight");
  await expect(editor.treeRow("recorded")).toHaveCount(1);
  const stored = fs.readdirSync(workspace.path(path.join(".sidelight", "profiles")));
  expect(stored).toHaveLength(1);
});
