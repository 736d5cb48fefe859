"""The device ``neuron``, as torch is told of it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import torch

from . import operators, runtime

_DEVICE = "neuron"


def register() -> None:
    """Make ``neuron`` a device of torch's, and ``torch.neuron`` its module."""
    backends: Any = import_module("torch.utils.backend_registration")
    backends._setup_privateuseone_for_python_backend(_DEVICE, backend_module=NeuronModule())
    operators.register()


class NeuronModule(ModuleType):
    """``torch.neuron``: two cores, of which programs use one."""

    def __init__(self) -> None:
        super().__init__(f"torch.{_DEVICE}")

    def is_available(self) -> bool:
        return True

    def is_initialized(self) -> bool:
        return True

    def device_count(self) -> int:
        return 2

    def current_device(self) -> int:
        return 0

    def synchronize(self, device: object = None) -> None:
        runtime.synchronize(device)

    def _is_in_bad_fork(self) -> bool:
        return False

    def manual_seed_all(self, seed: int) -> None:
        """Random numbers are the host's."""

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        return [torch.bfloat16]
