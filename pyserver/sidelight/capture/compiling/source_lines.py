"""The source lines that torch's compiler notes for what it compiles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Callable, NamedTuple

_FRAME = re.compile(r'^ *File "(?P<file>.+)", line (?P<line>\d+), in (?P<function>.+)$')

_OF_GRADIENTS_SUM = "Gradient addition node"
"""Begins what the compiler writes behind the stack of a sum of gradients."""

_RESUMED = re.compile(r"torch_dynamo_resume_in_(?P<function>.+)_at_\d+")
"""How the compiler names what is left of a function behind a graph break."""


class Place(NamedTuple):
    """A line that runs.

    Attributes:
        file: Its file, as a code object names it.
        line: 1-based.
        function: The name of the function it is in.
    """

    file: str
    line: int
    function: str


def places_in(stack_trace: str | None, is_user: Callable[[str], bool]) -> tuple[Place, ...]:
    """The user's lines in a stack as Python prints one, outermost first.

    Args:
        stack_trace: The text; None for no stack.
        is_user: Whether a file is the user's own.
    """
    first, _, rest = (stack_trace or "").partition(_OF_GRADIENTS_SUM)
    text = first if first.strip() else rest
    matches = map(_FRAME.match, text.splitlines())
    found = [Place(each["file"], int(each["line"]), each["function"]) for each in matches if each]
    return users_places(found, is_user)


def users_places(places: Iterable[Place], is_user: Callable[[str], bool]) -> tuple[Place, ...]:
    """Those of the user's own, with the functions' own names."""
    return tuple(
        place._replace(function=_named_in_source(place.function))
        for place in places
        if is_user(place.file)
    )


def _named_in_source(function: str) -> str:
    match = _RESUMED.fullmatch(function)
    return match["function"] if match else function
