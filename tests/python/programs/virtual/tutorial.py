"""The profiling tutorial's pattern: a schedule with warm-up, the device's own configuration."""

import sys

import torch
from torch.profiler import ProfilerActivity, profile, schedule
from torch_neuronx.profiling import NeuronConfig, NeuronProfiler, ProfileMode

SORTED_BY = (
    *("cpu_time_total", "self_cpu_time_total", "device_time_total", "self_device_time_total"),
    *("cuda_time_total", "self_cuda_time_total", "privateuse1_time_total"),
    *("self_privateuse1_time_total", "count"),
)

directory = sys.argv[1]
model = torch.nn.Linear(256, 512).to("neuron", torch.bfloat16)
inputs = torch.ones(128, 256, device="neuron", dtype=torch.bfloat16)

config = NeuronConfig(
    modes=[ProfileMode.DEVICE, ProfileMode.RUNTIME, ProfileMode.CPU_UTIL, ProfileMode.HOST_MEMORY],
    max_events_per_nc=10_000,
    capture_enabled_for_nc="0",
    profile_output_dir=directory,
    neff_cache_dir=directory,
    precache_node_info=True,
    correlate_device_time=True,
)
with profile(
    activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1],
    schedule=schedule(wait=0, warmup=1, active=3, repeat=1),
    on_trace_ready=NeuronProfiler(config).export_trace,
    experimental_config=config,
    record_shapes=len(sys.argv) > 2,
    with_stack=len(sys.argv) > 2,
) as prof:
    for _ in range(4):
        torch.relu(model(inputs))
        torch.neuron.synchronize()
        prof.step()
averages = prof.key_averages()
for key in SORTED_BY:
    averages.table(sort_by=key, row_limit=5)
print(averages.table(sort_by="self_device_time_total", row_limit=10))
for row in averages:
    if row.device_type != torch.autograd.DeviceType.CPU or row.self_device_time_total:
        print("row", row.key, row.count, row.self_device_time_total, sep="|")
try:
    NeuronConfig(modes=[], invented=1)
except TypeError:
    print("an invented option is refused")
