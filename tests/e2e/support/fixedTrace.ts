// A recording that is the same on every machine: three steps of a layer on an accelerator, with one
// thread that launches, idle time between the steps, and memory that was sampled.

import type { LinesDocument, Workspace } from "./workspace";

/** The program it is of. */
export const FIXED_SOURCE = `import torch


def forward(x, weight):
    product = x @ weight
    scaled = product * 2 + x
    return scaled.sum()


forward(torch.ones(1024, 1024), torch.ones(1024, 1024))
`;

interface Row {
  readonly cat: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly pid: number;
  readonly tid: number;
  readonly args: object;
}

const STEP_US = 1_000;
const HOST = { pid: 100, tid: 100 };
const DEVICE = { pid: 0, tid: 7 };
const MATRIX = [1024, 1024];

/** Operators of a step: line of `forward`, name, shapes, when the host calls them, device time. */
const OPERATORS = [
  [5, "aten::mm", [MATRIX, MATRIX], 20, 260],
  [6, "aten::mul", [MATRIX, MATRIX], 80, 120],
  [6, "aten::add", [MATRIX, MATRIX], 140, 110],
  [7, "aten::sum", [MATRIX], 560, 90],
] as const;

/** Writes the program into a folder as `train.py`, and its recording, priced, into its store. */
export function openFixedTrace(workspace: Workspace): LinesDocument {
  workspace.write("train.py", FIXED_SOURCE);
  workspace.write("recording.json", fixedTrace("train.py"));
  return workspace.open("recording.json", ["--device", "trn2", "--name", "fixed"]);
}

/** The trace of a program in a file, as `torch.profiler` writes it. */
export function fixedTrace(file: string): string {
  const rows: object[] = [
    { ph: "M", name: "process_name", pid: HOST.pid, args: { name: "python" } },
    { ph: "M", name: "process_name", pid: DEVICE.pid, args: { name: "python" } },
    { ph: "M", name: "process_labels", pid: DEVICE.pid, args: { labels: "GPU 0" } },
  ];
  for (let step = 0; step < 3; step += 1) rows.push(...stepRows(file, step));
  return JSON.stringify({
    schemaVersion: 1,
    deviceProperties: [{ id: 0, name: "accelerator" }],
    traceEvents: rows.map((row) => ({ ph: "X", ...row })),
  });
}

function stepRows(file: string, step: number): readonly Row[] {
  const start = 10_000 + step * STEP_US;
  const on = (line: number, name: string, from: number, to: number): Row => ({
    ...{ cat: "python_function", name: `${file}(${line}): ${name}`, ...HOST },
    ...{ ts: start + from, dur: to - from, args: { "Python id": step * 10 + line } },
  });
  const rows: Row[] = [
    {
      cat: "user_annotation",
      name: `ProfilerStep#${step}`,
      ts: start,
      dur: STEP_US - 1,
      ...HOST,
      args: {},
    },
    on(10, "<module>", 1, STEP_US - 10),
    on(4, "forward", 10, STEP_US - 50),
  ];
  let free = 0;
  OPERATORS.forEach(([line, name, shapes, at, deviceUs], index) => {
    const id = step * 100 + index + 1;
    const args = {
      "External id": id,
      "Input Dims": shapes,
      "Input type": shapes.map(() => "float"),
    };
    free = Math.max(free, at + 30);
    rows.push(
      on(line, "kernel", at, at + 30),
      { cat: "cpu_op", name, ts: start + at + 1, dur: 25, ...HOST, args },
      {
        ...{ cat: "cuda_runtime", name: "cudaLaunchKernel", ts: start + at + 5, dur: 10, ...HOST },
        args: { correlation: id, "External id": id },
      },
      {
        ...{ cat: "kernel", name: `${name.slice(6)}_kernel`, ts: start + free, dur: deviceUs },
        ...{ ...DEVICE, args: { correlation: id, "External id": id, device: 0, stream: 7 } },
      },
    );
    free += deviceUs;
  });
  return rows;
}
