"""Tensors without values in files: ``torch.save``, ``torch.load``, and copies through pickle.

A file that a program writes to by hand may hold what days of training came to, so that nothing is
written over it. Within the run the program finds what it has saved.
"""

from __future__ import annotations

import functools
import io
import os
import threading
from typing import Any, Callable

import torch
from torch._subclasses.fake_tensor import FakeTensor

from ..notes import Notes
from . import saved_files
from .saved_files import SavedFiles

_MapLocation = Any
"""What ``torch.load`` is told of devices: a device or its name, a mapping of names, a function."""


class _Thread(threading.local):
    """What the file that is being loaded on the thread is to be mapped to."""

    map_location: _MapLocation = None


_thread = _Thread()


class Checkpoints:
    """Keeps what is saved, from its making on.

    Args:
        notes: Where it is said.
        place: The innermost line of the script that runs, as ``file:line``.

    Attributes:
        files: What was saved under names of files.
    """

    def __init__(self, notes: Notes, place: Callable[[], str]) -> None:
        self._notes = notes
        self._place = place
        self.files = SavedFiles()
        self._real_save: Callable[..., Any] = torch.save
        self._real_load: Callable[..., Any] = torch.load
        setattr(FakeTensor, "__reduce_ex__", _description)  # noqa: B010
        serialization: Any = torch.serialization
        serialization.add_safe_globals([_described])
        save = functools.wraps(torch.save)(self._function(self._save))
        load = functools.wraps(torch.load)(self._function(self._load))
        torch.save = serialization.save = save
        torch.load = serialization.load = load

    @staticmethod
    def _function(method: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments, **keywords: method(*arguments, **keywords)

    def _save(self, obj: object, f: Any, *arguments: Any, **keywords: Any) -> None:
        path = saved_files.path_of(f)
        if path is None:
            self._real_save(obj, f, *arguments, **keywords)
            name = saved_files.name_of(f)
            if name is not None:
                self._say_kept(name, self.files.keep_opened(f, name))
            return
        file = io.BytesIO()
        self._real_save(obj, file, *arguments, **keywords)
        self._say_kept(path, self.files.keep(path, file.getvalue()))

    def _say_kept(self, path: str, has_real: bool) -> None:
        place = self._place()
        what = (
            "what is there was left as it was"
            if has_real
            else "the file is there until the run ends"
        )
        self._notes.say(
            "checkpoint_not_written",
            "info",
            f"{place} saves to {path}. The fake target has no values to save, so that {what}; "
            "within the run it can be loaded again.",
            place=place,
        )

    def _load(
        self, f: Any, map_location: _MapLocation = None, *arguments: Any, **keywords: Any
    ) -> Any:
        path = saved_files.path_of(f)
        kept = None if path is None else self.files.kept(path)
        if kept is not None:
            keywords.pop("mmap", None)
            f = io.BytesIO(kept)
        elif path is not None and not os.path.exists(path):
            self._notes.say(
                "checkpoint_missing",
                "error",
                f"{self._place()} loads {path}, which is not there. The fake target needs no "
                "values, but the names and shapes in the file: save one with the same there, or "
                "leave the loading out where the file is missing.",
            )
        before, _thread.map_location = _thread.map_location, map_location
        try:
            return self._real_load(f, map_location, *arguments, **keywords)
        finally:
            _thread.map_location = before


def _description(tensor: FakeTensor, protocol: int) -> tuple[Any, ...]:
    """What pickle writes of a tensor: all there is."""
    shape, stride = tuple(tensor.shape), tensor.stride()
    parameter = isinstance(tensor, torch.nn.Parameter)
    details = (shape, stride, tensor.dtype, tensor.device, tensor.requires_grad, parameter)
    return _described, details


def _described(
    shape: tuple[int, ...],
    stride: tuple[int, ...],
    dtype: torch.dtype,
    device: torch.device,
    requires_grad: bool,
    parameter: bool,
) -> torch.Tensor:
    """A tensor as pickle found it."""
    device = _mapped(device)
    tensor = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    if parameter:
        return torch.nn.Parameter(tensor, requires_grad)
    return tensor.requires_grad_(requires_grad)


def _mapped(device: torch.device) -> torch.device:
    """Where a tensor that was saved on a device is loaded to."""
    where: Any = _thread.map_location
    if where is None:
        return device
    if callable(where):
        # A function is given the storage, which torch has loaded to the host.
        storage: Any = where(torch.UntypedStorage(0), str(device))
        return device if storage is None else storage.device
    if hasattr(where, "get"):
        where = where.get(str(device), device)
    return torch.device(where)
