"""Which part of torch itself asks for a value: some of what it asks has an answer without one."""

from __future__ import annotations

import os
from types import CodeType, FrameType
from typing import Any

import torch

from ..frames import current_frame

_OURS = os.path.dirname(__file__) + os.sep
_TORCH = os.path.dirname(torch.__file__) + os.sep
_LOADING = os.path.join(_TORCH, "utils", "data") + os.sep
_GRAD_SCALER = os.path.join(_TORCH, "amp", "grad_scaler.py")

_TRANSFORMER = os.path.join(_TORCH, "nn", "modules", "transformer.py")

_TRUTHS = {
    os.path.join(_TORCH, "distributions"): True,  # Parameters and samples are within bounds.
    os.path.join(_TORCH, "nn", "init.py"): False,  # No value drawn for a weight is out of bounds.
    os.path.join(_TORCH, "nn", "utils", "clip_grad.py"): False,  # No gradient is infinite.
}


def loads_data() -> bool:
    """Whether a DataLoader or sampler asks: it seeds itself and picks rows."""
    return _caller().co_filename.startswith(_LOADING)


def looks_for_overflow() -> bool:
    """Whether GradScaler asks if a gradient overflowed, before it lets the optimizer step."""
    caller = _caller()
    return caller.co_filename == _GRAD_SCALER and caller.co_name != "get_scale"


def mask_that_may_be_causal() -> Any:
    """The mask of which a transformer asks whether it is the causal one; None where none does."""
    frame = _calling_frame()
    return frame.f_locals.get("mask") if frame.f_code.co_filename == _TRANSFORMER else None


def expected_truth() -> bool | None:
    """What a check of torch's own finds where all is well; None where it is no such check."""
    filename = _caller().co_filename
    if filename.startswith(_TORCH):
        for place, truth in _TRUTHS.items():
            if filename.startswith(place):
                return truth
    return None


def _caller() -> CodeType:
    return _calling_frame().f_code


def _calling_frame() -> FrameType:
    """The innermost frame that runs and is not ours."""
    frame: FrameType | None = current_frame(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return frame or current_frame(1)
