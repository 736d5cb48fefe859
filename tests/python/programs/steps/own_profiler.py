"""A script that uses torch.profiler itself.

``schedule``: wait 1, warm up 1, record 3, twice, with a handler that exports each cycle.
``twice``: two sessions of ten products each, one after the other, without a schedule.
The exports go to the directory in the second argument.
"""

import sys
from pathlib import Path

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule

torch.manual_seed(0)
mode, directory = sys.argv[1], Path(sys.argv[2])
model = nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def train_step():
    loss = model(torch.randn(4, 8)).square().mean()  #: loss
    optimizer.zero_grad()
    loss.backward()  #: backward
    optimizer.step()  #: step


def products(count):
    for _ in range(count):
        torch.ones(4) * 2  #: product


if mode == "schedule":
    cycles = []

    def handler(profiler):
        cycles.append(len(cycles))
        profiler.export_chrome_trace(str(directory / f"cycle-{cycles[-1]}.json"))
        rows = {row.key: row.count for row in profiler.key_averages()}
        print("cycle", cycles[-1], "addmm", rows["aten::addmm"])

    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=1, warmup=1, active=3, repeat=2),
        on_trace_ready=handler,
    ) as profiler:
        for _ in range(12):
            train_step()
            profiler.step()
else:
    for session in range(2):
        with profile(activities=[ProfilerActivity.CPU]) as profiler:
            products(10)
        rows = {row.key: row.count for row in profiler.key_averages()}
        print("session", session, "mul", rows["aten::mul"])
        profiler.export_chrome_trace(str(directory / f"session-{session}.json"))
    products(5)
