"""What a report is made of: texts as people read them, from traces too. None of it is markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    """A paragraph.

    Attributes:
        text: What it says.
        emphasis: Whether it matters more than others.
    """

    text: str
    emphasis: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        title: Its heading.
        is_number: Whether numbers stand in it, which are set to the right.
    """

    title: str
    is_number: bool = False


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        caption: What it is of.
        columns: Its columns.
        rows: The cells, row by row.
        shares: For each row the part of the whole that a bar shows, 0 to 1; none for no bars.
    """

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    shares: Sequence[float] = ()


@dataclass(frozen=True)
class ComputeRoof:
    """A roof that no rate goes beyond."""

    name: str
    flops_per_s: float


@dataclass(frozen=True)
class MemoryRoof:
    """A roof that a rate goes up to by what is moved for it."""

    name: str
    bytes_per_s: float


@dataclass(frozen=True)
class Dot:
    """Work under the roofs.

    Attributes:
        label: What it is, with its figures, as people read it.
        intensity: FLOP/byte, over 0.
        flops_per_s: Its rate, over 0.
        share: Its part of all device time, 0 to 1: the dot's area.
        is_predicted: Whether its rate is predicted: such dots are hollow.
    """

    label: str
    intensity: float
    flops_per_s: float
    share: float
    is_predicted: bool


@dataclass(frozen=True)
class RooflineChart:
    """Work under its roofs, on two logarithmic axes."""

    title: str
    compute: Sequence[ComputeRoof]
    memory: Sequence[MemoryRoof]
    dots: Sequence[Dot]


Block = Paragraph | Table | RooflineChart


@dataclass(frozen=True)
class Section:
    """A part of a report with a heading."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Report:
    """A report.

    Attributes:
        title: Its first heading.
        lead: What stands under that.
        sections: Its parts; one without blocks is left out.
        footer: What it was made with.
    """

    title: str
    lead: Sequence[Paragraph]
    sections: Sequence[Section]
    footer: str
