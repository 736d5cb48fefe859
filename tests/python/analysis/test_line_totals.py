"""Totals of lines, against a walk from every context to the top."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter

import pytest

from sidelight.analysis.line_totals import Line, Sums, totals_by_line


def summed(parents: list[int], lines: list[Line], of_stack: dict[int, Sums]) -> Counter[Line]:
    total_ns: Counter[Line] = Counter()
    for line, (device_ns, divided_rows, whole_rows) in totals_by_line(parents, lines, of_stack):
        assert (divided_rows, whole_rows) == (2 * device_ns, 3 * device_ns)
        total_ns[line] += device_ns
    return total_ns


@pytest.mark.parametrize("seed", range(20))
def test_totals_are_those_of_a_plain_walk(seed: int) -> None:
    chance = random.Random(seed)
    parents = [chance.randrange(-1, stack) if stack else -1 for stack in range(60)]
    lines = [(chance.randrange(2), chance.randrange(4)) for _ in parents]
    own_ns = {stack: chance.randrange(1, 9) for stack in chance.sample(range(60), 30)}
    expected: Counter[Line] = Counter()
    for stack, device_ns in own_ns.items():
        around: set[Line] = set()
        above = stack
        while above >= 0:
            around.add(lines[above])
            above = parents[above]
        for line in around:
            expected[line] += device_ns
    of_stack = {stack: (ns, 2 * ns, 3 * ns) for stack, ns in own_ns.items()}
    assert summed(parents, lines, of_stack) == expected


def test_memory_grows_with_the_contexts_and_not_with_their_depth() -> None:
    depth = 20_000  # a list of callers for each would take 1.6 GB
    parents = list(range(-1, depth - 1))
    lines = [(0, number) for number in range(depth)]
    tracemalloc.start()
    try:
        total_ns = summed(parents, lines, dict.fromkeys(range(depth), (1, 2, 3)))
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [total_ns[line] for line in lines] == list(range(depth, 0, -1))
    assert peak_bytes < 1000 * depth
