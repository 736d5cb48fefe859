"""Which statements stand elsewhere in another version of a source.

A comparison line by line keeps the order of lines, so of two statements that changed places it
finds one, and of a block that was made into a function above its caller nothing. What it leaves
over is paired here by its text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sidelight.analysis.scopes import Outline


@dataclass(frozen=True)
class StatementText:
    """What a statement says, and where.

    Attributes:
        scope: The innermost function or class around it, qualified; ``""`` outside all.
        lines: Its lines, 0-based; of a compound statement its header's.
        text: These without their indentation, which says no more than what is around them.
    """

    scope: str
    lines: range
    text: tuple[str, ...]


def statements_of(lines: Sequence[str], outline: Outline) -> Iterator[StatementText]:
    """The statements of a source from top to bottom; no line is in two of them.

    Args:
        lines: The source's.
        outline: What the source's syntax says.
    """
    around = outline.scopes_at()
    free = 0
    for start, end in outline.statements():
        if start - 1 < free:
            continue  # it begins on a line of the statement before it
        free = end
        scopes = around.get(start, ())
        numbers = range(start - 1, end)
        yield StatementText(
            outline.scopes[scopes[-1]].name if scopes else "",
            numbers,
            tuple(lines[number].strip() for number in numbers),
        )


def pair_moved(old: Sequence[StatementText], new: Sequence[StatementText]) -> dict[int, int]:
    """Pair statements that no comparison in order has found in the other version.

    Args:
        old: Those of the old version.
        new: Those of the new.

    Returns:
        The new line of each line of the old statements that have a counterpart, 0-based. It has the
        same text, in the same scope if there is one there. A text that occurs several times is
        paired in order where it does so equally often on both sides, and not at all otherwise.
    """
    places = _pair_equal(old, new, _scope_and_text)
    found = set(places.values())
    left = [statement for statement in old if statement.lines[0] not in places]
    left_now = [statement for statement in new if statement.lines[0] not in found]
    return places | _pair_equal(left, left_now, _text)


def _pair_equal(
    old: Iterable[StatementText],
    new: Iterable[StatementText],
    key: Callable[[StatementText], object],
) -> dict[int, int]:
    before, after = _grouped(old, key), _grouped(new, key)
    return {
        line: place
        for said, were in before.items()
        if len(were) == len(are := after.get(said, []))
        for one, other in zip(were, are, strict=True)
        for line, place in zip(one.lines, other.lines, strict=True)
    }


def _scope_and_text(statement: StatementText) -> object:
    return statement.scope, statement.text


def _text(statement: StatementText) -> object:
    return statement.text


def _grouped(
    statements: Iterable[StatementText], key: Callable[[StatementText], object]
) -> dict[object, list[StatementText]]:
    groups: defaultdict[object, list[StatementText]] = defaultdict(list)
    for statement in statements:
        groups[key(statement)].append(statement)
    return groups
