"""The table of modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.grouping import grouped_sums
from sidelight.analysis.modules.tree import Modules
from sidelight.analysis.parts import parts_in_pieces
from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.analysis.tables.table import (
    MEAN,
    SELF,
    SHARE,
    TOTAL,
    WORK,
    Row,
    by_device_time,
    count,
    number,
    text,
    time_cells,
)
from sidelight.analysis.tables.work_cells import work_cells
from sidelight.profile.model import Profile

_NO_MODULE: Final = "in no module"

MODULE_COLUMNS: Final = (
    text("name", "module", "The module behind those that call it."),
    SELF,
    TOTAL,
    count("Rows of device time that are of it, not of a module that it calls."),
    MEAN,
    SHARE,
    *WORK,
    text("file", "file", "Where its forward is; unknown where a trace knows its name alone."),
    number("line", "number", "", "The line's number, from 1 on."),
)


def module_rows(
    profile: Profile, modules: Modules, dots: Sequence[RooflineDot], device_ns: int
) -> list[Row]:
    """Every module with device time, of its own or of modules that it calls.

    Args:
        profile: An attributed profile.
        modules: Its modules.
        dots: The same under the roofline.
        device_ns: Its device time.
    """
    events = profile.events
    counted = np.flatnonzero(counted_rows(events) & (events["step"] >= 0))
    (nodes,), (sums_ns, counts) = grouped_sums(
        (
            [modules.of(parts.row, parts.stack)],
            [parts.device_ns, np.ones_like(parts.row)],
        )
        for parts in parts_in_pieces(profile, counted)
    )
    paths = [*modules.paths(), _NO_MODULE]
    self_ns, times = [0] * len(paths), [0] * len(paths)
    for node, sum_ns, rows in zip(nodes.tolist(), sums_ns.tolist(), counts.tolist(), strict=True):
        self_ns[node], times[node] = sum_ns, rows
    total_ns, parents = list(self_ns), modules.parents
    for node in reversed(range(len(parents))):
        if parents[node] >= 0:
            total_ns[parents[node]] += total_ns[node]
    dot_of = {dot.name: dot for dot in dots}
    found: list[Row] = []
    for node, path in enumerate(paths):
        place = modules.place(node)
        if total_ns[node]:
            found.append(
                {
                    "name": path,
                    **time_cells(self_ns[node], total_ns[node], times[node], device_ns),
                    **work_cells(dot_of.get(path)),
                    "file": place[0] if place else None,
                    "line": place[1] if place else None,
                }
            )
    return by_device_time(found)
