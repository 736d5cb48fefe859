"""Process groups where there are no values: those of one's own making, and what needs values."""

from __future__ import annotations

import functools
from typing import Any

from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from ..device.module import DEVICE
from .failures import Failures

_distributed: Any = distributed


def install(failures: Failures) -> None:
    """Have groups of the device's be made from now on, and say what cannot be.

    Args:
        failures: Stops a script that goes on to what needs values.
    """
    if not _distributed.is_available() or not _distributed.is_gloo_available():
        return
    _distributed.Backend.register_backend(DEVICE, _gloo, devices=[DEVICE, "cpu"])
    parallel: Any = DistributedDataParallel
    real = parallel.__init__

    @functools.wraps(real)
    def init(*arguments: Any, **keywords: Any) -> None:
        # It compares and sends its parameters in C++, by their memory.
        raise failures.sends_values("DistributedDataParallel")

    parallel.__init__ = init


def _gloo(store: Any, rank: int, size: int, timeout: Any) -> Any:
    return _distributed.ProcessGroupGloo(store, rank, size, timeout)
