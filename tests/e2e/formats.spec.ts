// Profiles that people have already: a folder of Neuron's own, and a trace that was cut off.

import fs from "node:fs";
import path from "node:path";

import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { recording } from "./support/scripts";

const KERNEL = `def kernel(tile):
    product = tile @ tile
    return product + 1
`;

/** Writes a session of the Neuron runtime, and the tables that Neuron Explorer made of it. */
const SESSION = `import sys
from pathlib import Path

sys.path.insert(0, ${JSON.stringify(path.resolve("tests/python"))})
from support.explorer_tables import write_tables

session = Path("neuron/i-0abc_pid_41/1766072157")
session.mkdir(parents=True)
for name in ("ntrace.pb", "trace_info.pb"):
    (session / name).write_bytes(b"?")


def instruction(engine, opcode, start, end, line):
    place = f"{Path('kernel.py').absolute()}:{line}"
    times = {"start_ts": start, "end_ts": end, "duration_ns": end - start}
    return {"engine": engine, "opcode": opcode, "nki_source_location": place, **times}


rows = [
    instruction("tensor", "MATMUL", 1000, 31000, 2),
    instruction("vector", "TENSOR_TENSOR", 31000, 41000, 3),
]
write_tables(Path("neuron/profiles/global/x@latest"), {"Instruction": rows})
`;

/** Instead of those rows, one that the compiler made of both lines. */
const SHARED_ROW = `both = instruction("tensor", "MATMUL", 1000, 41000, 2)
both["nki_source_location"] = str([f"{Path('kernel.py').absolute()}:{line}" for line in (2, 3)])
both["nki_source_location"] = both["nki_source_location"].replace("'", '"')
write_tables(Path("neuron/profiles/global/x@latest"), {"Instruction": [both]})
`;

test("a session's folder opens from its context menu, with times beside the kernel's lines", async ({
  workspace,
  open,
}) => {
  workspace.write("kernel.py", KERNEL);
  workspace.write("write_session.py", SESSION);
  workspace.run("write_session.py");
  const editor = await open({ file: "kernel.py" });
  await editor.extensionIsThere();
  await editor.contextMenu(await editor.explorerRow("neuron"), /^Open Profile/);
  await expect.poll(() => editor.hint("product = tile @ tile")).toContain("30.0 µs · 75");
  const document = workspace.lines(storedProfile(workspace.directory));
  for (const [line, text] of [
    [2, "product = tile @ tile"],
    [3, "return product + 1"],
  ] as const) {
    // Compiled code is not entered, so there is no count.
    const times = [expected.selfTime(document, line), expected.share(document, line)];
    expect(await editor.hint(text)).toBe(times.join(" · "));
  }

  const hover = await editor.hover("product = tile @ tile", "product");
  await expect(hover).toContainText("apportioned");
});

test("a row of several lines shows each one's part, and asks which to go to", async ({
  workspace,
  open,
}) => {
  workspace.write("kernel.py", KERNEL);
  workspace.write("write_session.py", `${SESSION}\n${SHARED_ROW}`);
  workspace.run("write_session.py");
  const editor = await open({ file: "kernel.py" });
  await editor.extensionIsThere();
  await editor.contextMenu(await editor.explorerRow("neuron"), /^Open Profile/);
  await expect(editor.statusBarItem("40.0 µs")).toBeVisible();
  await editor.palette("Sidelight: Show Timeline");
  const { timeline } = editor;
  await timeline.canvas.click({ position: await timeline.findInMiddle("MATMUL") });
  await expect(timeline.details).toContainText("Source, apportioned");
  const places = timeline.details.locator("ol.places").first().getByRole("listitem");
  await expect(places).toHaveText(["kernel.py:220.0 µs · 50.0%", "kernel.py:320.0 µs · 50.0%"]);

  await editor.page.keyboard.press("Enter");
  await expect(editor.quickPickRow("kernel.py:2")).toContainText("20.0 µs · 50.0%");
  await editor.quickPickRow("kernel.py:3").click();
  await expect(editor.statusBarItem("Ln 3,")).toBeVisible();
  await expect(editor.line("return product + 1")).toBeVisible();
});

test("a trace that was cut off opens with what is whole, and says so", async ({
  workspace,
  open,
}) => {
  workspace.write("record.py", recording("cut.pt.trace.json"));
  workspace.run("record.py");
  const trace = workspace.path("cut.pt.trace.json");
  fs.truncateSync(trace, Math.floor(fs.statSync(trace).size * 0.8));
  const editor = await open();
  await editor.openSideBar("Sidelight");
  await expect(editor.sideBar().getByText("No profile yet")).toBeVisible();
  await (await editor.explorerRow("cut.pt.trace.json")).dblclick();
  await expect(editor.timeline.canvas).toBeVisible();

  await editor.timeline.frame.getByRole("button", { name: /^Data quality: / }).click();
  const report = editor.timeline.frame.getByRole("region", { name: /^Data quality/ });
  await expect(report).toContainText("The file ends before its events do");
});

/** The id of the one profile in a folder's store. */
function storedProfile(folder: string): string {
  const [only, ...others] = fs.readdirSync(path.join(folder, ".sidelight", "profiles"));
  expect(others).toEqual([]);
  return only ?? "";
}
