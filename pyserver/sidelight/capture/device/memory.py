"""How much memory the program would hold: its tensors' storages, by their sizes."""

from __future__ import annotations

import threading
import weakref
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Callable, NamedTuple, cast

import torch

from . import private


class Storage(NamedTuple):
    """A storage that lives.

    Attributes:
        size_bytes: Its size.
        device: Where it would be.
        number: Its place in the order of making.
        end: Tells of its end.
    """

    size_bytes: int
    device: torch.device
    number: int
    end: weakref.ref[Any]


class Peak(NamedTuple):
    """When a device held most.

    Attributes:
        total_bytes: How much that was.
        number: Of the storage whose making brought it about.
    """

    total_bytes: int
    number: int


class Memory:
    """Counts the bytes of living storages by device.

    A view shares a storage, so that it adds nothing, and neither does what works in place.

    Args:
        device_of: Where a tensor counts as being; None where it is none whose memory counts.

    Attributes:
        peaks: When each device held most.
    """

    def __init__(self, device_of: Callable[[Any], torch.device | None]) -> None:
        self._device_of = device_of
        self.peaks: dict[torch.device, Peak] = {}
        self._storages: dict[int, Storage] = {}
        self._live_bytes: defaultdict[torch.device, int] = defaultdict(int)
        self._recent_peak_bytes: defaultdict[torch.device, int] = defaultdict(int)
        self._made = 0
        self._followed: dict[int, int | None] = {}
        # A storage ends wherever a tensor does: on any thread, and in the middle of this here.
        self._lock = threading.RLock()

    def made(self, result: Any) -> None:
        """An operator gave this: a tensor, several, or something else."""
        if isinstance(result, torch.Tensor):
            self._see(result)
        elif isinstance(result, (tuple, list)):
            for part in cast("Sequence[Any]", result):
                if isinstance(part, torch.Tensor):
                    self._see(part)

    def storage_made(self, storage: Any, device: torch.device) -> None:
        """A device got a storage that it did not have before."""
        with self._lock:
            self._made += 1
            key, size_bytes = storage._cdata, storage.nbytes()
            end = weakref.KeyedRef(storage, self._ended, key)
            self._storages[key] = Storage(size_bytes, device, self._made, end)
            self._add(device, size_bytes)

    def storage_resized(self, storage: Any) -> None:
        """A storage that the device has is of another size now."""
        with self._lock:
            known = self._storages.get(storage._cdata)
            if known is not None:
                size_bytes = storage.nbytes()
                self._storages[storage._cdata] = known._replace(size_bytes=size_bytes)
                self._add(known.device, size_bytes - known.size_bytes)

    def forget_building(self) -> None:
        """The first step begins: what the host held until then was for putting models together."""
        for device in self.peaks:
            if device.type == "cpu":
                self.peaks[device] = Peak(self._live_bytes[device], self._made)

    def forget(self) -> None:
        """In a forked child, where another thread of the parent's may have held the lock."""
        self._lock = threading.RLock()
        self._storages = {}

    def live_bytes(self, device: torch.device) -> int:
        """What a device holds now."""
        return self._live_bytes[device]

    def recent_peak_bytes(self, device: torch.device) -> int:
        """The most that a device has held since its peak was reset."""
        return self._recent_peak_bytes[device]

    def reset_recent_peak(self, device: torch.device) -> None:
        """Let a device's peak begin anew from what it holds now."""
        self._recent_peak_bytes[device] = self._live_bytes[device]

    def storage_of(self, tensor: torch.Tensor) -> Storage | None:
        """What is known of a tensor's storage; None for a real tensor."""
        key = _key(tensor)
        return None if key is None else self._storages.get(key)

    def follow(self, storages: Iterable[Storage]) -> None:
        """Know of these storages when they end, and of no others any more."""
        with self._lock:
            self._followed = {storage.number: None for storage in storages}

    def was_held_at(self, peak: Peak, storage: Storage) -> bool:
        """Whether a storage was there at a peak: one that lives, or that is followed."""
        ended_at = self._followed.get(storage.number)
        return storage.number <= peak.number and (ended_at is None or ended_at >= peak.number)

    def compute_device(self) -> torch.device:
        """Where the program computes: the accelerator that held most, or the host without one."""
        accelerators = [device for device in self.peaks if device.type != "cpu"]
        if not accelerators:
            return torch.device("cpu")
        return max(accelerators, key=lambda device: self.peaks[device].total_bytes)

    def _see(self, tensor: torch.Tensor) -> None:
        device = self._device_of(tensor)
        if device is None:
            return
        key = _key(tensor)
        if key is not None and key not in self._storages:
            self.storage_made(tensor.untyped_storage(), device)

    def _add(self, device: torch.device, size_bytes: int) -> None:
        self._live_bytes[device] += size_bytes
        live_bytes = self._live_bytes[device]
        peak = self.peaks.get(device)
        if peak is None or live_bytes > peak.total_bytes:
            self.peaks[device] = Peak(live_bytes, self._made)
        self._recent_peak_bytes[device] = max(self._recent_peak_bytes[device], live_bytes)

    def _ended(self, end: weakref.KeyedRef[int, Any]) -> None:
        with self._lock:
            storage = self._storages.pop(end.key, None)
            if storage is not None:
                self._live_bytes[storage.device] -= storage.size_bytes
                if storage.number in self._followed:
                    self._followed[storage.number] = self._made


def _key(tensor: torch.Tensor) -> int | None:
    """The identity of a tensor's storage; None where it has none of its own.

    Sparse tensors have not, nor have the parameters of lazy layers that wait for their shape.
    """
    try:
        return private.storage_key(tensor)
    except (NotImplementedError, RuntimeError, ValueError):
        return None
