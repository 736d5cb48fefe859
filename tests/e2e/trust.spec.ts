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
  await editor.openSideBar("Sidelight");
  await expect(editor.page.getByText(/trust/i).first()).toBeVisible();

  // The extension's commands are known by now, but this one cannot be run.
  await editor.searchPalette("Sidelight:");
  await expect(editor.quickPickRow("Sidelight: Show Timeline")).toBeVisible();
  await expect(editor.quickPickRow("Sidelight: Profile on Trainium")).toHaveCount(0);
  expect(server.processes("-m sidelight")).toEqual([]);
  expect(workspace.has("ran")).toBe(false);
});
