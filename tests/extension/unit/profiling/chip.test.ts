import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, test } from "vitest";

import { hasChip } from "../../../../extension/src/profiling/chip";

test.each([
  [["neuron0"], true],
  [["null", "neuron12", "tty"], true],
  [["null", "neuron", "neuron_monitor", "xneuron0", "neuron0.bak"], false],
  [[], false],
])("a machine whose devices are %j has a chip: %s", async (names, expected) => {
  const devices = mkdtempSync(path.join(os.tmpdir(), "devices-"));
  for (const name of names) writeFileSync(path.join(devices, name), "");
  expect(await hasChip(devices)).toBe(expected);
});

test("a system without such files has none", async () => {
  expect(await hasChip("/there/is/no/such/folder")).toBe(false);
});
