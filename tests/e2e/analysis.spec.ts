// The analysis, from the palette to a line and to the timeline.

import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { SCRIPT, lineOf } from "./support/scripts";

const HEAVY = "heavy = x @ self.weight";

test("Show Analysis opens the shown profile's, and its lines lead to the source", async ({
  workspace,
  open,
}) => {
  const document = workspace.writeProfiled("train.py", SCRIPT);
  workspace.write("other.py", "print('another file')\n");
  const editor = await open({ file: "other.py" });
  await editor.palette("Sidelight: Show Analysis");
  const { analysis } = editor;
  await expect(analysis.frame.getByRole("heading", { name: "train", exact: true })).toBeVisible();
  const line = lineOf(SCRIPT, HEAVY);
  const entry = analysis.panel
    .getByRole("row")
    .filter({ hasText: `train.py:${String(line)}` })
    .first();
  await expect(entry).toContainText(expected.selfTime(document, line));
  await entry
    .getByRole("button", { name: `train.py:${String(line)}` })
    .first()
    .click();
  await expect(editor.line(HEAVY)).toBeVisible();
});

test("without a profile it offers the first step", async ({ workspace, open }) => {
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.palette("Sidelight: Show Analysis");
  await expect(
    editor.analysis.frame.getByRole("button", { name: "Profile on Trainium" }),
  ).toBeVisible();
});
