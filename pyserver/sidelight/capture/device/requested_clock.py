"""The clock of the device that a run is to be predicted for."""

from __future__ import annotations

import os
from typing import Any

from ...hardware.chips import DEFAULT_CHIP
from ...hardware.cores import logical_core
from ...hardware.setup import DEFAULT_AUTO_CAST, Setup
from .clock import DeviceClock

_BLOCKING = "NEURON_LAUNCH_BLOCKING"
"""The variable that makes TorchNeuron wait for each operator."""


def clock_for(request: dict[str, Any]) -> DeviceClock:
    """Make the clock that a run asks for.

    Args:
        request: ``chip`` and ``lnc`` of its core, and ``auto_cast``, where it says.

    Raises:
        HardwareError: There is no such chip, or it has no such configuration.
    """
    core = logical_core(request.get("chip") or DEFAULT_CHIP, request.get("lnc"))
    setup = Setup(core, request.get("auto_cast") or DEFAULT_AUTO_CAST)
    return DeviceClock(setup, is_blocking=os.environ.get(_BLOCKING) == "1")
