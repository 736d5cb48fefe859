"""What events are called where people see them, and what they are shown as.

Rows that the capture left have names for machines to read in a recording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PureWindowsPath
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

CATEGORY_NAMES: Final[Mapping[Category, str]] = {
    Category.OPERATOR: "operator",
    Category.LINE: "source line",
    Category.ANNOTATION: "annotation",
    Category.STEP: "step",
    Category.FUNCTION: "Python function",
    Category.RUNTIME: "runtime call",
    Category.DEVICE: "device",
    Category.DEVICE_COARSE: "device driver",
    Category.OTHER: "other",
    Category.DEVICE_RUNTIME: "device runtime",
    Category.HOST_OPERATOR: "operator on the host",
    Category.ENGINE_WORK: "engine",
    Category.COMPILED_OPERATOR: "compiled operator",
}
"""What people call each category."""

_Texts = Sequence[tuple[str, str]]


def category_name(category: int) -> str:
    """What people call a category."""
    return CATEGORY_NAMES[Category(category)]


def place_name(path: str, line: int) -> str:
    """What a source line is called where there is little room: ``model.py:24``."""
    # Windows' rules know both kinds of slashes; the trace may be from anywhere.
    return f"{PureWindowsPath(path).name}:{line}"


def line_name(profile: Profile, frame: int) -> str:
    """What the line of a frame is called where there is little room."""
    frames = profile.frames
    return place_name(profile.files[int(frames["file"][frame])].path, int(frames["line"][frame]))


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
