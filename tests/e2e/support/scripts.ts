// Small programs to profile: about two seconds each, of which most is torch's start.

/** A training step that the numbers of a line can be told from: `heavy` far before all others. */
export const SCRIPT = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(256, 256) / 16)

    def forward(self, x):
        heavy = x @ self.weight
        return torch.relu(heavy)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.randn(256, 256)
for step in range(6):
    output = net(x)
    loss = output.square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print("trained")
`;

/** The same, and then one pass that torch's own profiler records into a file. */
export function recording(trace: string): string {
  return `${SCRIPT}
from torch.profiler import profile

with profile(with_stack=True, record_shapes=True) as recorder:
    net(x).sum().backward()
recorder.export_chrome_trace(${JSON.stringify(trace)})
`;
}

/** One step whose warm line is one event, so that the line's time and the event's are the same. */
export const ONE_EVENT_SCRIPT = `import torch
from torch import nn


class Waves(nn.Module):
    def forward(self, x):
        x.sin_()
        return x


with torch.no_grad():
    Waves()(torch.randn(1000, 1000))
`;

/** Written for a chip: one step, with one product on the device. */
export const NEURON_SCRIPT = `import torch

matrix = torch.ones(512, 512, device="neuron")
product = matrix @ matrix
torch.neuron.synchronize()
print("largest", product.max().item())
`;

/** Fails in its fifth step. */
export const FAILING_SCRIPT = SCRIPT.replace(
  "    output = net(x)\n",
  '    if step == 4:\n        raise RuntimeError("out of data")\n    output = net(x)\n',
);

/**
 * Trains without end, beside a child of its own, and writes the numbers of both processes into
 * \`pids.txt\`.
 */
export const ENDLESS_SCRIPT = SCRIPT.replace(
  "import torch\n",
  `import os
import subprocess
import sys

import torch
`,
)
  .replace(
    "for step in range(6):\n",
    `child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open("pids.part", "w") as pids:
    pids.write(f"{os.getpid()} {child.pid}")
os.replace("pids.part", "pids.txt")
step = 0
while True:
`,
  )
  .replace("    optimizer.zero_grad()\n", "    optimizer.zero_grad()\n    step += 1\n");

/** The number, from 1, of the line that holds a text. */
export function lineOf(source: string, text: string): number {
  return source.slice(0, source.indexOf(text)).split("\n").length;
}
