// The server's own environment, made from the wheel that the extension carries.

import { expect, test } from "./support/fixtures";
import { SCRIPT } from "./support/scripts";
import { PYTHON } from "./support/tools";

test.use({ machineSettings: { "sidelight.python.interpreter": PYTHON } });

test("it is made on first use, with progress, and then serves", async ({ workspace, open }) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await expect(editor.page.getByText(/environment/i).first()).toBeVisible();
  await expect
    .poll(() => editor.hint("heavy = x @ self.weight"), { timeout: 480_000 })
    .toMatch(/ms|µs/);
});
