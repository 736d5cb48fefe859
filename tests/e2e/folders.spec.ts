// A workspace of several folders, each with profiles of its own.

import path from "node:path";

import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { SCRIPT, lineOf } from "./support/scripts";

const HEAVY = "heavy = x @ self.weight";

test("each folder's files have the numbers of that folder's profile", async ({
  workspace,
  open,
}) => {
  const first = workspace.folder("first");
  const second = workspace.folder("second");
  const ones = first.writeProfiled("one.py", SCRIPT);
  const twos = second.writeProfiled("two.py", SCRIPT);
  workspace.write(
    "both.code-workspace",
    JSON.stringify({ folders: [{ path: "first" }, { path: "second" }] }),
  );
  const line = lineOf(SCRIPT, HEAVY);

  const editor = await open({
    folder: workspace.path("both.code-workspace"),
    file: path.join("first", "one.py"),
  });
  await expect.poll(() => editor.hint(HEAVY)).toBe(expected.hint(ones, line));
  await editor.openFile("two.py");
  await expect.poll(() => editor.hint(HEAVY)).toBe(expected.hint(twos, line));

  await editor.openSideBar("Sidelight");
  await expect(editor.treeRow(/^first/)).toBeVisible();
  await expect(editor.treeRow(/^second/)).toBeVisible();
});
