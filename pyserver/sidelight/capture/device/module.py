"""The device ``neuron`` where there is none: its name, and ``torch.neuron`` with what scripts call.

The mode's tensors need no kernels, so that a device is no more than this.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import torch

from . import autocast, private
from .memory import Memory
from .rows import SYNCHRONIZE, mark

DEVICE = "neuron"

_PACKAGE = "torch_neuronx"
_UNNAMED = "privateuseone"

_FIGURES_OF_MEMORY = (
    *("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"),
    *("memory_stats", "reset_peak_memory_stats", "empty_cache"),
)
"""What torch.accelerator asks of the device's allocator, which is not there."""


def install(memory: Memory, name: str, capacity_bytes: int) -> None:
    """Register the device, unless TorchNeuron is installed and is to do that itself.

    A torch that does not let Python register a device goes without.

    Args:
        memory: What the program holds.
        name: What the device calls itself.
        capacity_bytes: Its memory.
    """
    taken = private.registered_device() != _UNNAMED
    if private.register_device is None or taken or find_spec(_PACKAGE) is not None:
        return
    module = NeuronModule(memory, name, capacity_bytes)
    private.register_device(DEVICE, backend_module=module)
    autocast.install(DEVICE)
    for figure in _FIGURES_OF_MEMORY:
        setattr(torch.accelerator, figure, getattr(module, figure))
    torch.accelerator.synchronize = module.synchronize
    package = ModuleType(_PACKAGE)
    package.__spec__ = ModuleSpec(_PACKAGE, None)
    package.__dict__["synchronize"] = module.synchronize
    sys.modules[_PACKAGE] = package


class NeuronModule(ModuleType):
    """``torch.neuron``: one logical core, on which nothing ever runs.

    Args:
        memory: What the program holds.
        name: What the device calls itself.
        capacity_bytes: Its memory.
    """

    def __init__(self, memory: Memory, name: str, capacity_bytes: int) -> None:
        super().__init__(f"torch.{DEVICE}")
        self._memory = memory
        self._properties = SimpleNamespace(name=name, total_memory=capacity_bytes)

    # The device.

    def init(self) -> None:
        """There is nothing to begin with."""

    def is_initialized(self) -> bool:
        """It is from the start."""
        return True

    def is_available(self) -> bool:
        """It stands for one that is."""
        return True

    def _is_in_bad_fork(self) -> bool:
        return False

    def device_count(self) -> int:
        """One logical core, as one process gets."""
        return 1

    def current_device(self) -> int:
        """The only one there is."""
        return 0

    def set_device(self, device: Any) -> None:
        """There is no other."""

    def get_device_name(self, device: Any = None) -> str:
        """The chip's name."""
        return self._properties.name

    def get_device_properties(self, device: Any = None) -> SimpleNamespace:
        """The chip's name, and the memory of one logical core."""
        return self._properties

    def synchronize(self, device: Any = None) -> None:
        """Leave a row where the program waits for the device."""
        mark(SYNCHRONIZE)

    def is_bf16_supported(self) -> bool:
        """Every chip does."""
        return True

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        """What autocast may lower to."""
        return [torch.bfloat16, torch.float16]

    # Random numbers: none is drawn, so that the host's state stands for the device's.

    def manual_seed(self, seed: int) -> None:
        """Nothing is drawn."""

    def manual_seed_all(self, seed: int) -> None:
        """Nothing is drawn."""

    def seed(self) -> None:
        """Nothing is drawn."""

    def seed_all(self) -> None:
        """Nothing is drawn."""

    def initial_seed(self) -> int:
        """The host's."""
        return torch.initial_seed()

    def get_rng_state(self, device: Any = None) -> torch.Tensor:
        """The host's."""
        return torch.get_rng_state()

    def set_rng_state(self, state: torch.Tensor, device: Any = None) -> None:
        """Nothing is drawn."""

    # Memory: what the program's tensors would take; no allocator keeps more than that.

    def memory_allocated(self, device: Any = None) -> int:
        """What the program holds, in bytes."""
        return self._memory.live_bytes(torch.device(DEVICE, 0))

    def max_memory_allocated(self, device: Any = None) -> int:
        """The most that it has held, in bytes."""
        return self._memory.peak_bytes(torch.device(DEVICE, 0))

    def memory_reserved(self, device: Any = None) -> int:
        """What the program holds, in bytes."""
        return self.memory_allocated()

    def max_memory_reserved(self, device: Any = None) -> int:
        """The most that it has held, in bytes."""
        return self.max_memory_allocated()

    def memory_stats(self, device: Any = None) -> dict[str, int]:
        """Both figures by the names that torch gives them."""
        return {
            "allocated_bytes.all.current": self.memory_allocated(),
            "allocated_bytes.all.peak": self.max_memory_allocated(),
        }

    def reset_peak_memory_stats(self, device: Any = None) -> None:
        """The peak stays that of the whole run."""

    def empty_cache(self) -> None:
        """Nothing is kept."""
