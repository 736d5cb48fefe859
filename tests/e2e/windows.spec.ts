// Two windows of the editor on one folder, at the same time.

import { Editor } from "./support/editor";
import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { SCRIPT, lineOf } from "./support/scripts";

const HEAVY = "heavy = x @ self.weight";
const SERVER = "-m sidelight server";

test("what one does, the other shows, and neither loses what the other keeps", async ({
  workspace,
  server,
  open,
  context,
}) => {
  workspace.write("train.py", SCRIPT);
  const one = await open({ file: "train.py" });
  await one.extensionIsThere();
  const page = await context.newPage();
  await page.goto(server.url(workspace.directory, workspace.path("train.py")));
  const other = new Editor(page);
  await other.extensionIsThere();

  await one.page.bringToFront();
  await one.palette("Sidelight: Profile on Trainium");
  await expect.poll(() => one.hint(HEAVY)).toMatch(/ms|µs/);
  const hint = expected.hint(workspace.lines("train"), lineOf(SCRIPT, HEAVY));
  expect(await one.hint(HEAVY)).toBe(hint);
  await expect.poll(() => other.hint(HEAVY)).toBe(hint);
  expect(server.processes(SERVER)).toHaveLength(2);

  // Each marks a moment, and both have both: the other's is called by the next letter.
  for (const editor of [one, other]) {
    await editor.page.bringToFront();
    await editor.palette("Sidelight: Show Timeline");
    await expect(editor.timeline.canvas).toBeVisible();
  }
  await mark(one);
  await expect.poll(() => markers(other)).toEqual(["A"]);
  await mark(other);
  await expect.poll(() => markers(one)).toEqual(["A", "B"]);

  await page.close();
  await expect.poll(() => server.processes(SERVER)).toHaveLength(1);
  await one.page.bringToFront();
  await one.page.reload();
  await expect.poll(() => one.hint(HEAVY)).toBe(hint);
  await one.palette("Sidelight: Show Timeline");
  await expect.poll(() => markers(one)).toEqual(["A", "B"]);
  await one.page.close();
  await expect.poll(() => server.processes(SERVER)).toEqual([]);
});

async function mark({ page, timeline }: Editor): Promise<void> {
  await page.bringToFront();
  await timeline.canvas.focus();
  await page.keyboard.press("m");
}

/** What the markers are called. */
async function markers({ timeline }: Editor): Promise<readonly string[]> {
  const names = timeline.frame.locator(".markers input");
  return await names.evaluateAll((inputs) =>
    inputs.map((input) => (input as HTMLInputElement).value),
  );
}
