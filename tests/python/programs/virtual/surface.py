"""What programs call on the device ``neuron``, each call checked where it is made."""

import importlib.util
import os
import sys
import threading

assert "torch" not in sys.modules
assert importlib.util.find_spec("torch_neuronx") is not None
import torch_neuronx

assert "torch" in sys.modules, "TorchNeuron brings torch along"
import torch
from torch_neuronx import nki_op, wrap_nki
from torch_neuronx.nki_hop import wrap_nki as wrap_of_submodule

assert hasattr(torch, "neuron")
assert importlib.util.find_spec("torch_neuronx.profiling") is not None
assert os.environ["NEURON_RT_NUM_CORES"] == "2"
neuron = torch.neuron


def raised(kind, function, *arguments, **keywords):
    """The message of what a call raises."""
    try:
        function(*arguments, **keywords)
    except kind as error:
        return str(error)
    raise AssertionError(f"{function} raised nothing")


# The device.
neuron.init()
assert neuron.is_available() and neuron.is_initialized() and not neuron._is_in_bad_fork()
assert neuron.is_bf16_supported()
assert neuron.device_count() == 2
assert neuron.current_device() == 0
with neuron.device(1):
    assert neuron.current_device() == 1
with neuron.device("neuron:1"):
    assert torch.accelerator.current_device_index() == 1
neuron.set_device(torch.device("neuron"))
neuron.set_device(torch.device("neuron", 0))
assert "neuron:5" in raised(RuntimeError, neuron.set_device, 5)
properties = neuron.get_device_properties(0)
assert neuron.get_device_name() == properties.name == "Trainium2"
assert properties.total_memory == 24 << 30
assert torch.bfloat16 in neuron.get_device_capability()["supported_dtypes"]

# Tensors and modules.
tensor = torch.ones(4, 4).neuron()
assert tensor.is_neuron and tensor.device == torch.device("neuron", 0)
assert torch.nn.Linear(2, 2).neuron().weight.is_neuron
assert torch.ones(2).to(neuron.current_device()).is_neuron

# Memory.
before = neuron.memory_allocated()
held = torch.empty(1 << 20, device="neuron")
assert neuron.memory_allocated() - before == 4 << 20
assert neuron.memory_reserved() == neuron.memory_allocated()
del held
assert neuron.memory_allocated() == before
assert neuron.max_memory_allocated() == neuron.max_memory_reserved() >= before + (4 << 20)
neuron.reset_peak_memory_stats()
assert neuron.max_memory_allocated() == before
assert neuron.memory_stats()["allocated_bytes.all.current"] == before
assert "MiB" in neuron.memory_summary()
neuron.empty_cache()
free, total = neuron.mem_get_info()
assert total - free == before

# Random numbers.
neuron.manual_seed(7)
first = torch.rand(3, device="neuron")
neuron.manual_seed_all(7)
assert neuron.initial_seed() == 7
assert torch.equal(first, torch.rand(3, device="neuron"))
state = neuron.get_rng_state()
first = torch.rand(3, device="neuron")
neuron.set_rng_state(state)
assert torch.equal(first, torch.rand(3, device="neuron"))
with torch.random.fork_rng([0], device_type="neuron"):
    neuron.seed()
    neuron.seed_all()
assert torch.equal(
    torch.rand(3, device="neuron"), (neuron.set_rng_state(state), torch.rand(6, device="neuron"))[1][3:]
)

# Streams and events.
default = neuron.default_stream()
assert neuron.current_stream() == default == torch.accelerator.current_stream()
side = neuron.Stream()
assert side != default and isinstance(side, torch.Stream)
with neuron.stream(side):
    assert neuron.current_stream() == side
    with default:
        assert neuron.current_stream() == default
    assert neuron.current_stream() == side
with neuron.StreamContext(side):
    assert neuron.current_stream() == side
with neuron.stream(None):
    assert neuron.current_stream() == default
neuron.set_stream(side)
seen = []
thread = threading.Thread(target=lambda: seen.append(neuron.current_stream()))
thread.start()
thread.join()
assert seen == [side]
neuron.set_stream(default)
large = torch.ones(128, 128, device="neuron", dtype=torch.bfloat16)
start, end = (neuron.Event(enable_timing=True) for _ in range(2))
assert isinstance(start, torch.Event)
assert "recorded" in raised(RuntimeError, start.elapsed_time, end)
assert "enable_timing" in raised(ValueError, start.elapsed_time, neuron.Event())
start.record()
with neuron.stream(side):
    side.wait_stream(default)
    side.wait_event(start)
    for _ in range(8):
        large @ large
    end.record()
    large.record_stream(side)
default.wait_event(end)
default.record_event().synchronize()
assert end.query() and side.query()
end.wait()
end.synchronize()
side.synchronize()
assert 0 < start.elapsed_time(end) == -end.elapsed_time(start)
agnostic = torch.Event(enable_timing=True)
agnostic.record()
assert start.elapsed_time(agnostic) >= start.elapsed_time(end)
torch.Stream(device="neuron").synchronize()

# Any accelerator.
accelerator = torch.accelerator
assert accelerator.is_available() and accelerator.device_count() == 2
assert accelerator.current_accelerator().type == "neuron"
accelerator.set_device_index(1)
assert accelerator.current_device_index() == 1 == neuron.current_device()
accelerator.set_device_index(0)
with accelerator.device_index(0):
    accelerator.synchronize()
accelerator.set_stream(side)
assert accelerator.current_stream() == side
accelerator.set_stream(default)
assert accelerator.memory_allocated() == accelerator.memory.memory_allocated() > 0
assert accelerator.max_memory_allocated() >= accelerator.memory_reserved() > 0
assert accelerator.memory_stats()["allocated_bytes.all.peak"] > 0
accelerator.reset_peak_memory_stats()
accelerator.empty_cache()
assert accelerator.get_memory_info()[1] == total

# The package has the same functions.
for name in ("synchronize", "Stream", "Event", "current_stream", "device_count", "is_available"):
    assert getattr(torch_neuronx, name) == getattr(neuron, name)
torch_neuronx.synchronize()

# What it tells of itself.
torch_neuronx.clear_op_tracking()
torch.ones(3, device="neuron").exp() @ torch.ones(3, device="neuron")
executed = torch_neuronx.get_executed_ops()
assert executed.count("aten::exp") == executed.count("aten::dot") == 1
assert torch_neuronx.get_fallback_ops() == []
from torch_neuronx.neuron_dynamo_backend import get_model_name, set_model_name
from torch_neuronx.neuron_dynamo_backend.compile import get_compiled_cache_keys

set_model_name("net")
assert get_model_name() == "net"
assert list(neuron.get_dynamo_metrics()) == list(torch_neuronx.get_dynamo_metrics())
assert get_compiled_cache_keys() == frozenset()


# NKI kernels can be named, and not run.
def kernel(a):
    raise AssertionError("only a NeuronCore runs this")


@nki_op("surface::scaled", mutates_args={})
def scaled(a: torch.Tensor) -> torch.Tensor:
    return wrap_nki(kernel)[2](a)


@scaled.register_fake
def _(a):
    return torch.empty_like(a)


for call in (scaled, torch.ops.surface.scaled, wrap_nki(kernel)[(1, 2)], wrap_of_submodule(kernel)):
    assert "which only a NeuronCore runs" in raised(RuntimeError, call, tensor)
print("all is there")
