"""Rows and numbers as Neuron's tools write them: numbers may be strings, fields may be absent."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeVar, cast

import msgspec
import numpy as np
import numpy.typing as npt

from sidelight.ingest.trace_events import TIME_LIMIT_NS, Int64s

Number = int | float | str
"""What stands where a number should."""

NO_TIME: Final = -(1 << 63)
"""What an absent time is."""

LONGEST_TEXT: Final = 16_384
"""Texts are cut off here: no name or list of places is this long, and a hostile one can be huge."""

LONGEST_NS: Final = 10 * 366 * 24 * 3600 * 10**9
"""Ten years: no row takes longer."""

Row = TypeVar("Row", bound=msgspec.Struct)


class RowDecoder(Generic[Row]):
    """Decodes lists of rows, also those with faults.

    Args:
        row: The type of a row. Every field has a default, which a faulty value becomes.

    Attributes:
        faults: How many values were of a wrong type so far, or rows no rows.
    """

    def __init__(self, row: type[Row]) -> None:
        self.faults = 0
        self._row = row
        self._fields = {
            field.encode_name: (field.name, field.type) for field in msgspec.structs.fields(row)
        }
        rows: Any = list[row]  # pyright: ignore[reportInvalidTypeForm]  # a type made at run time
        self._decode: Callable[[bytes], list[Row]] = msgspec.json.Decoder(rows).decode

    def rows(self, text: bytes) -> list[Row]:
        """Decode a list, or an object that stands where a list of one should.

        Args:
            text: JSON.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        try:
            return self._decode(text)
        except msgspec.ValidationError:
            elements = elements_of(msgspec.json.decode(text))
        rows = [self._mended(element) for element in elements]
        return [row for row in rows if row is not None]

    def _mended(self, element: Any) -> Row | None:
        if not isinstance(element, dict):
            self.faults += 1
            return None
        known: dict[str, Any] = {}
        values = cast(dict[str, Any], element)
        for key, (name, kind) in self._fields.items():
            value = values.get(key)
            if value is None:
                continue
            try:
                known[name] = msgspec.convert(value, kind, strict=False)
            except msgspec.ValidationError:
                self.faults += 1
        return self._row(**known)


def elements_of(value: Any) -> list[Any]:
    """The elements of a list; what stands where a list should is its one element."""
    return cast(list[Any], value) if isinstance(value, list) else [value]


def objects_of(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; or the one that stands where the list should."""
    return [element for element in elements_of(value) if isinstance(element, dict)]


def whole_numbers(values: Callable[[], Iterable[Any]], length: int, absent: int = -1) -> Int64s:
    """Numbers as 64-bit integers.

    Args:
        values: Gives them, from the first on, at each call.
        length: How many there are.
        absent: What those become that are no such number.
    """
    try:
        return np.fromiter(values(), np.int64, length)
    except (TypeError, ValueError, OverflowError):
        checked = map(whole_number, values())
        return np.array([absent if each is None else each for each in checked], np.int64)


def whole_number(value: Any) -> int | None:
    """A value as a 64-bit integer, also where it is written as a string; else None."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        real = real_number(value)
        if real is None:
            return None
        number = int(real)
    return number if -(1 << 63) <= number < 1 << 63 else None


def real_number(value: Any) -> float | None:
    """A value as a finite number, also where it is written as a string; else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def good_times(starts_ns: Int64s, durations_ns: Int64s) -> npt.NDArray[np.bool_]:
    """Which rows have a time and a duration that can be."""
    limit_ns = TIME_LIMIT_NS - LONGEST_NS
    is_time = (starts_ns > -limit_ns) & (starts_ns < limit_ns)
    return is_time & (durations_ns >= 0) & (durations_ns <= LONGEST_NS)
