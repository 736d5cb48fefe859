"""Rows and numbers as Neuron's tools write them: numbers may be strings, fields may be absent."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar, cast

import msgspec
import numpy as np

from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.repair.lenient_json import (
    LenientJson,
    UnparsableError,
    whole_escapes,
    whole_text,
)
from sidelight.ingest.trace_events import Int64s

Number = int | float | str
"""What stands where a number should."""

NO_TIME: Final = -(1 << 63)
"""What an absent time is."""

LONGEST_TEXT: Final = 16_384
"""Texts are cut off here: no name or list of places is this long, and a hostile one can be huge."""

_LARGEST_EXPONENT: Final = 19
"""That of 64-bit integers, as decimals."""

Row = TypeVar("Row", bound=msgspec.Struct)


class RowDecoder(Generic[Row]):
    """Decodes lists of rows, also those with faults.

    Args:
        row: The type of a row. Every field has a default, which a faulty value becomes.
        findings: Told what was repaired, and how many values mean nothing.
    """

    def __init__(self, row: type[Row], findings: Findings) -> None:
        self._row = row
        self._findings = findings
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
            msgspec.DecodeError: The text is no JSON, and cannot be repaired.
        """
        try:
            return self._decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            elements = elements_of(decoded(text, self._findings))
        rows = [self._mended(element) for element in elements]
        return [row for row in rows if row is not None]

    def _mended(self, element: Any) -> Row | None:
        if not isinstance(element, dict):
            self._findings.add(Finding.TYPES)
            return None
        known: dict[str, Any] = {}
        values = cast(dict[str, Any], element)
        for key, (name, kind) in self._fields.items():
            value = values.get(key)
            if value is None:
                continue
            if isinstance(value, Decimal):
                value = float(value)
            try:
                known[name] = msgspec.convert(value, kind, strict=False)
            except msgspec.ValidationError:
                self._findings.add(Finding.TYPES)
        return self._row(**known)


def decoded(text: bytes, findings: Findings) -> Any:
    """A JSON value, also where the text breaks the rules; its fractions may be ``Decimal`` then.

    Args:
        text: JSON.
        findings: Told what was repaired.

    Raises:
        msgspec.DecodeError: The text cannot be repaired.
    """
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        readable = text.decode("utf-8", "surrogateescape")
        whole = whole_escapes(whole_text(readable))
        try:
            value, _ = LenientJson(findings).mended_value(whole)
        except UnparsableError:
            raise msgspec.DecodeError(str(error)) from error
        if whole != readable:
            findings.add(Finding.TEXT)
        return value


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


def numbers_of(rows: Sequence[Any], name: str, absent: int = -1) -> Int64s:
    """A field of rows as 64-bit integers; ``absent`` as for :func:`whole_numbers`."""
    return whole_numbers(lambda: map(attrgetter(name), rows), len(rows), absent)


def whole_number(value: Any) -> int | None:
    """A value as a 64-bit integer, also where it is written as a string; else None."""
    if isinstance(value, Decimal) and value.adjusted() > _LARGEST_EXPONENT:
        return None  # it would take all memory, written out
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
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
