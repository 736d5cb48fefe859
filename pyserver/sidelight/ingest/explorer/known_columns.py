"""Finds a wanted column in a table of another version of the schema, and what its times are in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_WORDS: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_UNIT_WORDS: Final = frozenset({"ts", "timestamp", "ns", "nanos", "nanoseconds", "idx", "index"})
"""Parts of a name that say in what it counts, not of what: versions differ in them."""

_NANOSECONDS: Final = {
    "picoseconds": 1e-3,
    "nanoseconds": 1.0,
    "microseconds": 1e3,
    "milliseconds": 1e6,
    "seconds": 1e9,
}


def present_columns(wanted: Iterable[str], present: Sequence[str]) -> dict[str, str]:
    """Which of a table's columns are the wanted ones.

    A column of the very name is it. Else it is the one column that is called so but for the way of
    writing and the unit: ``start_timestamp_ns`` or ``startTs`` for ``start_ts``.

    Args:
        wanted: Names as the published schema has them.
        present: The table's columns.

    Returns:
        The table's name for each wanted column that it has.
    """
    wanted = tuple(wanted)
    found = {name: name for name in wanted if name in present}
    alike: dict[str, list[str]] = {}
    for name in present:
        if name not in found:
            alike.setdefault(_essence(name), []).append(name)
    for name in wanted:
        candidates = alike.get(_essence(name), ())
        if name not in found and len(candidates) == 1:
            found[name] = candidates[0]
    return found


def nanoseconds_of(unit: str) -> float:
    """What a unit of time, as the table of fields calls it, is in nanoseconds; 1 if unknown."""
    return _NANOSECONDS.get(unit.strip().lower(), 1.0)


def _essence(name: str) -> str:
    words = [word.lower() for word in _WORDS.findall(name)]
    return "".join([word for word in words if word not in _UNIT_WORDS] or words)


Units = Mapping[tuple[str, str], str]
"""The unit of a column, by table and column, as the profile itself says."""
