"""What a table shows when it is sorted, filtered, grouped and scrolled: the rows of a window.

Cheap to import: no numpy in here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from sidelight.analysis.tables.table import Cell, Column, Row, Table
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import Attribution, TimeKind

Comparison = Literal["contains", "equals", "at_least", "at_most"]

GROUPED: Final = "rows"
"""The column of groups that says how many rows each holds."""

_DECIMALS: Final = 12


class Sorting(msgspec.Struct, frozen=True):
    """By which column to sort; unknown values come last either way.

    Attributes:
        column: Its name.
        descending: Whether the largest comes first.
    """

    column: str
    descending: bool = True


class Filter(msgspec.Struct, frozen=True):
    """Which rows to keep; none whose value is unknown, unless that is asked for.

    Attributes:
        column: The name of the column that is looked at.
        comparison: ``contains`` is of texts, whatever their case; the last two are of numbers.
        value: What it is compared with; None equals the unknown.
    """

    column: str
    comparison: Comparison
    value: str | float | None


class Order(msgspec.Struct, frozen=True):
    """Which rows of a table are wanted, and in which order.

    Attributes:
        sort: The first column matters most; empty keeps the table's own order.
        filters: All must hold.
        text: What one of a row's texts must hold, whatever its case; empty keeps every row.
        group: The column whose equal values make one row; empty for none.
    """

    sort: list[Sorting] = msgspec.field(default_factory=list[Sorting])
    filters: list[Filter] = msgspec.field(default_factory=list[Filter])
    text: str = ""
    group: str = ""


class TablePage(msgspec.Struct, frozen=True):
    """Some rows of a table, as it was asked for.

    Attributes:
        columns: What the rows have; of groups those that add up, and ``rows``, how many they hold.
        rows: At most as many as were asked for. Values by column; null is unknown.
        total: How many there are in all, of those that were asked for.
        sums: Over all of those, of the columns that add up; null where no value is known.
        groups: The columns that rows can be grouped by: texts that several rows share.
        time_kind: Whether device times are measured or predicted.
        attribution: Whether any is apportioned.
    """

    columns: list[Column]
    rows: list[Row]
    total: int
    sums: Row
    groups: list[str]
    time_kind: TimeKind
    attribution: Attribution


class Arranged:
    """A table's rows that were asked for, in their order.

    Args:
        table: The table.
        order: What is wanted of it.

    Attributes:
        columns: What the rows have.
        rows: All of them.

    Raises:
        UnreadableInputError: ``no_such_column``: the table has none of a name.
    """

    def __init__(self, table: Table, order: Order) -> None:
        columns = {column.name: column for column in table.columns}
        for each in order.filters:
            _check(columns, each.column)
        texts = [column.name for column in table.columns if not column.is_number]
        needle = order.text.casefold()
        rows: Sequence[Row] = [
            row
            for row in table.rows
            if _passes(row, order.filters) and (not needle or _has_text(row, texts, needle))
        ]
        self._sums = _sums(rows, columns.values())
        self._groups = [name for name in texts if _is_shared(table.rows, name)]
        self._table = table
        if order.group:
            _check(columns, order.group)
            self._sums[GROUPED] = len(rows)
            rows, columns = _grouped(rows, columns, order.group)
        for each in order.sort:
            _check(columns, each.column)
        for each in reversed(order.sort):
            rows = _sorted(rows, each)
        self.columns = list(columns.values())
        self.rows = rows

    def labelled(self, rows: Sequence[Row]) -> tuple[list[str], list[list[Cell]]]:
        """Columns' names and rows' cells for other programs, which see no label but in a cell.

        Args:
            rows: Some of the rows.

        Returns:
            Of what has times also ``time_kind``, last.
        """
        names = [column.name for column in self.columns]
        kind = [self._table.time_kind] if any(each.unit == "ns" for each in self.columns) else []
        cells = [[*(row[name] for name in names), *kind] for row in rows]
        return [*names, *(["time_kind"] if kind else [])], cells

    def page(self, first: int, count: int) -> TablePage:
        """Some of the rows.

        Args:
            first: The number of the first, from 0 on.
            count: How many.
        """
        first = max(first, 0)
        return TablePage(
            columns=self.columns,
            rows=list(self.rows[first : first + max(count, 0)]),
            total=len(self.rows),
            sums=self._sums,
            groups=self._groups,
            time_kind=self._table.time_kind,
            attribution=self._table.attribution,
        )


def _check(columns: dict[str, Column], name: str) -> None:
    if name not in columns:
        raise UnreadableInputError(
            "no_such_column", f"The table has no column {name}. It has {', '.join(columns)}."
        )


def _passes(row: Row, filters: Iterable[Filter]) -> bool:
    return all(_holds(row[each.column], each) for each in filters)


def _holds(cell: Cell, wanted: Filter) -> bool:
    value = wanted.value
    if wanted.comparison == "equals":
        return cell == value
    if cell is None or value is None:
        return False
    if wanted.comparison == "contains":
        return str(value).casefold() in str(cell).casefold()
    if isinstance(cell, str) or isinstance(value, str):
        return False
    return cell >= value if wanted.comparison == "at_least" else cell <= value


def _has_text(row: Row, texts: Sequence[str], needle: str) -> bool:
    return any(isinstance(cell := row[name], str) and needle in cell.casefold() for name in texts)


def _is_shared(rows: Sequence[Row], name: str) -> bool:
    """Whether rows have a text of a column in common."""
    seen: set[Cell] = set()
    for row in rows:
        cell = row[name]
        if cell is not None and cell in seen:
            return True
        seen.add(cell)
    return False


def _sorted(rows: Sequence[Row], by: Sorting) -> list[Row]:
    """Rows by one column; those that are equal in it keep their order."""
    name = by.column
    known = [row for row in rows if row[name] is not None]
    unknown = [row for row in rows if row[name] is None]

    def text(row: Row) -> str:
        return str(row[name]).casefold()

    def number(row: Row) -> float:
        return row[name]  # pyright: ignore[reportReturnType]

    is_text = any(isinstance(row[name], str) for row in known[:1])
    return [*sorted(known, key=text if is_text else number, reverse=by.descending), *unknown]


def _sums(rows: Sequence[Row], columns: Iterable[Column]) -> Row:
    return {
        column.name: _sum(row[column.name] for row in rows) for column in columns if column.adds_up
    }


def _sum(cells: Iterable[Cell]) -> Cell:
    """The sum of what is known, exactly where that is whole."""
    known = [cell for cell in cells if cell is not None and not isinstance(cell, str)]
    if not known:
        return None
    whole = sum(known)
    if isinstance(whole, int):
        return whole
    # Parts of a whole are rounded, each by itself: together they are to be the whole again.
    return round(math.fsum(known), _DECIMALS)


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
