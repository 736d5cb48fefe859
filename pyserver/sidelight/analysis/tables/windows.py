"""What a table shows when it is sorted, filtered, grouped and scrolled: the rows of a window.

Cheap to import: no numpy in here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from sidelight.analysis.tables.table import Cell, Column, Row, Table
from sidelight.profile.errors import UnreadableInputError

Comparison = Literal["contains", "equals", "at_least", "at_most"]

GROUPED = "rows"
"""The column of groups that says how many rows each holds."""


class Sorting(msgspec.Struct, frozen=True):
    """By which column to sort; unknown values come last either way.

    Attributes:
        column: Its name.
        descending: Whether the largest comes first.
    """

    column: str
    descending: bool = True


class Filter(msgspec.Struct, frozen=True):
    """Which rows to keep; none whose value is unknown.

    Attributes:
        column: The name of the column that is looked at.
        comparison: ``contains`` is of texts, whatever their case; the last two are of numbers.
        value: What it is compared with.
    """

    column: str
    comparison: Comparison
    value: str | float


class Query(msgspec.Struct, frozen=True):
    """What is asked of a table.

    Attributes:
        sort: The first column matters most; empty keeps the table's own order.
        filters: All must hold.
        group: The column whose equal values make one row; empty for none.
        first: The number of the first row wanted, from 0 on.
        count: How many.
    """

    sort: list[Sorting] = msgspec.field(default_factory=list[Sorting])
    filters: list[Filter] = msgspec.field(default_factory=list[Filter])
    group: str = ""
    first: int = 0
    count: int = 100


class Window(msgspec.Struct, frozen=True):
    """The rows of a window.

    Attributes:
        columns: What the rows have; of groups those that add up, and ``rows``, how many they hold.
        rows: At most as many as were asked for.
        total: How many there are in all, with the filters.
        sums: Over all of those, of the columns that add up; None where no value is known.
    """

    columns: list[Column]
    rows: list[Row]
    total: int
    sums: Row


def window(table: Table, query: Query) -> Window:
    """Answer a query.

    Args:
        table: The table.
        query: What is asked of it.

    Raises:
        UnreadableInputError: ``no_such_column``: the table has none of a name.
    """
    columns = {column.name: column for column in table.columns}
    for each in query.filters:
        _check(columns, each.column)
    rows: Sequence[Row] = [row for row in table.rows if _passes(row, query.filters)]
    sums = _sums(rows, columns.values())
    if query.group:
        _check(columns, query.group)
        rows, columns = _grouped(rows, columns, query.group)
    for each in query.sort:
        _check(columns, each.column)
    for each in reversed(query.sort):
        rows = _sorted(rows, each)
    first = max(query.first, 0)
    shown = list(rows[first : first + max(query.count, 0)])
    return Window(list(columns.values()), shown, len(rows), sums)


def _check(columns: dict[str, Column], name: str) -> None:
    if name not in columns:
        raise UnreadableInputError(
            "no_such_column", f"The table has no column {name}. It has {', '.join(columns)}."
        )


def _passes(row: Row, filters: Iterable[Filter]) -> bool:
    return all(_holds(row[each.column], each) for each in filters)


def _holds(cell: Cell, wanted: Filter) -> bool:
    value = wanted.value
    if cell is None:
        return False
    if wanted.comparison == "equals":
        return cell == value
    if wanted.comparison == "contains":
        return str(value).casefold() in str(cell).casefold()
    if isinstance(cell, str) or isinstance(value, str):
        return False
    return cell >= value if wanted.comparison == "at_least" else cell <= value


def _sorted(rows: Sequence[Row], by: Sorting) -> list[Row]:
    """Rows by one column; those that are equal in it keep their order."""
    known = [row for row in rows if row[by.column] is not None]
    unknown = [row for row in rows if row[by.column] is None]

    def key(row: Row) -> tuple[float, str]:
        cell = row[by.column]
        return (0, cell.casefold()) if isinstance(cell, str) else (cell or 0, "")

    return [*sorted(known, key=key, reverse=by.descending), *unknown]


def _sums(rows: Iterable[Row], columns: Iterable[Column]) -> Row:
    sums: Row = {column.name: None for column in columns if column.adds_up}
    for row in rows:
        for name, before in sums.items():
            cell = row[name]
            if isinstance(cell, int | float):
                sums[name] = cell + (before if isinstance(before, int | float) else 0)
    return sums


def _grouped(
    rows: Iterable[Row], columns: dict[str, Column], by: str
) -> tuple[list[Row], dict[str, Column]]:
    """One row for each value of a column, in the order of their first rows."""
    members: dict[Cell, list[Row]] = {}
    for row in rows:
        members.setdefault(row[by], []).append(row)
    kept = {name: column for name, column in columns.items() if column.adds_up}
    counted = Column(name=GROUPED, title="rows", adds_up=True, description="How many it holds.")
    return (
        [
            {by: value, GROUPED: len(held), **_sums(held, kept.values())}
            for value, held in members.items()
        ],
        {by: columns[by], GROUPED: counted, **kept},
    )
