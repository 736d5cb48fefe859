// Numbers beside the source.

import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { SCRIPT, lineOf } from "./support/scripts";

const HEAVY = "heavy = x @ self.weight";

test("hint and hover say what the command line says", async ({ workspace, open }) => {
  const document = workspace.writeProfiled("train.py", SCRIPT);
  const line = lineOf(SCRIPT, HEAVY);
  const editor = await open({ file: "train.py" });

  await expect.poll(() => editor.hint(HEAVY)).toBe(expected.hint(document, line));

  const hover = await editor.hover(HEAVY, "self");
  await expect(hover).toContainText(expected.selfTime(document, line));
  await expect(hover).toContainText(expected.share(document, line));
  await expect(hover).toContainText("mm");
  await expect(hover.getByText("Show in timeline")).toBeVisible();
});

test("functions and classes have their totals above them", async ({ workspace, open }) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  // At least the class and its forward method: the constructor's share may be too small for one.
  const totals = editor.lenses().filter({ hasText: /^\d.* (ms|µs) · .* % of device time$/ });
  await expect.poll(() => totals.count()).toBeGreaterThanOrEqual(2);
});

test("warm lines are drawn so", async ({ workspace, open }) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await expect.poll(() => editor.isDecorated(HEAVY)).toBe(true);
  expect(await editor.isDecorated("import torch")).toBe(false);
});

test("numbers follow edits, and a changed line is marked", async ({ workspace, open }) => {
  const document = workspace.writeProfiled("train.py", SCRIPT);
  const hint = expected.hint(document, lineOf(SCRIPT, HEAVY));
  const editor = await open({ file: "train.py" });
  await expect.poll(() => editor.hint(HEAVY)).toBe(hint);

  await editor.clickEndOf("from torch import nn");
  await editor.page.keyboard.type("\n\n# A line of its own.\n");
  await expect.poll(() => editor.hint(HEAVY)).toBe(hint);

  await editor.clickEndOf(HEAVY);
  await editor.page.keyboard.type("  # changed");
  await expect.poll(() => editor.hint(`${HEAVY}  # changed`)).toBe(`${hint} · edited`);
});

test("a profile that the command line writes appears by itself", async ({ workspace, open }) => {
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await expect(editor.line(HEAVY)).toBeVisible();
  expect(await editor.hint(HEAVY)).toBe("");

  const line = lineOf(SCRIPT, HEAVY);
  const first = workspace.profile("train.py");
  await expect.poll(() => editor.hint(HEAVY)).toBe(expected.hint(first, line));
  const second = workspace.profile("train.py");
  await expect.poll(() => editor.hint(HEAVY)).toBe(expected.hint(second, line));
});

test("Clear Annotations takes the numbers away", async ({ workspace, open }) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await expect.poll(() => editor.hint(HEAVY)).not.toBe("");
  await editor.palette("Sidelight: Clear Annotations");
  await expect.poll(() => editor.hint(HEAVY)).toBe("");
  await expect.poll(() => editor.isDecorated(HEAVY)).toBe(false);
});

test.describe("with parts switched off", () => {
  test.use({
    settings: { "sidelight.inlayHints.count": false, "sidelight.inlayHints.time": false },
  });

  test("only what is left is shown", async ({ workspace, open }) => {
    const document = workspace.writeProfiled("train.py", SCRIPT);
    const editor = await open({ file: "train.py" });
    const share = expected.share(document, lineOf(SCRIPT, HEAVY));
    await expect.poll(() => editor.hint(HEAVY)).toBe(share);
  });
});
