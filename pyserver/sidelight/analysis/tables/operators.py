"""The table of operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.analysis.tables.main_lines import MAIN_LINE_COLUMNS, main_lines, no_line
from sidelight.analysis.tables.operator_totals import OperatorTotals
from sidelight.analysis.tables.table import (
    MEAN,
    SELF,
    SHARE,
    TOTAL,
    WORK,
    Row,
    by_device_time,
    count,
    text,
    time_cells,
)
from sidelight.analysis.tables.work_cells import work_cells
from sidelight.profile.model import Profile

OPERATOR_COLUMNS: Final = (
    text("name", "operator", "The framework's operator, or the compiler's."),
    SELF,
    TOTAL,
    count("Rows of device time that count under it."),
    MEAN,
    SHARE,
    *WORK,
    *MAIN_LINE_COLUMNS,
)


def operator_rows(profile: Profile, dots: Sequence[RooflineDot], device_ns: int) -> list[Row]:
    """Every operator with device time, of its own or of what it calls.

    An operator that was priced as a kernel has work, also where those that it calls have the time.

    Args:
        profile: An attributed profile.
        dots: Its operators under the roofline.
        device_ns: Its device time.
    """
    totals, dot_of = OperatorTotals(profile), {dot.name: dot for dot in dots}
    name_of: IntColumn = profile.events["name"].astype(np.int64)
    line_of = main_lines(profile, name_of[profile.events["operator"]])
    rows: list[Row] = []
    numbers: list[int] = np.flatnonzero(totals.total_ns).tolist()
    for number in numbers:
        name = profile.strings[number]
        self_ns, total_ns = int(totals.self_ns[number]), int(totals.total_ns[number])
        rows.append(
            {
                "name": name,
                **time_cells(self_ns, total_ns, int(totals.count[number]), device_ns),
                **work_cells(dot_of.get(name)),
                **line_of.get(number, no_line()),
            }
        )
    return by_device_time(rows)
