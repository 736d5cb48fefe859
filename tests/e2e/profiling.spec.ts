// Profile on Trainium, from the command palette to the numbers.

import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { runs } from "./support/processes";
import { ENDLESS_SCRIPT, FAILING_SCRIPT, SCRIPT, lineOf } from "./support/scripts";

const COMMAND = "Sidelight: Profile on Trainium";
const HEAVY = "heavy = x @ self.weight";

test("the command shows progress, then the numbers of the new profile", async ({
  workspace,
  open,
}) => {
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.palette(COMMAND);
  await expect(editor.toast(/train\.py/).getByText(/Recording|Starting/)).toBeVisible();
  await expect.poll(() => editor.hint(HEAVY)).toMatch(/ms|µs/);

  const document = workspace.lines("train");
  expect(await editor.hint(HEAVY)).toBe(expected.hint(document, lineOf(SCRIPT, HEAVY)));
  await expect(editor.terminal()).toContainText("trained");
  await expect(editor.toast(/Recording|Starting/)).toBeHidden();
});

test("a file with unsaved text is saved first", async ({ workspace, open }) => {
  workspace.write("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.clickEndOf("import torch");
  await editor.page.keyboard.type("\n\n# Typed just now.");
  await editor.palette(COMMAND);
  await expect.poll(() => editor.hint(HEAVY)).toMatch(/ms|µs/);
  expect(workspace.read("train.py")).toContain("# Typed just now.");
});

test("a script with an error keeps what was recorded, and shows its traceback", async ({
  workspace,
  open,
}) => {
  workspace.write("train.py", FAILING_SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.palette(COMMAND);
  await expect(editor.toast(/train\.py ended with status 1/)).toBeVisible();
  await expect(editor.terminal()).toContainText("RuntimeError: out of data");
  await expect.poll(() => editor.hint(HEAVY)).toMatch(/ms|µs/);
});

test("a script that cannot start says so", async ({ workspace, open }) => {
  workspace.write("train.py", "import torch\n\nthis is no Python\n");
  const editor = await open({ file: "train.py" });
  await editor.palette(COMMAND);
  await expect(editor.toast(/train\.py/).getByText(/nothing|no .*recorded/i)).toBeVisible();
  await expect(editor.terminal()).toContainText("SyntaxError");
});

test.describe("while a long recording runs", () => {
  test.use({ settings: { "sidelight.profile.steps": 1_000_000 } });

  test("Cancel ends the script and its children", async ({ workspace, open }) => {
    workspace.write("train.py", ENDLESS_SCRIPT);
    const editor = await open({ file: "train.py" });
    await editor.palette(COMMAND);
    await expect.poll(() => workspace.has("pids.txt")).toBe(true);
    const pids = workspace.read("pids.txt").split(" ").map(Number);
    expect(pids.map(runs)).toEqual([true, true]);

    await editor
      .toast(/Recording/)
      .getByRole("button", { name: "Cancel" })
      .click();
    await expect.poll(() => pids.map(runs)).toEqual([false, false]);
    await expect(editor.toast(/Recording/)).toBeHidden();
  });
});

test("the result is shown while the script runs on, and Stop Script ends it", async ({
  workspace,
  open,
}) => {
  workspace.write("train.py", ENDLESS_SCRIPT);
  const editor = await open({ file: "train.py" });
  await editor.palette(COMMAND);
  await expect(editor.toast(/still running/)).toBeVisible();
  await expect.poll(() => editor.hint(HEAVY)).toMatch(/ms|µs/);
  const pids = workspace.read("pids.txt").split(" ").map(Number);
  expect(pids.map(runs)).toEqual([true, true]);

  await editor
    .toast(/still running/)
    .getByRole("button", { name: "Stop Script" })
    .click();
  await expect.poll(() => pids.map(runs)).toEqual([false, false]);
  expect(await editor.hint(HEAVY)).toMatch(/ms|µs/);
});

test.describe("with arguments and a working directory", () => {
  test.use({
    settings: {
      "sidelight.profile.arguments": ["--name", "with space"],
      "sidelight.profile.workingDirectory": "${workspaceFolder}/inner",
    },
  });

  test("the script gets them", async ({ workspace, open }) => {
    const report = "import os, sys\nprint(os.path.basename(os.getcwd()), sys.argv[1:])\n";
    workspace.write("train.py", report + SCRIPT);
    workspace.write("inner/placeholder.txt", "");
    const editor = await open({ file: "train.py" });
    await editor.palette(COMMAND);
    await expect(editor.terminal()).toContainText("inner ['--name', 'with space']");
  });
});

test.describe("with an interpreter that does not work", () => {
  test.use({
    machineSettings: async ({ machineSettings }, use) => {
      await use({ ...machineSettings, "sidelight.python.interpreter": "/no/such/python" });
    },
  });

  test("it is named, and another can be chosen", async ({ workspace, open }) => {
    workspace.write("train.py", SCRIPT);
    const editor = await open({ file: "train.py" });
    await editor.palette(COMMAND);
    await expect(editor.toast("/no/such/python")).toHaveCount(1);
    await expect(editor.toast("/no/such/python").getByRole("button")).not.toHaveCount(0);
  });
});
