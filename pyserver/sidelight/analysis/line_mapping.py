"""Where the lines of a text are after it was edited.

Lines at both ends that are the same are set aside first: after an edit in one place little is left.
What is left is matched by the lines that occur once on both sides (patience diff), and only what
lies between those, where it is small, by a full comparison. So a large change costs time in
proportion to its lines, and at worst is taken as one replaced block. In a replaced block the same
is done once more without the indentation, as somebody may have put a block into another; what is
left then is :mod:`sidelight.analysis.replaced_lines`' to pair.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from sidelight.analysis.replaced_lines import pair_replaced

GONE = -1
"""Where a line is that was removed."""

# A full comparison of this many pairs of lines takes a few milliseconds.
_COMPARED_PAIRS = 20_000

_Pair = tuple[int, int]
"""A line of the old text, and the line of the new text that is the same."""


@dataclass(frozen=True)
class Placement:
    """Where a statement is now, 0-based.

    Attributes:
        first: Its first line.
        last: Its last line.
        stale: Whether any of its lines was changed or removed, or others came between them.
    """

    first: int
    last: int
    stale: bool


@dataclass(frozen=True)
class LineMap:
    """Where old lines are now, 0-based.

    Attributes:
        positions: For each old line the new one, or ``GONE``; none stands for two.
        altered: The old lines that are gone, or stand in the new text otherwise, in order.
    """

    positions: Sequence[int]
    altered: Sequence[int] = ()

    def place(self, first: int, last: int) -> Placement | None:
        """Where the statement from old line ``first`` to ``last`` is; None if it was removed."""
        if not 0 <= first < len(self.positions) or self.positions[first] == GONE:
            return None
        now = self.positions[first]
        stop = min(max(last, first), len(self.positions) - 1) + 1
        last_now = max(self.positions[first:stop])
        altered = bisect_left(self.altered, stop) > bisect_left(self.altered, first)
        return Placement(now, last_now, altered or last_now - now != stop - 1 - first)


def map_lines(old: Sequence[str], new: Sequence[str]) -> LineMap:
    """Compare two texts line by line.

    Args:
        old: Lines without their endings.
        new: The same text's lines after edits.

    Returns:
        Equal lines at their places. Where lines were replaced, old ones stand at the new ones most
        like them, as changed, blank ones aside; what is left over of the old is gone. Positions
        increase.
    """
    head = _common_head(old, new)
    tail = _common_head(old[head:][::-1], new[head:][::-1])
    positions = [GONE] * len(old)
    positions[:head] = range(head)
    old_end, new_end = len(old) - tail, len(new) - tail
    positions[old_end:] = range(new_end, len(new))
    altered: list[int] = []
    old_start = new_start = head
    matches = [(head + a, head + b) for a, b in _matches(old[head:old_end], new[head:new_end])]
    for old_line, new_line in [*matches, (old_end, new_end)]:
        replaced = _replaced(old[old_start:old_line], new[new_start:new_line])
        for before, after in replaced:
            positions[old_start + before] = new_start + after
        altered.extend(range(old_start, old_line))
        if old_line < old_end:
            positions[old_line] = new_line
        old_start, new_start = old_line + 1, new_line + 1
    return LineMap(positions, altered)


def _replaced(old: Sequence[str], new: Sequence[str]) -> list[_Pair]:
    """Pairs of lines that differ, increasing on both sides; blank lines are in none."""
    old_lines = [line for line, text in enumerate(old) if text.strip()]
    new_lines = [line for line, text in enumerate(new) if text.strip()]
    if not old_lines or not new_lines:
        return []
    old_texts, new_texts = [old[n].strip() for n in old_lines], [new[n].strip() for n in new_lines]
    pairs: list[_Pair] = []
    old_start = new_start = 0
    for old_at, new_at in [*_matches(old_texts, new_texts), (len(old_texts), len(new_texts))]:
        between = pair_replaced(old_texts[old_start:old_at], new_texts[new_start:new_at])
        pairs += [(old_start + before, new_start + after) for before, after in between]
        pairs.append((old_at, new_at))
        old_start, new_start = old_at + 1, new_at + 1
    return [(old_lines[before], new_lines[after]) for before, after in pairs[:-1]]


def _common_head(old: Sequence[str], new: Sequence[str]) -> int:
    """How many of the first lines are the same; by halves, as whole lists compare fast."""
    same, differs = 0, min(len(old), len(new)) + 1
    while differs - same > 1:
        middle = (same + differs) // 2
        if old[same:middle] == new[same:middle]:
            same = middle
        else:
            differs = middle
    return same


def _matches(old: Sequence[str], new: Sequence[str]) -> list[_Pair]:
    """Pairs of equal lines, increasing on both sides."""
    anchors = _anchors(old, new)
    matches: list[_Pair] = []
    old_start = new_start = 0
    for old_line, new_line in [*anchors, (len(old), len(new))]:
        between = _compare(old[old_start:old_line], new[new_start:new_line])
        matches += [(old_start + before, new_start + after) for before, after in between]
        matches.append((old_line, new_line))
        old_start, new_start = old_line + 1, new_line + 1
    return matches[:-1]


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[_Pair]:
    """The longest increasing choice of the lines that occur once in both texts."""
    old_once, new_once = _lines_that_occur_once(old), _lines_that_occur_once(new)
    candidates = [(line, new_once[text]) for text, line in old_once.items() if text in new_once]
    # The lowest new line that a chain of each length ends with, and how the chains came about.
    ends: list[int] = []
    chain_ends: list[int] = []
    before: list[int] = []
    for candidate, (_, new_line) in enumerate(candidates):
        if not ends or new_line > ends[-1]:  # the usual case, made fast
            before.append(chain_ends[-1] if chain_ends else -1)
            ends.append(new_line)
            chain_ends.append(candidate)
        else:
            length = bisect_left(ends, new_line)
            before.append(chain_ends[length - 1] if length else -1)
            ends[length], chain_ends[length] = new_line, candidate
    chain: list[_Pair] = []
    candidate = chain_ends[-1] if chain_ends else -1
    while candidate >= 0:
        chain.append(candidates[candidate])
        candidate = before[candidate]
    return chain[::-1]


def _lines_that_occur_once(lines: Sequence[str]) -> dict[str, int]:
    """Each such text and its line, in order."""
    counts = Counter(lines)
    return {text: line for line, text in enumerate(lines) if counts[text] == 1}


def _compare(old: Sequence[str], new: Sequence[str]) -> list[_Pair]:
    if not old or not new or len(old) * len(new) > _COMPARED_PAIRS:
        return []
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return [
        (block.a + offset, block.b + offset) for block in blocks for offset in range(block.size)
    ]
