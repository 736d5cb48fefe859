"""Types of 64 bits, which the chip computes in 32: said once, as values are not cut down here."""

from __future__ import annotations

import warnings
from types import FrameType
from typing import Any, Callable

import torch

from ..frames import current_frame

_WIDE = frozenset({torch.int64, torch.float64, torch.complex128})

_PRINTING = "torch._tensor_str"
"""The part of torch that makes tensors wider to print them."""

_OURS = __name__.rpartition(".")[0]


def warned_of(made: Callable[[Any, torch.device], None]) -> Callable[[Any, torch.device], None]:
    """A function that is told of the device's storages, and warns of the first that is of 64 bits.

    Args:
        made: Is told as well.
    """
    is_told = False

    def told(storage: Any, device: torch.device) -> None:
        nonlocal is_told
        made(storage, device)
        if not is_told and storage.host.dtype in _WIDE:
            frame = _calling_frame()
            if frame.f_globals.get("__name__") != _PRINTING:
                is_told = True
                _warn(storage.host.dtype, frame)

    return told


def _calling_frame() -> FrameType:
    """The innermost frame that is not ours."""
    frame = current_frame(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_OURS):
        frame = frame.f_back
    return frame


def _warn(dtype: torch.dtype, frame: FrameType) -> None:
    warnings.warn_explicit(
        f"{dtype} tensors stay what they are on a NeuronCore, but are computed in 32 bits there. "
        "The virtual device computes them in 64: values beyond 32 bits will differ on the chip.",
        UserWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
    )
