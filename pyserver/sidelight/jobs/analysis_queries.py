"""The summary of one stored profile, worked out by a process that keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from sidelight.analysis.tables.windows import Arranged, Order
from sidelight.jobs.queries import Queries
from sidelight.profile.stored_manifest import StoredManifest
from sidelight.profile.stored_profile import StoredProfile

if TYPE_CHECKING:
    from sidelight.analysis.flame.matches import FlameMatches
    from sidelight.analysis.roofline.change import ChartedSide
    from sidelight.analysis.summary import ProfileSummary
    from sidelight.export.csv_text import Separator

TableName = Literal["operators", "lines", "modules", "kernels", "tensors"]

FlameGraphName = Literal["by_line", "by_module"]

MOST_ROWS: Final = 1000
"""Of a page."""


class _Answers:
    """The questions, in the child. It keeps the summary, and not the profile that it is of; and the
    rows of the table that was last asked for, in their order, as pages of it come one by one."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._last: tuple[TableName, Order, Arranged] | None = None

    @cached_property
    def _summary(self) -> ProfileSummary:
        from sidelight.analysis.summary import profile_summary

        return profile_summary(StoredProfile(self._directory).load())

    def overview(self) -> tuple[StoredManifest, str]:
        import msgspec

        from sidelight.analysis.summary import overview_of

        overview = overview_of(self._summary)
        manifest = StoredProfile(self._directory).manifest
        return manifest, msgspec.json.encode(overview).decode()

    @cached_property
    def _charted(self) -> ChartedSide:
        return _charted_side(self._directory)

    def roofline_change(self, baseline: Path) -> str:
        import msgspec

        from sidelight.analysis.roofline.change import roofline_change

        return msgspec.json.encode(roofline_change(_charted_side(baseline), self._charted)).decode()

    def table(self, name: TableName, order: Order, first: int, count: int) -> str:
        import msgspec

        page = self._arranged(name, order).page(first, min(count, MOST_ROWS))
        return msgspec.json.encode(page).decode()

    def table_csv(
        self,
        name: TableName,
        order: Order,
        ranges: Sequence[tuple[int, int]] | None,
        separator: Separator,
    ) -> tuple[int, str]:
        from sidelight.export.csv_text import csv_text

        arranged = self._arranged(name, order)
        whole = [(0, len(arranged.rows))]
        rows = [
            row
            for first, count in (whole if ranges is None else ranges)
            for row in arranged.rows[max(first, 0) : max(first, 0) + max(count, 0)]
        ]
        return len(rows), csv_text(*arranged.labelled(rows), separator)

    def flame_matches(self, graph: FlameGraphName, text: str) -> FlameMatches:
        from sidelight.analysis.flame.matches import flame_matches

        return flame_matches(getattr(self._summary.flame, graph), text)

    def _arranged(self, name: TableName, order: Order) -> Arranged:
        if self._last is None or self._last[:2] != (name, order):
            self._last = (name, order, Arranged(getattr(self._summary.tables, name), order))
        return self._last[2]


def _charted_side(directory: Path) -> ChartedSide:
    from sidelight.analysis.compare import Side
    from sidelight.analysis.lines import line_report
    from sidelight.analysis.roofline.change import ChartedSide
    from sidelight.analysis.roofline.chart import roofline_chart

    profile = StoredProfile(directory).load()
    report = line_report(profile, str(directory))
    side = Side(report, profile.files, profile.manifest.environment)
    return ChartedSide(side, roofline_chart(profile))


class AnalysisQueries(Queries):
    """Asks what a profile comes to."""

    answers = _Answers
    doing = "summing up"

    def overview(self) -> tuple[StoredManifest, str]:
        """What the profile is called, and all but its tables, as JSON text with the keys of
        ``sidelight summary --json``."""
        return self._ask("overview")

    def roofline_change(self, baseline: Path) -> str:
        """How its dots moved under the roofline from another profile's: a ``RooflineChange`` as
        JSON text."""
        return self._ask("roofline_change", baseline)

    def table(
        self,
        name: TableName,
        order: Order,
        first: int,
        count: int,
    ) -> str:
        """Some rows of a table, at most ``MOST_ROWS``: a ``TablePage`` as JSON text.

        Raises:
            UnreadableInputError: ``no_such_column``.
        """
        return self._ask("table", name, order, first, count)

    def table_csv(
        self,
        name: TableName,
        order: Order,
        ranges: Sequence[tuple[int, int]] | None,
        separator: Separator,
    ) -> tuple[int, str]:
        """How many rows of a table a text holds, and the text.

        Args:
            name: The table.
            order: Which of its rows are meant, and in which order.
            ranges: Which of those: the number of the first of some, and how many; None for all.
            separator: What stands between cells.

        Raises:
            UnreadableInputError: ``no_such_column``.
        """
        return self._ask("table_csv", name, order, ranges, separator)

    def flame_matches(self, graph: FlameGraphName, text: str) -> FlameMatches:
        """The frames of a flame graph that a text is found in."""
        return self._ask("flame_matches", graph, text)
