"""What stands in a table's cells: figures in their units, sums over steps as the mean step's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sidelight.analysis.tables.table import Column, Row
from sidelight.cli.printable import printable
from sidelight.profile import units
from sidelight.profile.manifest import TimeKind

UNKNOWN: Final = "-"


@dataclass(frozen=True)
class Known:
    """How a table's figures are known.

    Attributes:
        time_kind: Whether its times are measured.
        steps: How many steps its sums are over.
    """

    time_kind: TimeKind
    steps: int


def cell_text(column: Column, row: Row, known: Known) -> str:
    """The text of a row's cell.

    Args:
        column: The column.
        row: The row.
        known: How its figures are known.
    """
    value = row.get(column.name)
    if value is None:
        return UNKNOWN
    if isinstance(value, str):
        return printable(value)
    shown = value / max(known.steps, 1) if column.per_step else value
    is_predicted = column.is_rate and row.get("rate_kind") in ("predicted", "mixed")
    approximately = "≈" if is_predicted else ""
    texts = {
        "ns": lambda: units.duration(shown, predicted=known.time_kind != "measured"),
        "bytes": lambda: units.size(shown),
        "FLOP": lambda: units.flops(shown),
        "FLOP/s": lambda: f"{approximately}{units.flops(shown)}/s",
        "FLOP/byte": lambda: units.ratio(shown),
        "fraction": lambda: units.share(shown, 1),
        "times": lambda: f"{units.ratio(shown, predicted=is_predicted)}x",
    }
    if column.unit:
        return texts[column.unit]()
    if column.per_step:
        return units.mean_count(int(value), known.steps)
    return f"{value:,}" if column.adds_up else str(value)
