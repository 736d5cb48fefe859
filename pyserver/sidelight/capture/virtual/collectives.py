"""Collectives: ``init_process_group(backend="neuron")``, with gloo beneath, on the same memory."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import torch
from torch import distributed

from ..device.private import DEVICE_KEY
from . import private
from .answering import Answering
from .storages import DEVICE

_distributed: Any = distributed

_BACKEND = "neuron"

_registered: list[Any] = []
"""What is registered holds as long as its library lives."""


def install(answering: Answering) -> None:
    """Register the backend, where this torch has collectives.

    Args:
        answering: Answers the device's collectives by those of the host.
    """
    if not _distributed.is_available() or not _distributed.is_gloo_available():
        return
    # The host's tensors go through the same group, as in one that names a backend for each.
    _distributed.Backend.register_backend(_BACKEND, _gloo, devices=[DEVICE.type, "cpu"])
    library: Any = torch.library.Library("c10d", "IMPL")
    with warnings.catch_warnings():
        # torch has kernels for every device, which ask the device's own backend.
        warnings.simplefilter("ignore")
        for name in private.operator_names():
            if name.startswith("c10d::") and private.has_kernel(name, DEVICE_KEY):
                operator = private.overload(name)
                library.impl(operator, partial(answering.answer, operator), DEVICE_KEY)
    _registered.append(library)


def _gloo(store: Any, rank: int, size: int, timeout: Any) -> Any:
    return _distributed.ProcessGroupGloo(store, rank, size, timeout)
