"""Makes events of parsed JSON objects whose values may have any type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, cast

import msgspec

from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.repair.lenient_json import whole_text
from sidelight.ingest.trace_events import (
    MISSING_NS,
    NO_ARGUMENTS,
    NO_LANE,
    Arguments,
    Event,
    Id,
    exact_nanoseconds,
)

_LONGEST_NUMBER: Final = 400
"""Digits that a number written as text may have; a double has no more before its point."""

_IDS: Final = {
    "External id": "external_id",
    "external id": "old_external_id",
    "correlation": "correlation",
    "Sequence number": "sequence_nr",
    "Fwd thread id": "forward_thread",
}
_INPUTS: Final = {
    "Input Dims": "input_dims",
    "Input type": "input_types",
    "Concrete Inputs": "concrete_inputs",
}
_NAMES: Final = ("name", "labels")


class LenientEvents:
    """Turns objects into events, and says where a value had to be read as another type.

    Args:
        findings: Told so, once an event.
    """

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._types = False
        self._text = False

    def event(self, fields: Mapping[str, Any]) -> tuple[Event, int, int]:
        """The event, its ``ts`` and its ``dur``, both in whole nanoseconds."""
        self._types = self._text = False
        event = Event(
            ph=self._string(fields.get("ph", "")),
            name=self._string(fields.get("name", "")),
            cat=self._string(fields.get("cat", "")),
            pid=self._lane(fields.get("pid", NO_LANE)),
            tid=self._lane(fields.get("tid", NO_LANE)),
            id=self._id(fields.get("id")),
            args=self._arguments(fields.get("args")),
        )
        start_ns, duration_ns = self._time(fields, "ts"), self._time(fields, "dur")
        self._findings.add(Finding.TYPES, self._types)
        self._findings.add(Finding.TEXT, self._text)
        return event, start_ns, duration_ns

    def _string(self, value: Any) -> str:
        if type(value) is str:
            return self._whole(value)
        self._types = True
        return str(value) if isinstance(value, (int, Decimal)) else ""

    def _whole(self, text: str) -> str:
        whole = whole_text(text)
        self._text |= whole != text
        return whole

    def _lane(self, value: Any) -> Id:
        if type(value) is int:
            return value
        if type(value) is str:
            return self._whole(value)
        self._types = True
        number = self._id(value)
        return NO_LANE if number is None else number

    def _id(self, value: Any) -> Id | None:
        if value is None or type(value) is int or type(value) is str:
            return value
        self._types = True
        if isinstance(value, Decimal):
            return _whole_number(value)
        return int(value) if isinstance(value, bool) else None

    def _arguments(self, value: Any) -> Arguments:
        if not isinstance(value, dict):
            self._types |= value is not None
            return NO_ARGUMENTS
        given = cast("dict[str, Any]", value)
        known: dict[str, Any] = {
            **{field: self._id(given[key]) for key, field in _IDS.items() if key in given},
            **{field: self._raw(given[key]) for key, field in _INPUTS.items() if key in given},
            **{key: self._given_name(given[key]) for key in _NAMES if key in given},
        }
        return Arguments(**known) if known else NO_ARGUMENTS

    def _given_name(self, value: Any) -> Any:
        return self._whole(value) if isinstance(value, str) else value

    def _raw(self, value: Any) -> msgspec.Raw:
        text = json.dumps(value, ensure_ascii=False, default=float, separators=(",", ":"))
        return msgspec.Raw(self._whole(text).encode())

    def _time(self, fields: Mapping[str, Any], key: str) -> int:
        value = fields.get(key)
        if isinstance(value, str):
            self._types = True
            value = _number(value)
        if type(value) is int or isinstance(value, Decimal):
            return exact_nanoseconds(Decimal(value))
        self._types |= value is not None
        return MISSING_NS


def _number(text: str) -> Decimal | None:
    """The number that a text is; None if it is none."""
    try:
        number = Decimal(text) if len(text) <= _LONGEST_NUMBER else None
    except ArithmeticError:
        return None
    return number if number is not None and number.is_finite() else None


def _whole_number(number: Decimal) -> int | None:
    """The integer that a number is; None if it has a fraction or is larger than any id."""
    is_small = number.is_finite() and number.adjusted() < _LONGEST_NUMBER
    return int(number) if is_small and number == number.to_integral_value() else None
