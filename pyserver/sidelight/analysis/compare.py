"""Compares two profiles: what each line and each operator cost before, and costs now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from sidelight.analysis.comparison import (
    Change,
    ComparedProfile,
    Comparison,
    Cost,
    CostComparison,
    Difference,
    LineChange,
    LineComparison,
    LineCost,
    OperatorComparison,
    ProfileChange,
)
from sidelight.analysis.dissimilarity import different_cores, dissimilarities
from sidelight.analysis.report import LineReport, LineStats, OperatorShare
from sidelight.analysis.same_file import pair_files
from sidelight.analysis.statement_pairs import Statement, StatementPair, pair_statements
from sidelight.profile.manifest import SourceFile


@dataclass(frozen=True)
class Side:
    """What one side of a comparison is made from.

    Attributes:
        report: Its numbers.
        files: The files its lines are in, with their text as it ran.
        environment: Variables it ran with that are worth knowing.
    """

    report: LineReport
    files: Sequence[SourceFile]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


def compare(base: Side, new: Side) -> Comparison:
    """Compare two profiles.

    Lines are matched through the sources that the profiles kept, so that one which moved is
    compared with itself.

    Args:
        base: What was before.
        new: What is now.
    """
    before, after = base.report, new.report
    files = pair_files(base.files, new.files)
    pairs = _statement_pairs(before, after, files)
    sides = _Sides(before, after)
    return Comparison(
        base=_headline(before),
        new=_headline(after),
        change=ProfileChange(
            sides.difference(before.device_time_ns, after.device_time_ns),
            sides.difference_if_known(before.predicted_ns, after.predicted_ns),
            sides.difference(before.recorded_ns, after.recorded_ns),
            sides.difference_if_known(before.hbm_bytes, after.hbm_bytes),
        ),
        lines=sorted(
            (_compare_line(pair, before, after, sides) for pair in pairs), key=_line_order
        ),
        unattributed=sides.compare_costs(before.unattributed_ops, after.unattributed_ops),
        operators=_compare_operators(_all_operators(before), _all_operators(after), sides),
        quality=[
            *dissimilarities(before, after, files),
            *different_cores(base.environment, new.environment),
        ],
    )


@dataclass(frozen=True)
class _Sides:
    """Both sides: how many steps their sums are of, and what nothing costs there."""

    base: LineReport
    new: LineReport

    def difference(self, base: int, new: int) -> Difference:
        """How a figure changed, given its sums: whole numbers until the last division."""
        base_steps, new_steps = max(self.base.steps, 1), max(self.new.steps, 1)
        return Difference(
            (new * base_steps - base * new_steps) / (base_steps * new_steps),
            new * base_steps / (base * new_steps) if base else None,
        )

    def difference_if_known(self, base: int | None, new: int | None) -> Difference | None:
        """How a figure changed; None where it is not known of either side."""
        return None if base is None or new is None else self.difference(base, new)

    def compare_costs(
        self, base: Sequence[OperatorShare], new: Sequence[OperatorShare]
    ) -> CostComparison:
        """What some launches cost together, before and now."""
        before, after = _cost(base, self.base), _cost(new, self.new)
        change = Change(
            self_ns=self.difference(before.self_ns, after.self_ns),
            launches=self.difference(before.launches, after.launches),
            bytes=self.difference_if_known(before.bytes, after.bytes),
        )
        return CostComparison(base=before, new=after, change=change)


def _headline(report: LineReport) -> ComparedProfile:
    return ComparedProfile(
        **{name: getattr(report, name) for name in ComparedProfile.__struct_fields__}
    )


def _statement_pairs(
    base: LineReport, new: LineReport, files: Sequence[tuple[SourceFile, SourceFile]]
) -> Iterator[StatementPair]:
    """Every line of either report once, with its counterpart."""
    was, now = _lines_by_file(base), _lines_by_file(new)
    for before, after in files:
        old, fresh = was.pop(before.path, []), now.pop(after.path, [])
        yield from pair_statements(before, after, old, fresh)
    for line in chain.from_iterable(was.values()):
        yield "removed", Statement(line.file, line.line, line), None
    for line in chain.from_iterable(now.values()):
        yield "added", None, Statement(line.file, line.line, line)


def _lines_by_file(report: LineReport) -> dict[str, list[LineStats]]:
    lines: defaultdict[str, list[LineStats]] = defaultdict(list)
    for line in report.lines:
        lines[line.file].append(line)
    return lines


def _compare_line(
    pair: StatementPair, base: LineReport, new: LineReport, sides: _Sides
) -> LineComparison:
    match, before, after = pair
    was, now = _line_cost(before, base), _line_cost(after, new)
    old, fresh = was or _cost([], base), now or _cost([], new)
    return LineComparison(
        match=match,
        base=was,
        new=now,
        change=LineChange(
            self_ns=sides.difference(old.self_ns, fresh.self_ns),
            launches=sides.difference(old.launches, fresh.launches),
            bytes=sides.difference_if_known(old.bytes, fresh.bytes),
            total_ns=sides.difference(was.total_ns if was else 0, now.total_ns if now else 0),
            predicted_ns=sides.difference_if_known(
                was.predicted_ns if was else _nothing(base),
                now.predicted_ns if now else _nothing(new),
            ),
        ),
        operators=_compare_operators(_operators(before), _operators(after), sides),
    )


def _line_cost(statement: Statement | None, report: LineReport) -> LineCost | None:
    if statement is None:
        return None
    stats = statement.stats
    return LineCost(
        file=statement.file,
        line=statement.line,
        self_ns=stats.self_ns if stats else 0,
        total_ns=stats.total_ns if stats else 0,
        launches=_cost(stats.ops, report).launches if stats else 0,
        bytes=stats.hbm_bytes if stats else _nothing(report),
        predicted_ns=stats.predicted_ns if stats else _nothing(report),
        time_kind=stats.time_kind if stats else report.time_kind,
        attribution=stats.attribution if stats else report.attribution,
    )


def _line_order(line: LineComparison) -> tuple[float, float, str, int]:
    """Largest change of its own time first, then of all that it called."""
    own_ns, total_ns = line.change.self_ns.difference, line.change.total_ns.difference
    return (-abs(own_ns), -abs(total_ns), *line.place)


def _operators(statement: Statement | None) -> Sequence[OperatorShare]:
    return statement.stats.ops if statement and statement.stats else []


def _all_operators(report: LineReport) -> Iterator[OperatorShare]:
    """The operators of all device time: those of the lines, and those of none."""
    for line in report.lines:
        yield from line.ops
    yield from report.unattributed_ops


def _compare_operators(
    base: Iterable[OperatorShare], new: Iterable[OperatorShare], sides: _Sides
) -> list[OperatorComparison]:
    """Every operator of either side once, largest change first."""
    was, now = _by_name(base), _by_name(new)
    compared: list[OperatorComparison] = []
    for name in was.keys() | now.keys():
        both = sides.compare_costs(was.get(name, []), now.get(name, []))
        compared.append(
            OperatorComparison(name=name, base=both.base, new=both.new, change=both.change)
        )
    return sorted(compared, key=lambda one: (-abs(one.change.self_ns.difference), one.name))


def _by_name(operators: Iterable[OperatorShare]) -> dict[str, list[OperatorShare]]:
    shares: defaultdict[str, list[OperatorShare]] = defaultdict(list)
    for operator in operators:
        shares[operator.name].append(operator)
    return shares


def _cost(operators: Sequence[OperatorShare], report: LineReport) -> Cost:
    """What some launches of a report cost together: nothing where there are none."""
    moved_bytes = [operator.hbm_bytes for operator in operators if operator.hbm_bytes is not None]
    is_known = len(moved_bytes) == len(operators)
    return Cost(
        self_ns=sum(operator.self_ns for operator in operators),
        launches=sum(operator.count for operator in operators),
        bytes=sum(moved_bytes) if is_known and report.pricing else None,
    )


def _nothing(report: LineReport) -> int | None:
    """What is predicted of nothing: nothing, where anything is predicted at all."""
    return None if report.pricing is None else 0
