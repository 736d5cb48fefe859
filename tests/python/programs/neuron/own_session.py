"""As AWS's tutorial has it: a schedule, a NeuronConfig, synchronize, export_trace, and the table."""

import sys

import torch
from torch.profiler import ProfilerActivity, profile, schedule

from torch_neuronx.profiling import NeuronConfig, NeuronProfiler, ProfileMode

config = NeuronConfig(
    modes=[ProfileMode.DEVICE, ProfileMode.RUNTIME, ProfileMode.CPU_UTIL],
    max_events_per_nc=10_000,
    capture_enabled_for_nc="0",
    profile_output_dir=sys.argv[1] or None,
)
w = torch.ones(8, 8, device="neuron", requires_grad=True)
x = torch.ones(4, 8, device="neuron")

with profile(
    activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1],
    schedule=schedule(wait=1, warmup=1, active=2, repeat=2),
    experimental_config=config,
    on_trace_ready=NeuronProfiler(config).export_trace,
) as prof:
    for _ in range(8):
        loss = (x @ w).relu().sum()
        loss.backward()
        torch.neuron.synchronize()
        prof.step()

print(prof.key_averages().table(sort_by="self_device_time_total", row_limit=5))
