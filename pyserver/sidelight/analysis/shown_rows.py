"""What rows that the capture left are called where people see them, and what they are shown as.

In a recording they have names for machines to read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

_OWN_PREFIX: Final = "sidelight::"

_CALLS: Final = (
    ("synchronize", "synchronize: wait for the device"),
    (r"stream wait (\d+)", r"synchronize: wait for stream \1"),
    (r"stream await (\d+)", r"synchronize: wait for event \1"),
    (r"stream use (\d+)", r"use stream \1"),
    (r"stream record (\d+) (\d+)", r"record event \2 on stream \1"),
    (r"stream hold (\d+) (\d+)", r"stream \1 waits for event \2"),
)
"""What a program asks of a device beside its operators: a chip's runtime would be called for it."""

_REGIONS: Final = (
    (r"graph::(\d+)", r"compiled graph \1"),
    ("compiled_region", "compiled region"),
    ("compiling", "torch.compile compiles"),
)

_Texts = Sequence[tuple[str, str]]


def shown_name(name: str) -> str:
    """A row's name as people read it: of rows that are not the capture's, the name itself."""
    return _found(name, (*_CALLS, *_REGIONS)) or name


def shown_categories(profile: Profile) -> npt.NDArray[np.int8]:
    """The category that each event is shown as."""
    events = profile.events
    is_call = np.array([_found(name, _CALLS) is not None for name in profile.strings], np.bool_)
    is_call = is_call[events["name"]] & (events["category"] == Category.OPERATOR)
    return np.where(is_call, Category.RUNTIME, events["category"]).astype(np.int8)


def _found(name: str, texts: _Texts) -> str | None:
    if not name.startswith(_OWN_PREFIX):
        return None
    own_name = name.removeprefix(_OWN_PREFIX)
    for pattern, text in texts:
        match = re.fullmatch(pattern, own_name)
        if match is not None:
            return match.expand(text)
    return None
