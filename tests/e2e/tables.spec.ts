// A table on its way to a spreadsheet: from the analysis' page to a file that the editor writes.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import { expect, test } from "./support/fixtures";
import { SCRIPT } from "./support/scripts";
import { PYTHON } from "./support/tools";

test("a table is saved as the command line prints it", async ({ workspace, open }) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.palette("Sidelight: Show Analysis");
  const { analysis } = editor;
  await analysis.showTab("Tables");
  await expect(analysis.frame.getByRole("grid", { name: "Operators" })).toBeVisible();
  await analysis.frame.getByRole("button", { name: "Save all of these rows as CSV" }).click();
  // The editor's own dialog, which proposes a name in the workspace's folder.
  const file = workspace.path("operators.csv");
  await editor.saveTo(file);
  await expect.poll(() => existsSync(file) && readFileSync(file, "utf8").length > 0).toBe(true);
  const words = ["-m", "sidelight", "summary", "train", "--table", "operators", "--csv"];
  const printed = execFileSync(PYTHON, words, { cwd: workspace.path("."), encoding: "utf8" });
  await expect.poll(() => readFileSync(file, "utf8")).toBe(printed);
});
