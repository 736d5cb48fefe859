"""The rows of the host that tell why it launched nothing: by their names.

Batches are fetched in the region that torch's ``DataLoader`` opens around it
(``enumerate(DataLoader)#….__next__``), or with stacks in its method. torch's compiler has a region
for each of its phases, whose names end in ``(dynamo_timed)``; the capture one for the whole, as
some versions of torch have none. What waits for the device is a call of a runtime that synchronizes
or copies and waits, else an operator whose result the host looks at.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from sidelight.analysis.chosen_rows import named_rows, rows_on_host
from sidelight.analysis.nesting import Mask
from sidelight.hardware.operators.registry import waits_for_device
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

_LOADER: Final = re.compile(
    r"enumerate\(DataLoader\)|.*torch/utils/data/dataloader\.py\(\d+\): __next__$"
)
_COMPILER: Final = re.compile(
    r"sidelight::compiling$|.* \(dynamo_timed\)$|.*neuronx?[-_]cc\b"
    r"|.*torch/_dynamo/convert_frame\.py\(\d+\): "
)
_RUNTIME_WAIT: Final = re.compile(
    r".*synchronize|(?:cuda|hip)Memcpy(?:2D|3D)?$|hipMemcpyWithStream$|kbl_exec_wait$",
    re.IGNORECASE,
)
_OPERATOR_WAIT: Final = re.compile(r"sidelight::stream (?:wait|await) \d+$")

_OF_RUNTIME: Final = (Category.RUNTIME, Category.DEVICE_RUNTIME)


def loader_rows(profile: Profile) -> Mask:
    """Which rows fetch the next batch."""
    return named_rows(profile, rows_on_host(profile), _LOADER.match)


def compiler_rows(profile: Profile) -> Mask:
    """Which rows compile."""
    return named_rows(profile, rows_on_host(profile), _COMPILER.match)


def waiting_rows(profile: Profile) -> Mask:
    """In which rows the host waits for the device.

    Where calls of a runtime are recorded, these alone: an operator such as ``item`` also copies.
    """
    category, on_host = profile.events["category"], rows_on_host(profile)
    calls = named_rows(profile, np.isin(category, _OF_RUNTIME), _RUNTIME_WAIT.match)
    if calls.any():
        return calls & on_host
    return named_rows(profile, on_host & (category == Category.OPERATOR), _operator_waits)


def _operator_waits(name: str) -> bool:
    return waits_for_device(name) or bool(_OPERATOR_WAIT.match(name))
