"""What the device's memory holds, by the names that scripts ask for it.

These are the sizes of the program's tensors. An allocator's rounding and what it keeps for later
are not known, so that what is reserved is what is allocated.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import torch

from .memory import Memory

_MIB = 1 << 20

_POOLS = ("all", "small_pool", "large_pool")
"""How torch's allocators divide their figures; here all is large."""


class MemoryFigures:
    """The functions of one device.

    Args:
        memory: What the program holds.
        device: The device.
        capacity_bytes: What it could hold.
    """

    def __init__(self, memory: Memory, device: torch.device, capacity_bytes: int) -> None:
        self._memory = memory
        self._device = device
        self._capacity_bytes = capacity_bytes

    def memory_allocated(self, device: Any = None) -> int:
        """What the program holds, in bytes."""
        return self._memory.live_bytes(self._device)

    def max_memory_allocated(self, device: Any = None) -> int:
        """The most that it held since the start, or since the peak was reset, in bytes."""
        return self._memory.recent_peak_bytes(self._device)

    def memory_reserved(self, device: Any = None) -> int:
        """What the program holds, in bytes."""
        return self.memory_allocated()

    def max_memory_reserved(self, device: Any = None) -> int:
        """The most that it held since the start, or since the peak was reset, in bytes."""
        return self.max_memory_allocated()

    def mem_get_info(self, device: Any = None) -> tuple[int, int]:
        """What is free and what there is, in bytes."""
        return max(self._capacity_bytes - self.memory_allocated(), 0), self._capacity_bytes

    def memory_stats(self, device: Any = None) -> OrderedDict[str, int]:
        """The figures by the names that torch's allocators give them, in bytes."""
        current, peak = self.memory_allocated(), self.max_memory_allocated()
        figures: OrderedDict[str, int] = OrderedDict()
        for kind in ("active_bytes", "allocated_bytes", "requested_bytes", "reserved_bytes"):
            for pool in _POOLS:
                is_here = pool != "small_pool"
                figures[f"{kind}.{pool}.current"] = current if is_here else 0
                figures[f"{kind}.{pool}.peak"] = peak if is_here else 0
        return figures

    def memory_summary(self, device: Any = None, abbreviated: bool = False) -> str:
        """The figures as a text to print."""
        free_bytes, _ = self.mem_get_info()
        rows = (
            ("held by tensors", self.memory_allocated()),
            ("most held", self.max_memory_allocated()),
            ("free", free_bytes),
            ("in all", self._capacity_bytes),
        )
        lines = [f"{name:<16}{size_bytes / _MIB:>14,.1f} MiB" for name, size_bytes in rows]
        return "\n".join([f"Memory of {self._device}, by the sizes of tensors", *lines])

    def reset_peak_memory_stats(self, device: Any = None) -> None:
        """Let the peak begin anew from what is held now; the profile's is that of the whole run."""
        self._memory.reset_recent_peak(self._device)

    def reset_accumulated_memory_stats(self, device: Any = None) -> None:
        """No figure accumulates."""

    def empty_cache(self) -> None:
        """Nothing is kept for later."""
