// The language server may die; the numbers come back.

import type { CodeServer } from "./support/codeServer";
import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { SCRIPT, lineOf } from "./support/scripts";

const HEAVY = "heavy = x @ self.weight";

test("killed, it is started again and nothing is lost", async ({ workspace, server, open }) => {
  const document = workspace.writeProfiled("train.py", SCRIPT);
  const hint = expected.hint(document, lineOf(SCRIPT, HEAVY));
  const editor = await open({ file: "train.py" });
  await expect.poll(() => editor.hint(HEAVY)).toBe(hint);

  const killed = killServer(server);
  await expect.poll(() => languageServers(server).some((pid) => pid !== killed)).toBe(true);
  await expect.poll(() => editor.hint(HEAVY)).toBe(hint);
  await editor.clickEndOf("import torch");
  await editor.page.keyboard.type("\n# Edited after the crash.");
  await expect.poll(() => editor.hint(HEAVY)).toBe(hint);
});

test("killed, it shows what was chosen before", async ({ workspace, server, open }) => {
  workspace.write("train.py", SCRIPT);
  const older = workspace.profile("train.py", "older");
  workspace.profile("train.py", "newer");
  const editor = await open({ file: "train.py" });
  await editor.openSideBar("Sidelight");
  await editor.treeRow("older").click();
  await expect(editor.statusBarItem("older")).toBeVisible();

  const killed = killServer(server);
  await expect.poll(() => languageServers(server).some((pid) => pid !== killed)).toBe(true);
  // The list is asked for again by whoever looks: only the new server can rename.
  await editor.contextMenu(editor.treeRow("older"), /^Rename/);
  await editor.fillInputBox("older and renamed");
  await expect(editor.treeRow("older and renamed")).toBeVisible();
  await expect(editor.statusBarItem("older and renamed")).toBeVisible();
  const hint = expected.hint(older, lineOf(SCRIPT, HEAVY));
  await expect.poll(() => editor.hint(HEAVY)).toBe(hint);
});

test("five crashes give one message, with the log and a new start", async ({
  workspace,
  server,
  open,
}) => {
  workspace.writeProfiled("train.py", SCRIPT);
  const editor = await open({ file: "train.py" });
  await expect.poll(() => editor.hint(HEAVY)).not.toBe("");

  const killed = new Set<number>();
  for (let crash = 1; crash <= 5; crash += 1) {
    await expect
      .poll(() => languageServers(server).filter((pid) => !killed.has(pid)).length)
      .toBe(1);
    killed.add(killServer(server));
  }
  const message = editor.toast(/five times|5 times/);
  await expect(message).toHaveCount(1);
  await expect(editor.page.locator(".monaco-dialog-box")).toHaveCount(0);
  await expect(message.getByRole("button", { name: "Show Log" })).toBeVisible();

  await message.getByRole("button", { name: "Start Again" }).click();
  await expect.poll(() => editor.hint(HEAVY)).not.toBe("");
});

function killServer(server: CodeServer): number {
  const [pid] = languageServers(server);
  if (pid === undefined) {
    throw new Error("no language server runs");
  }
  process.kill(pid, "SIGKILL");
  return pid;
}

function languageServers(server: CodeServer): number[] {
  return server.processes("-m sidelight server");
}
