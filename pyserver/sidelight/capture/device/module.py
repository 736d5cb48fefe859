"""The device ``neuron`` where there is none: its name, and what ``torch.neuron`` has."""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from types import ModuleType, SimpleNamespace
from typing import Any, Callable

import torch

from ...hardware.chips import chip
from . import accelerator, autocast, package, private
from .clock import DeviceClock
from .introspection import Introspection
from .memory import Memory
from .memory_figures import MemoryFigures
from .random_numbers import RandomNumbers
from .rows import SYNCHRONIZE, mark
from .streams import Streams, install_for_valueless_tensors

DEVICE = "neuron"

FORKED = (
    "Cannot re-initialize Neuron runtime in forked subprocess. Where no device is real, processes "
    "that are started anew ('spawn') have none either: start one process a rank with torchrun, as "
    "in `torchrun --nproc-per-node 2 -m sidelight profile SCRIPT`"
)
"""Why a child of a process that had used the device is refused it; begins as the runtime does."""

_CORES = "NEURON_RT_NUM_CORES"

_PROCESSES = "LOCAL_WORLD_SIZE"
"""How many processes torchrun started on this machine: each has a core of its own."""


def install(
    memory: Memory, clock: DeviceClock, named: Callable[[int], None], *, draws: bool
) -> NeuronDevice | None:
    """Register the device, unless TorchNeuron is installed and is to do that itself.

    A torch that does not let Python register a device goes without.

    Args:
        memory: What the program holds.
        clock: The device's clock.
        named: Told of a number, other than the device's own, by which a program names it.
        draws: Whether the device's random numbers are drawn, from the host's generator.

    Returns:
        The device; None where it was not registered.
    """
    taken = private.registered_device() != private.UNNAMED_DEVICE
    is_real = PathFinder.find_spec(package.NAME) is not None
    if private.register_device is None or taken or is_real:
        return None
    module = ModuleType(f"torch.{DEVICE}")
    private.register_device(DEVICE, backend_module=module)
    device = NeuronDevice(memory, clock, named, draws=draws)
    module.__dict__.update(device.functions)
    autocast.install(DEVICE)
    install_for_valueless_tensors()
    accelerator.install(device.functions)
    sys.modules.update(package.modules(device.functions))
    return device


class NeuronDevice:
    """One logical core, as one process gets it.

    Args:
        memory: What the program holds.
        clock: Its clock.
        named: Told of a number of a device that there is not.
        draws: Whether its random numbers are drawn.

    Attributes:
        functions: The functions of ``torch.neuron`` by name.
        is_in_bad_fork: Whether this process was forked from one that had used the device.
    """

    def __init__(
        self, memory: Memory, clock: DeviceClock, named: Callable[[int], None], *, draws: bool
    ) -> None:
        core = clock.setup.core
        self.is_in_bad_fork = False
        self._memory = memory
        self._clock = clock
        self._named = named
        self._index = 0
        self._properties = SimpleNamespace(
            name=chip(core.chip).title,
            total_memory=core.hbm_bytes,
            multi_processor_count=core.physical_cores,
        )
        self._figures = MemoryFigures(memory, torch.device(DEVICE, 0), core.hbm_bytes)
        self.functions: dict[str, Any] = {
            **_public(self),
            **_public(self._figures),
            **_public(RandomNumbers(draws=draws)),
            **Streams(clock, DEVICE).functions(),
            **Introspection(clock).functions(),
            "_is_in_bad_fork": lambda: self.is_in_bad_fork,
            # What torch.load asks for the number of a device that something is to be loaded to.
            "_utils": SimpleNamespace(_get_device_index=self._loaded_to),
        }

    def init(self) -> None:
        """There is nothing to begin with.

        Raises:
            RuntimeError: The device cannot be used in this forked child.
        """
        if self.is_in_bad_fork:
            raise RuntimeError(FORKED)

    def is_initialized(self) -> bool:
        """It is from the start, but not in a forked child."""
        return not self.is_in_bad_fork

    def is_available(self) -> bool:
        """It stands for one that is."""
        return True

    def device_count(self) -> int:
        """One logical core, or as many as the program says that it has processes or cores."""
        numbers = [os.environ.get(name, "") for name in (_CORES, _PROCESSES)]
        return max([1, *(int(number) for number in numbers if number.isdecimal())])

    def current_device(self) -> int:
        """The number of the core that was set."""
        return self._index

    def set_device(self, device: Any) -> None:
        """Choose a core, which changes its number alone: all stand for the same.

        Raises:
            RuntimeError: There is no such core.
        """
        index = _index(device)
        if index is None:
            return
        if index >= self.device_count():
            raise RuntimeError(
                f"There is no {DEVICE}:{index}: this process has {self.device_count()} of them. "
                f"Set {_CORES} to have more."
            )
        self._index = index

    def device(self, device: Any) -> _Chosen:
        """A context in which a core is chosen."""
        return _Chosen(self, device)

    def _loaded_to(self, device: Any, optional: bool = False) -> int:
        """The number of the core that a device means; 0, which is told, where there is none."""
        index = _index(device)
        if index is None:
            return self._index
        if index < self.device_count():
            return index
        self._named(index)
        return 0

    def get_device_name(self, device: Any = None) -> str:
        """The chip's name."""
        return self._properties.name

    def get_device_properties(self, device: Any = None) -> SimpleNamespace:
        """The chip's name, and the memory and cores of one logical core."""
        return self._properties

    def get_device_capability(self, device: Any = None) -> dict[str, Any]:
        """The types that tensors may have."""
        kinds = (value for value in vars(torch).values() if isinstance(value, torch.dtype))
        return {"supported_dtypes": set(kinds)}

    def synchronize(self, device: Any = None) -> None:
        """Wait until the device is done, and leave a row where the program does."""
        mark(SYNCHRONIZE)
        self._clock.waited()

    def is_bf16_supported(self, including_emulation: bool = True) -> bool:
        """Every chip does."""
        return True

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        """What autocast may lower to."""
        return [torch.bfloat16, torch.float16]


class _Chosen:
    """Chooses a core until it is left."""

    def __init__(self, neuron: NeuronDevice, device: Any) -> None:
        self._neuron = neuron
        self._device = device
        self._before = neuron.current_device()

    def __enter__(self) -> None:
        self._before = self._neuron.current_device()
        self._neuron.set_device(self._device)

    def __exit__(self, *raised: Any) -> None:
        self._neuron.set_device(self._before)


def _index(device: Any) -> int | None:
    """The number that a device is given by, as a number, a name or a device; None for none."""
    if device is None or isinstance(device, int):
        return None if device is None or device < 0 else device
    return torch.device(device).index


def _public(part: object) -> dict[str, Callable[..., Any]]:
    """The functions of one part of the device."""
    names = [name for name in vars(type(part)) if not name.startswith("_")]
    return {name: getattr(part, name) for name in names}
