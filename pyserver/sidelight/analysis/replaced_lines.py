"""Which new line stands for which old one where lines were replaced by others."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

# More pairs of lines than this are not compared: it would take more than a few milliseconds.
_COMPARED_PAIRS = 2_000

_WORD = re.compile(r"\w+")


def pair_replaced(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pair old lines with the new ones that are most like them.

    Args:
        old: Lines that were replaced.
        new: What they were replaced by.

    Returns:
        Pairs that increase on both sides: those that have most words in common, all together, and
        of equally good ones the first. Where there are too many lines to compare, the first with
        the first, and so on.
    """
    if len(old) == len(new) == 1 or len(old) * len(new) > _COMPARED_PAIRS:
        return [(line, line) for line in range(min(len(old), len(new)))]
    old_words, new_words = list(map(_words, old)), list(map(_words, new))
    # How well the lines from each old and each new one on can be paired.
    best = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for before in reversed(range(len(old))):
        for after in reversed(range(len(new))):
            paired = _likeness(old_words[before], new_words[after]) + best[before + 1][after + 1]
            best[before][after] = max(paired, best[before + 1][after], best[before][after + 1])
    pairs: list[tuple[int, int]] = []
    before = after = 0
    while before < len(old) and after < len(new):
        here = best[before][after]
        if here == _likeness(old_words[before], new_words[after]) + best[before + 1][after + 1]:
            pairs.append((before, after))
            before, after = before + 1, after + 1
        elif here == best[before][after + 1]:
            after += 1
        else:
            before += 1
    return pairs


def _words(line: str) -> Set[str]:
    return frozenset(_WORD.findall(line))


def _likeness(words: Set[str], others: Set[str]) -> int:
    """How many of a thousand words are the same; at least 1, so that a rewritten line is paired."""
    return 1 + 2_000 * len(words & others) // max(len(words) + len(others), 1)
