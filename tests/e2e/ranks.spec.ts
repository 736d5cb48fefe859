// A run of several ranks: which one is shown is said everywhere, and another can be chosen.

import path from "node:path";

import { expect, test } from "./support/fixtures";

const SCRIPT = `import torch

y = torch.ones(64, 64) @ torch.ones(64, 64)
`;
const LINE = "y = torch.ones(64, 64) @ torch.ones(64, 64)";

/** Writes traces of three ranks: line 3 takes 1 µs on the first, 2 µs on the second, 3 µs on the last. */
const WRITE = `import sys
from pathlib import Path

sys.path.insert(0, ${JSON.stringify(path.resolve("tests/python"))})
from traces import chrome

for rank in range(3):
    session = Path(f"traces/i-0abc_pid_{40 + rank}/1")
    session.mkdir(parents=True)
    place = f"{Path('train.py').absolute()}(3): step"
    events = [
        chrome.row("python_function", place, 0, 60, pid=40 + rank),
        chrome.operator("aten::mm", 10, 1 + rank, pid=40 + rank),
    ]
    chrome.write(session / "trace.json", events)
`;

test("a rank is chosen in the tree or from the status bar, and everything follows", async ({
  workspace,
  open,
}) => {
  workspace.write("train.py", SCRIPT);
  workspace.write("write.py", WRITE);
  workspace.run("write.py");
  const editor = await open({ file: "train.py" });
  await editor.extensionIsThere();
  await editor.contextMenu(await editor.explorerRow("traces"), /^Open Profile/);
  await expect(editor.statusBarItem("rank 0 of 3")).toBeVisible();
  await expect.poll(() => editor.hint(LINE)).toContain("1.00 µs");

  await editor.openSideBar("Sidelight");
  await expect(editor.treeRow("3 ranks · rank 0: 1.00 µs")).toBeVisible();
  await editor.palette("Sidelight: Show Timeline");
  await expect(editor.timeline.frame.getByText("rank 0 of 3")).toBeVisible();

  await editor.treeRow("Rank 2").click();
  await expect(editor.statusBarItem("rank 2 of 3")).toBeVisible();
  await expect.poll(() => editor.hint(LINE)).toContain("3.00 µs");
  await expect(editor.timeline.frame.getByText("rank 2 of 3")).toBeVisible();
  await expect(editor.treeRow("3 ranks · rank 2: 3.00 µs")).toBeVisible();

  await editor.statusBarItem("rank 2 of 3").click();
  await editor.quickPickRow("Rank 1").click();
  await expect(editor.statusBarItem("rank 1 of 3")).toBeVisible();
  await expect.poll(() => editor.hint(LINE)).toContain("2.00 µs");
  await expect(editor.timeline.frame.getByText("rank 1 of 3")).toBeVisible();
});
