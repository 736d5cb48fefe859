"""Texts and places that events of a trace name by number, written once each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from sidelight.export.perfetto.wire import bytes_field, number_field, text_field

T = TypeVar("T", bound=Hashable)

_ID = 1
_CATEGORIES, _NAMES, _ANNOTATION_NAMES, _LOCATIONS = 1, 2, 3, 4
"""Fields of ``InternedData``."""

Place = tuple[str, int, str]
"""File, 1-based line, function."""


class _Interned(Generic[T]):
    """Values of one kind, by their numbers from 1 on."""

    def __init__(self, field: int, content: Callable[[T], bytes], new: list[bytes]) -> None:
        self._field = field
        self._content = content
        self._new = new
        self._numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        known = self._numbers.get(value)
        if known is not None:
            return known
        number = self._numbers[value] = len(self._numbers) + 1
        content = number_field(_ID, number) + self._content(value)
        self._new.append(bytes_field(self._field, content))
        return number


class Interning:
    """Numbers what events name, and gathers what is new for the packet that names it first.

    Attributes:
        categories: Categories of events.
        names: Names of events.
        annotations: Names of annotations.
        places: Places in the source.
    """

    def __init__(self) -> None:
        self._new: list[bytes] = []
        self.categories = _Interned[str](_CATEGORIES, _named, self._new)
        self.names = _Interned[str](_NAMES, _named, self._new)
        self.annotations = _Interned[str](_ANNOTATION_NAMES, _named, self._new)
        self.places = _Interned[Place](_LOCATIONS, _located, self._new)

    def take_new(self) -> bytes:
        """An ``InternedData`` of what was numbered since the last one; empty for nothing."""
        new = b"".join(self._new)
        self._new.clear()
        return new


def _named(name: str) -> bytes:
    return text_field(2, name)


def _located(place: Place) -> bytes:
    file, line, function = place
    return text_field(2, file) + text_field(3, function) + number_field(4, line)
