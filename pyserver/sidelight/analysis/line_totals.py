"""What lines have together with what they call, summed over calling contexts of any depth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

Line = tuple[int, int]
"""File index and line number."""

Sums = tuple[int, int, int]
"""Device time in nanoseconds, rows that are divided among lines, rows that are not."""

NOTHING: Final[Sums] = (0, 0, 0)


def added(one: Sums, other: Sums) -> Sums:
    """Both together."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def totals_by_line(
    parents: Sequence[int], line_of_stack: Sequence[Line], of_stack: Mapping[int, Sums]
) -> Iterator[tuple[Line, Sums]]:
    """Sum what ran under lines: once under each, also where one calls itself.

    A line has what its outermost contexts have, and those below them. Every context is looked at
    a fixed number of times: chains of callers may be as long as there are contexts.

    Args:
        parents: The callers' context of every context, -1 for none; it stands before its own.
        line_of_stack: The innermost line of every context.
        of_stack: What contexts have with that line innermost.

    Yields:
        Lines, as often as they have outermost contexts, and what each of these has.
    """
    sums = [of_stack.get(stack, NOTHING) for stack in range(len(parents))]
    for stack in range(len(parents) - 1, -1, -1):
        if parents[stack] >= 0:
            sums[parents[stack]] = added(sums[parents[stack]], sums[stack])
    for stack in _outermost(parents, line_of_stack):
        if sums[stack] != NOTHING:
            yield line_of_stack[stack], sums[stack]


def _outermost(parents: Sequence[int], line_of_stack: Sequence[Line]) -> Iterator[int]:
    """The contexts whose line is not among their callers'."""
    called: defaultdict[int, list[int]] = defaultdict(list)
    for stack, parent in enumerate(parents):
        called[parent].append(stack)
    times_around: defaultdict[Line, int] = defaultdict(int)
    waiting = list(called[-1])
    while waiting:
        stack = waiting.pop()
        if stack < 0:  # all below that one was seen
            times_around[line_of_stack[~stack]] -= 1
            continue
        line = line_of_stack[stack]
        if not times_around[line]:
            yield stack
        times_around[line] += 1
        waiting.append(~stack)
        waiting += called[stack]
