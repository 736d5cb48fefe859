"""``torch.accelerator`` for the device: what torch asks an allocator or a queue written in C++ for.

Programs for any device go through it. What it does by the device's own module it does without help.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

_torch: Any = torch

_FUNCTIONS = (
    *("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"),
    *("memory_stats", "reset_peak_memory_stats", "reset_accumulated_memory_stats", "empty_cache"),
    *("synchronize", "current_stream", "set_stream"),
)
"""Functions of ``torch.accelerator`` that the device's module has by the same names."""

_RENAMED = {
    "get_memory_info": "mem_get_info",
    "set_device_index": "set_device",
    "set_device_idx": "set_device",
    "current_device_index": "current_device",
    "current_device_idx": "current_device",
    "get_device_capability": "get_device_capability",
}
"""Those that it has by others."""

_MEMORY = "memory"
"""The submodule that torch.accelerator's own functions of memory are from."""


def install(functions: dict[str, Callable[..., Any]]) -> None:
    """Have torch.accelerator, and torch's own streams and events, be the device's.

    Args:
        functions: The functions and classes of the device's module.
    """
    accelerator = _torch.accelerator
    memory = getattr(accelerator, _MEMORY, None)
    for name, ours in [*((name, name) for name in _FUNCTIONS), *_RENAMED.items()]:
        for module in (accelerator, memory):
            if hasattr(module, name):
                setattr(module, name, functions[ours])
    _torch.Stream = functions["Stream"]
    _torch.Event = functions["Event"]
