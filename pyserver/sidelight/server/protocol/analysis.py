"""Messages on what a whole profile comes to."""

from __future__ import annotations

from typing import Literal

from sidelight.server.protocol.message import Message


class Analysis(Message, frozen=True):
    """A profile, and what it comes to.

    Attributes:
        headline: One plain sentence, as the command line's first.
        steps: How many are recorded; sums are over all of them.
        overview_json: An ``Overview`` (``extension/src/documents.ts``) as JSON text, with the keys
            and the numbers of ``sidelight summary --json``: nothing between the two looks at it.
    """

    directory: str
    name: str
    rank: int | None
    world_size: int | None
    headline: str
    device: str
    time_kind: Literal["measured", "predicted", "mixed"]
    steps: int
    overview_json: str


class FoundLine(Message, frozen=True):
    """Where a line of a profile's source is.

    Attributes:
        uri: Its file on this machine; None where that is not found.
        current_line: 1-based, where it is now; None where it was removed.
    """

    uri: str | None
    current_line: int | None


class GroupMember(Message, frozen=True):
    """The rows of one group of a table.

    Attributes:
        column: What rows were grouped by.
        value: What they have there; None where that is not known.
    """

    column: str
    value: str | None


class TableOrder(Message, frozen=True):
    """Which rows of a table are wanted, and in which order.

    Attributes:
        table: The table.
        sort: The column to sort by; empty keeps the table's own order, largest device time first.
        descending: Whether the largest comes first; what is unknown comes last either way.
        text: What one of a row's texts must hold, whatever its case; empty keeps every row.
        group: The column whose equal values make one row; empty for none.
        within: Keeps the rows of one group only; None keeps all.
    """

    table: Literal["operators", "lines", "modules", "kernels", "tensors"]
    sort: str = ""
    descending: bool = True
    text: str = ""
    group: str = ""
    within: GroupMember | None = None


class TableParams(Message, frozen=True):
    """Some rows of a table.

    Attributes:
        first: The number of the first, from 0 on.
        count: How many; 1,000 at most.
    """

    directory: str
    order: TableOrder
    first: int
    count: int


class TableRows(Message, frozen=True):
    """Rows of a table.

    Attributes:
        page_json: A ``TablePage`` (``extension/src/documents.ts``) as JSON text.
    """

    page_json: str


class RowRange(Message, frozen=True):
    """Rows that follow one another.

    Attributes:
        first: The number of the first, from 0 on.
        count: How many.
    """

    first: int
    count: int


class TableCsvParams(Message, frozen=True):
    """A table's rows for a spreadsheet.

    Attributes:
        ranges: Which of them; None for all.
        separator: ``tab`` for what is pasted, ``comma`` for files.
    """

    directory: str
    order: TableOrder
    ranges: list[RowRange] | None
    separator: Literal["comma", "tab"]


class TableCsv(Message, frozen=True):
    """Rows for a spreadsheet: sums over the recorded steps, as ``summary --json`` has them.

    Attributes:
        rows: How many there are, beside the heading.
        text: The heading and the rows.
    """

    rows: int
    text: str


class FlameMatchParams(Message, frozen=True):
    """A text to look for in the names, functions and paths of a flame graph's frames.

    Attributes:
        graph: Which graph.
        text: The text, whatever its case; an empty one is found nowhere.
    """

    directory: str
    graph: Literal["by_line", "by_module"]
    text: str


class FlameMatch(Message, frozen=True):
    """The frames that a text was found in.

    Attributes:
        frames: Their numbers, in order: the root is 0, and each frame is followed by its first
            child and all below that, then by the next child.
        matched_ns: Their totals, each instant once.
    """

    frames: list[int]
    matched_ns: int
