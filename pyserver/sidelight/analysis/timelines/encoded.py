"""Windows as they are sent: what was drawn, with what stands on each span, in columns; and back."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sidelight.analysis.nesting import Indexes, IntColumn
from sidelight.analysis.timelines.colour_keys import ColourKeys
from sidelight.analysis.timelines.drawn import DrawnWindow
from sidelight.analysis.timelines.drawn_types import SPAN_COLUMNS, ColourBy, Window
from sidelight.analysis.timelines.overview import REGION_CATEGORY
from sidelight.analysis.timelines.regions import Regions
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import line_name, shown_categories, shown_name
from sidelight.profile.tables import Category

_LITTLE_ENDIAN = {
    "float64": "<f8",
    "int32": "<i4",
    "uint32": "<u4",
    "uint16": "<u2",
    "uint8": "<u1",
}

_LONGEST_NAME = 200
"""Names of spans are cut to this: those of C++ kernels can be pages long."""


class WindowEncoder:
    """Puts what is known of events beside where they are drawn.

    Args:
        profile: An attributed profile.
        regions: Its regions, whose rows follow its events.
    """

    def __init__(self, profile: Profile, regions: Regions) -> None:
        self._profile = profile
        self._regions = regions
        self._colour_keys = ColourKeys(profile)

    @cached_property
    def label(self) -> IntColumn:
        """A number for what stands on each row: its string's, else its frame's, else its region's.

        Those of frames are above those of strings, and those of regions above them.
        """
        events = self._profile.events
        is_line = (events["category"] == Category.LINE) & (events["frame"] >= 0)
        label = np.where(is_line, len(self._profile.strings) + events["frame"], events["name"])
        return np.append(label, self._first_of_regions + np.arange(len(self._regions)))

    @property
    def _first_of_regions(self) -> int:
        return len(self._profile.strings) + len(self._profile.frames)

    @cached_property
    def _category(self) -> npt.NDArray[np.int8]:
        of_regions = np.full(len(self._regions), REGION_CATEGORY, np.int8)
        return np.append(shown_categories(self._profile), of_regions)

    def name(self, label: int) -> str:
        """What a label says."""
        strings = self._profile.strings
        if label >= self._first_of_regions:
            name = self._regions.name(label - self._first_of_regions)
        elif label >= len(strings):
            name = line_name(self._profile, label - len(strings))
        else:
            name = shown_name(strings[label])
        return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"

    def window(self, drawn: DrawnWindow, colour_by: ColourBy) -> Window:
        """A window as it is sent.

        Args:
            drawn: Its spans.
            colour_by: What ``key`` tells of each.
        """
        labels, names = np.unique(self.label[drawn.event], return_inverse=True)
        key, keys = self._colour_keys.of(drawn.event, colour_by)
        columns: dict[str, Indexes] = {
            **drawn.columns,
            "event": drawn.event,
            "name": names,
            "key": key,
            "category": self._category[drawn.event],
        }
        return Window(
            from_ns=drawn.from_ns,
            to_ns=drawn.to_ns,
            bin_ns=drawn.bin_ns,
            count=len(drawn.event),
            names=[self.name(int(label)) for label in labels],
            keys=keys,
            spans=_encoded(columns),
        )


def decoded_spans(window: Window) -> dict[str, Indexes]:
    """The columns of a window's spans, each of its ``count``."""
    content = base64.b64decode(window.spans)
    columns: dict[str, Indexes] = {}
    first = 0
    for name, kind in SPAN_COLUMNS:
        values = np.frombuffer(content, _LITTLE_ENDIAN[kind], window.count, first)
        first += values.nbytes
        columns[name] = values.astype(np.int64)
    return columns


def _encoded(columns: Mapping[str, Indexes]) -> str:
    content = b"".join(
        columns[name].astype(_LITTLE_ENDIAN[kind]).tobytes() for name, kind in SPAN_COLUMNS
    )
    return base64.b64encode(content).decode("ascii")
