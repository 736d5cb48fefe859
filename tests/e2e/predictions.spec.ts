// Predicted times: of a run that computes nothing, and beside what a trace has measured.

import * as expected from "./support/expected";
import { expect, test } from "./support/fixtures";
import { NEURON_SCRIPT, ONE_EVENT_SCRIPT, lineOf } from "./support/scripts";

const WARM = "x.sin_()";
const ON_DEVICE = "product = matrix @ matrix";
const TRACING = `import torch
from torch.profiler import profile

with profile(record_shapes=True) as recorder:
    torch.ones(64, 64) @ torch.ones(64, 64)
recorder.export_chrome_trace("recorded.json")
`;

test.describe("with the target fake", () => {
  test.use({
    settings: { "sidelight.profile.target": "fake", "sidelight.prediction.device": "trn1" },
  });

  test("hint, hover, status bar and tooltip give the command line's prediction", async ({
    workspace,
    open,
  }) => {
    workspace.write("waves.py", ONE_EVENT_SCRIPT);
    const editor = await open({ file: "waves.py" });
    await editor.palette("Sidelight: Profile on Trainium");
    await expect.poll(() => editor.hint(WARM)).toMatch(/^≈/);

    const document = workspace.lines("waves");
    const line = lineOf(ONE_EVENT_SCRIPT, WARM);
    const time = `≈${expected.selfTime(document, line)}`;
    expect((await editor.hint(WARM)).split(" · ")[0]).toBe(time);
    await expect(editor.statusBarItem(/waves · ≈/)).toBeVisible();

    const hover = await editor.hover(WARM, "sin_");
    await expect(hover).toContainText(`${time} of device time a step`);
    // A million elements of four bytes are read, and as many written.
    await expect(hover).toContainText(/1\.00 MFLOP · 8\.00 MB · .* · roof ≈.*≈.* at work \+ ≈/s);
    await expect(hover).toContainText("Predicted for trn1 · ");

    await hover.getByText("Show in timeline").click();
    await expect(editor.timeline.details).toContainText(time);
    const point = await editor.timeline.findInMiddle("aten::sin_");
    const tooltip = (await editor.timeline.tooltipAt(point)) ?? "";
    expect(tooltip).toContain(`${time} at ≈`);
    expect(tooltip).toContain("trn1, predicted");
  });
});

test.describe("with a chip to predict for", () => {
  test.use({
    settings: { "sidelight.prediction.device": "trn2", "sidelight.prediction.lnc": 1 },
  });

  test("a trace that is opened is priced for it", async ({ workspace, open }) => {
    workspace.write("record.py", TRACING);
    workspace.run("record.py");
    const editor = await open();
    await editor.palette("Sidelight: Open Profile");
    await editor.chooseFile(workspace.path("recorded.json"));
    await expect(editor.statusBarItem(/recorded · \d/)).toBeVisible();
    await editor.openSideBar("Sidelight");
    await expect(editor.treeRow(/priced for trn2, LNC 1/)).toBeVisible();
    expect(workspace.lines("recorded").predicted_ns).toBeGreaterThan(0);
  });
});

test.describe("on a machine without a chip", () => {
  test.use({ settings: { "sidelight.profile.targetWithoutChip": "ask" } });

  test("the first run asks what to profile on, and the next one knows", async ({
    workspace,
    open,
  }) => {
    workspace.write("device.py", NEURON_SCRIPT);
    const editor = await open({ file: "device.py" });
    await editor.palette("Sidelight: Profile on Trainium");
    const picker = editor.page.locator(".quick-input-widget");
    await expect(picker.getByText("This machine has no Trainium chip")).toBeVisible();
    await expect(editor.quickPickRow("")).toHaveCount(3);
    await editor.quickPickRow("Virtual device").click();
    await expect.poll(() => editor.hint(ON_DEVICE)).toMatch(/^≈/);

    const document = workspace.lines("device");
    expect(document.target).toBe("virtual");
    const time = `≈${expected.selfTime(document, lineOf(NEURON_SCRIPT, ON_DEVICE))}`;
    expect((await editor.hint(ON_DEVICE)).split(" · ")[0]).toBe(time);
    const hover = await editor.hover(ON_DEVICE, "matrix");
    await hover.getByText("Show in timeline").click();
    await expect(editor.timeline.details).toContainText("aten::mm");
    const point = await editor.timeline.findInMiddle("aten::mm");
    expect(await editor.timeline.tooltipAt(point)).toContain("trn2, LNC 2, predicted");

    workspace.write("again.py", NEURON_SCRIPT);
    await editor.openFile("again.py");
    await editor.palette("Sidelight: Profile on Trainium");
    await expect.poll(() => editor.hint(ON_DEVICE)).toMatch(/^≈/);
    expect(workspace.lines("again").target).toBe("virtual");
  });
});
