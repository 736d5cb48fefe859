"""Tensors without values in files: ``torch.save``, ``torch.load``, and copies through pickle.

A file that a program writes to by hand may hold what days of training came to, so that nothing is
written to it here. Within the run the program finds what it has saved.
"""

from __future__ import annotations

import functools
import io
import os
from typing import Any, Callable

import torch
from torch._subclasses.fake_tensor import FakeTensor

from ..notes import Notes


class Checkpoints:
    """Keeps what is saved, from its making on.

    Args:
        notes: Where it is said.
        place: The innermost line of the script that runs, as ``file:line``.
    """

    def __init__(self, notes: Notes, place: Callable[[], str]) -> None:
        self._notes = notes
        self._place = place
        self._kept: dict[str, bytes] = {}
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
        path = _path(f)
        if path is None:
            self._real_save(obj, f, *arguments, **keywords)
            return
        file = io.BytesIO()
        self._real_save(obj, file, *arguments, **keywords)
        self._kept[path] = file.getvalue()
        place = self._place()
        self._notes.say(
            "checkpoint_not_written",
            "info",
            f"{place} saves to {path}. The fake target has no values to save, so nothing was "
            "written there; within the run it can be loaded again.",
            place=place,
        )

    def _load(self, f: Any, *arguments: Any, **keywords: Any) -> Any:
        path = _path(f)
        kept = self._kept.get(path or "")
        if kept is not None:
            keywords.pop("mmap", None)
            return self._real_load(io.BytesIO(kept), *arguments, **keywords)
        if path is not None and not os.path.exists(path):
            self._notes.say(
                "checkpoint_missing",
                "error",
                f"{self._place()} loads {path}, which is not there. The fake target needs no "
                "values, but the names and shapes in the file: save one with the same there, or "
                "leave the loading out where the file is missing.",
            )
        return self._real_load(f, *arguments, **keywords)


def _path(file: Any) -> str | None:
    """The absolute path of a file that is given by its name."""
    try:
        return os.path.abspath(os.fsdecode(file))
    except TypeError:
        return None


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
    tensor = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    if parameter:
        return torch.nn.Parameter(tensor, requires_grad)
    return tensor.requires_grad_(requires_grad)
