"""Whose a NeuronCore's time is, told nanosecond by nanosecond, in fractions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sidelight.profile.manifest import TrackEngine

Line = tuple[str, int]
Chain = tuple[Line, ...]
"""Lines from the outermost caller to the innermost; their places tell contexts apart."""


@dataclass(frozen=True)
class Work:
    """A row of an engine: where it ran, when, and the calling contexts that it names."""

    core: str
    engine: TrackEngine
    start_ns: int
    duration_ns: int
    chains: tuple[Chain, ...]
    name: str = "MATMUL"

    @property
    def end_ns(self) -> int:
        return self.start_ns + self.duration_ns


@dataclass(frozen=True)
class Execution:
    """A row of a whole execution, on a queue of its core."""

    core: str
    start_ns: int
    duration_ns: int
    queue: str = "0"

    @property
    def end_ns(self) -> int:
        return self.start_ns + self.duration_ns


Share = dict[tuple[int, Chain | None], Fraction]
"""What each row has of each of its contexts; of None what belongs to no line."""


def plain_shares(work: Sequence[Work]) -> Share:
    """Every instant of every core, split over the rows active in it."""
    shares: Share = defaultdict(Fraction)
    for core in {row.core for row in work}:
        for now_ns in range(max(row.end_ns for row in work)):
            for key, part in _instant(work, core, now_ns).items():
                shares[key] += part
    return shares


def plain_execution_shares(work: Sequence[Work], execution: Execution) -> Share:
    """What contexts have of one execution; its own context's is left out."""
    shares: Share = defaultdict(Fraction)
    for now_ns in range(execution.start_ns, execution.end_ns):
        for (_, chain), part in _instant(work, execution.core, now_ns).items():
            if chain is not None:
                shares[0, chain] += part
    return shares


def _instant(work: Sequence[Work], core: str, now_ns: int) -> Share:
    active = [
        number
        for number, row in enumerate(work)
        if row.core == core and row.start_ns <= now_ns < row.end_ns
    ]
    rows_of: defaultdict[Chain, set[int]] = defaultdict(set)
    contexts_of: defaultdict[Line, set[Chain]] = defaultdict(set)
    for number in active:
        for chain in work[number].chains:
            rows_of[chain].add(number)
            contexts_of[chain[-1]].add(chain)
    if not contexts_of:
        return {(number, None): Fraction(1, len(active)) for number in active}
    return {
        (number, chain): Fraction(1, len(contexts_of) * len(contexts) * len(rows_of[chain]))
        for contexts in contexts_of.values()
        for chain in contexts
        for number in rows_of[chain]
    }
