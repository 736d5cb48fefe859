"""What tables show of a dot of the roofline chart."""

from __future__ import annotations

from typing import Final

from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.analysis.tables.table import WORK, Row

_NAMES: Final = tuple(column.name for column in WORK)


def work_cells(dot: RooflineDot | None) -> Row:
    """The cells of the columns ``WORK``; all unknown where there is no dot."""
    return {name: getattr(dot, name) if dot else None for name in _NAMES}
