// A profile written to a file, from the side bar.

import fs from "node:fs";

import { expect, test } from "./support/fixtures";
import { SCRIPT } from "./support/scripts";

const HEAVY = "heavy = x @ self.weight";

test("a profile of the side bar is exported, and opened again with the same lines", async ({
  workspace,
  open,
}) => {
  const profile = workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await expect.poll(() => editor.hint(HEAVY)).not.toBe("");
  await editor.openSideBar("Sidelight");
  await expect(editor.treeRow(/train.*cpu/)).toBeVisible();
  await editor.contextMenu(editor.treeRow("train"), /^Export Profile/);
  await editor.quickPickRow("Chrome trace").click();
  const file = workspace.path("train.json");
  await editor.saveTo(file);
  await expect(editor.toast("Exported to train.json")).toBeVisible();
  expect(fs.readdirSync(workspace.path(".")).filter((name) => name.endsWith(".part"))).toEqual([]);
  const again = workspace.open("train.json", ["--name", "again"]);
  expect(again.lines).toEqual(profile.lines);
});
