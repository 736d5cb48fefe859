// A folder that is not trusted runs nothing.

import { expect, test } from "./support/fixtures";
import { SCRIPT } from "./support/scripts";

test.use({ workspaceTrust: true });

test("nothing runs in a folder that is not trusted, until it is", async ({
  workspace,
  server,
  open,
}) => {
  workspace.writeProfiled("train.py", SCRIPT);
  // What a folder might try: a program of its own as the interpreter.
  const bait = `#!/bin/sh\ntouch ${workspace.path("ran")}\n`;
  workspace.write("bait.sh", bait);
  workspace.makeExecutable("bait.sh");
  workspace.write(
    ".vscode/settings.json",
    JSON.stringify({
      "sidelight.python.interpreter": workspace.path("bait.sh"),
      "sidelight.server.python": workspace.path("bait.sh"),
    }),
  );
  const editor = await open({ file: "train.py" });
  await expect(editor.statusBarItem("Restricted Mode")).toBeVisible();
  await expect.poll(() => server.extensionLog()).toContain("activated");

  await editor.searchPalette("Sidelight:");
  await expect(editor.quickPickRow("Sidelight: Focus on Profiles View")).toBeVisible();
  await expect(editor.quickPickRow("Sidelight: Profile on Trainium")).toHaveCount(0);
  await editor.page.keyboard.press("Escape");
  expect(server.processes("-m sidelight")).toEqual([]);
  expect(workspace.has("ran")).toBe(false);

  await editor.openSideBar("Sidelight");
  await editor.sideBar().getByRole("button", { name: "Manage Workspace Trust" }).click();
  await editor.page.getByRole("button", { name: "Trust", exact: true }).click();
  await expect.poll(() => editor.hint("heavy = x @ self.weight")).not.toBe("");
});
