// What only Neuron Explorer can read of a session: offered, run, cancelled. Its part is played by a
// small program on the path.

import fs from "node:fs";
import path from "node:path";

import type { Editor } from "./support/editor";
import { expect, test } from "./support/fixtures";
import type { Workspace } from "./support/workspace";

const SCRIPT = `import torch

y = torch.ones(64, 64) @ torch.ones(64, 64)
`;
const WARM = "y = torch.ones(64, 64) @ torch.ones(64, 64)";
/** Leaves what the runtime does: a recording that nothing but Neuron's own tool reads. */
const RECORDED = `import os
from pathlib import Path

session = Path(os.environ["NEURON_RT_INSPECT_OUTPUT_DIR"], "i-0_pid_42", "1766072157")
session.mkdir(parents=True)
(session / "ntrace.pb").write_bytes(b"?")
`;
const BEFORE = "session · 90.0 µs";

/** Writes the program, and a session: 90 µs on no line by its trace, 50 µs on line 3 in truth. */
const WRITE = `import sys
from pathlib import Path

sys.path.insert(0, ${JSON.stringify(path.resolve("tests/python"))})
from support.explorer_program import write_explorer, write_session

write_explorer(Path("bin"))
write_session(Path("session"), str(Path("train.py").absolute()))
`;

test.describe("where it is on the path", () => {
  test.use({ onPath: ["bin"] });

  test("it is run, and the richer profile takes the place of the other", async ({
    workspace,
    open,
  }) => {
    const editor = await openSession(workspace, open);
    const offer = editor.toast("which only Neuron's own tools can read");
    await expect(offer).toContainText("neuron-explorer is installed here");
    expect(workspace.has("bin/arguments.json")).toBe(false);
    const [before] = storedProfiles(workspace);

    await offer.getByRole("button", { name: "Run neuron-explorer" }).click();
    await expect.poll(() => editor.hint(WARM)).toContain("50.0 µs");
    await expect(editor.toast("is shown with neuron-explorer's tables now")).toBeVisible();
    const after = storedProfiles(workspace);
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);

    // It is known the next time, and nothing is offered or run again.
    fs.rmSync(workspace.path("bin/arguments.json"));
    await editor.palette("Sidelight: Clear Annotations");
    await expect.poll(() => editor.hint(WARM)).toBe("");
    await editor.contextMenu(await editor.explorerRow("session"), /^Open Profile/);
    await expect.poll(() => editor.hint(WARM)).toContain("50.0 µs");
    expect(storedProfiles(workspace)).toEqual(after);
    expect(workspace.has("bin/arguments.json")).toBe(false);
  });

  test("cancelling ends it, and what was shown stays", async ({ workspace, server, open }) => {
    const editor = await openSession(workspace, open);
    workspace.write("bin/says", "sleep");
    const before = storedProfiles(workspace);
    await editor.button("Run neuron-explorer").click();
    const progress = editor.toast("Running neuron-explorer on session");
    await expect(progress).toContainText("INFO processing");
    expect(server.processes("view --ingest-only")).toHaveLength(1);
    await progress.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => server.processes("view --ingest-only")).toEqual([]);
    await expect(progress).toBeHidden();
    expect(storedProfiles(workspace)).toEqual(before);
    await expect(editor.statusBarItem(BEFORE)).toBeVisible();
  });

  test("what it says when it fails is explained", async ({ workspace, open }) => {
    const editor = await openSession(workspace, open);
    workspace.write("bin/says", "ERROR could not find NEFF for profile.ntff");
    await editor.button("Run neuron-explorer").click();
    await expect(editor.toast("could not find NEFF")).toContainText(
      "Copy it from the compile cache beside the NTFF.",
    );
    await expect(editor.statusBarItem(BEFORE)).toBeVisible();
  });
});

test.describe("after a run through torch-xla", () => {
  test.use({ onPath: ["bin"], settings: { "sidelight.profile.target": "neuron-xla" } });

  test("what the runtime recorded is opened, and read by it", async ({ workspace, open }) => {
    writeSession(workspace);
    workspace.write("train.py", RECORDED);
    const editor = await open({ file: "train.py" });
    await editor.palette("Sidelight: Profile on Trainium");
    const ending = editor.toast("train.py ended with status 0; what the Neuron runtime recorded");
    await expect(ending).toBeVisible();
    await ending.getByRole("button", { name: "Open Recording" }).click();
    await editor.button("Run neuron-explorer").click();
    await expect(editor.statusBarItem("50.0 µs")).toBeVisible();
    expect(storedProfiles(workspace)).toHaveLength(1);
  });
});

test("where it is not, the command to run elsewhere is copied", async ({ workspace, open }) => {
  writeSession(workspace);
  const [trace = ""] = fs.globSync("session/*/*/trace.json", { cwd: workspace.directory });
  fs.rmSync(workspace.path(trace));
  const editor = await open({ file: "train.py" });
  await editor.allowClipboard();
  await editor.extensionIsThere();
  await editor.contextMenu(await editor.explorerRow("session"), /^Open Profile/);
  const offer = editor.toast("which only Neuron's own tools can read");
  await expect(offer).toContainText("Where Neuron's tools are, run neuron-explorer view");
  await offer.getByRole("button", { name: "Copy Command" }).click();
  await expect
    .poll(() => editor.clipboard())
    .toBe(
      `neuron-explorer view --ingest-only -d ${workspace.path("session")} ` +
        "--data-path neuron-explorer-data --display-name session",
    );
});

function writeSession(workspace: Workspace): void {
  workspace.write("train.py", SCRIPT);
  workspace.write("write.py", WRITE);
  workspace.run("write.py");
}

/** Opens the session as a person does, and waits for what its trace alone tells. */
async function openSession(
  workspace: Workspace,
  open: (opening: { file: string }) => Promise<Editor>,
): Promise<Editor> {
  writeSession(workspace);
  const editor = await open({ file: "train.py" });
  await editor.extensionIsThere();
  await editor.contextMenu(await editor.explorerRow("session"), /^Open Profile/);
  await expect(editor.statusBarItem(BEFORE)).toBeVisible();
  return editor;
}

function storedProfiles(workspace: Workspace): readonly string[] {
  return fs.readdirSync(workspace.path(".sidelight/profiles"));
}
