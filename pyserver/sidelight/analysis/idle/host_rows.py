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
    return _named(profile, _LOADER) & _on_host(profile)


def compiler_rows(profile: Profile) -> Mask:
    """Which rows compile."""
    return _named(profile, _COMPILER) & _on_host(profile)


def waiting_rows(profile: Profile) -> Mask:
    """In which rows the host waits for the device.

    Where calls of a runtime are recorded, these alone: an operator such as ``item`` also copies.
    """
    category = profile.events["category"]
    calls = _named(profile, _RUNTIME_WAIT) & np.isin(category, _OF_RUNTIME)
    if calls.any():
        return calls & _on_host(profile)
    waits = [waits_for_device(name) or bool(_OPERATOR_WAIT.match(name)) for name in profile.strings]
    is_operator = category == Category.OPERATOR
    return np.array(waits, np.bool_)[profile.events["name"]] & is_operator & _on_host(profile)


def _named(profile: Profile, pattern: re.Pattern[str]) -> Mask:
    names = np.array([bool(pattern.match(name)) for name in profile.strings], np.bool_)
    return names[profile.events["name"]]


def _on_host(profile: Profile) -> Mask:
    on_host = np.array([track.kind == "host" for track in profile.tracks], np.bool_)
    return on_host[profile.events["track"]]
