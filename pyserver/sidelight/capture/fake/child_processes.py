"""Tensors without values on their way to other processes, where nothing of ours is.

A process that is started anew (``spawn``, ``forkserver``) computes as usual: there they are tensors
of zeros, or of the values that are known.
"""

from __future__ import annotations

from functools import partial
from multiprocessing.reduction import ForkingPickler
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily

_made_of: Any = torch.tensor
_zeros: Any = torch.zeros


def install() -> None:
    """Have other processes be given tensors so from now on."""
    ForkingPickler.register(FakeTensor, _given)


def _given(tensor: FakeTensor) -> tuple[Any, ...]:
    """A function that every process has, and what to call it with."""
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter, (tensor.detach(), tensor.requires_grad)
    if tensor.requires_grad:
        return torch.Tensor.requires_grad_, (tensor.detach(), True)
    if tensor.constant is None:
        return partial(_zeros, tuple(tensor.shape), dtype=tensor.dtype), ()
    known: Any = tensor.constant
    with unset_fake_temporarily():
        return partial(_made_of, known.tolist(), dtype=tensor.dtype), ()
