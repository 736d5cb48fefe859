"""The table of tensors, where a profile has them."""

from __future__ import annotations

from typing import Final

from sidelight.analysis.tables.table import Row, mean, number, text
from sidelight.profile.model import Profile
from sidelight.profile.tables import TENSOR_TEXTS

TENSOR_COLUMNS: Final = (
    text("name", "tensor", "What the compiler calls it."),
    text("use", "use", "Input, output, weight, or what else the file calls it."),
    text("dtype", "dtype", "What its elements are."),
    text("shape", "shape", "Its dimensions."),
    text("layout", "layout", "What its dimensions are."),
    number("size_bytes", "size", "bytes", "How large it is.", adds_up=True),
    number("loads", "loads", "", "Transfers that brought it into SBUF.", adds_up=True),
    number("loaded_bytes", "loaded", "bytes", "What these moved.", adds_up=True),
    number("times_loaded", "times loaded", "times", "What was moved of it by its size."),
    number("physical_core", "core", "", "The physical core that it is of."),
)


def tensor_rows(profile: Profile) -> list[Row]:
    """The tensors of the profiled program, the largest first.

    Args:
        profile: Any profile; most know no tensors.
    """
    tensors, rows = profile.tensors, list[Row]()
    for index in range(len(tensors)):
        numbers = {name: int(tensors[name][index]) for name in tensors}
        row: Row = {
            column.name: numbers[column.name] if numbers.get(column.name, -1) >= 0 else None
            for column in TENSOR_COLUMNS
        }
        for name in TENSOR_TEXTS:
            row[name] = profile.strings[numbers[name]] if numbers[name] >= 0 else None
        if numbers["loaded_bytes"] >= 0 and numbers["size_bytes"] > 0:
            row["times_loaded"] = mean(numbers["loaded_bytes"], numbers["size_bytes"])
        rows.append(row)
    return sorted(rows, key=_largest_first)


def _largest_first(row: Row) -> tuple[int, str]:
    size_bytes = row["size_bytes"]
    return -(size_bytes if isinstance(size_bytes, int) else -1), str(row["name"])
