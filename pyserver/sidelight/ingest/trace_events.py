"""Events of the Chrome trace format, from JSON to numpy columns.

Everything here runs once an event or once a window. What runs once an event is C code: msgspec
makes the structs, and ``map`` takes their fields into ``np.fromiter``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final, Union

import msgspec
import numpy as np
import numpy.typing as npt

from sidelight.ingest.bounds import LONGEST_TEXT, shortened

Id = Union[int, str]  # noqa: UP007  # msgspec reads it at run time
Int64s = npt.NDArray[np.int64]

NO_TEXT: Final = msgspec.Raw(b"")
"""What an absent argument is, by identity."""
SIGNATURE_SEPARATOR: Final = b"\0"
"""What no JSON text has in it."""

_MISSING_US: Final = -1.0
MISSING_NS: Final = -1000
"""What an absent time becomes. Times before zero do not occur in traces."""


class Arguments(
    msgspec.Struct,
    frozen=True,
    gc=False,
    rename={
        "external_id": "External id",
        "old_external_id": "external id",
        "sequence_nr": "Sequence number",
        "forward_thread": "Fwd thread id",
        "input_dims": "Input Dims",
        "input_types": "Input type",
        "concrete_inputs": "Concrete Inputs",
        "total_reserved": "Total Reserved",
        "total_allocated": "Total Allocated",
        "device_id": "Device Id",
        "device_type": "Device Type",
    },
):
    """The ``args`` of an event that mean something here."""

    # In Kineto's order, in which the decoder finds them fastest.
    external_id: int | str | None = -1
    sequence_nr: int | str | None = -1
    forward_thread: int | str | None = 0
    concrete_inputs: msgspec.Raw = NO_TEXT
    input_types: msgspec.Raw = NO_TEXT
    input_dims: msgspec.Raw = NO_TEXT
    correlation: int | str | None = -1
    old_external_id: int | str | None = -1
    name: Any = None
    labels: Any = None
    # Of what torch writes of memory.
    total_reserved: Any = -1
    total_allocated: Any = -1
    device_id: Any = -1
    device_type: Any = -1


NO_ARGUMENTS: Final = Arguments()

NO_LANE: Final = "?"
"""What an absent process or thread is called."""


class Event(msgspec.Struct, gc=False):
    """An event with its times as doubles."""

    # In Kineto's order, too.
    ph: str = ""
    cat: str = ""
    name: str = ""
    pid: int | str = NO_LANE
    tid: int | str = NO_LANE
    ts: float = _MISSING_US
    dur: float = _MISSING_US
    id: int | str | None = None
    args: Arguments = NO_ARGUMENTS


class ExactEvent(Event, gc=False):
    """An event with its times as they are written."""

    ts: Decimal = Decimal(_MISSING_US)  # pyright: ignore[reportIncompatibleVariableOverride]
    dur: Decimal = Decimal(_MISSING_US)  # pyright: ignore[reportIncompatibleVariableOverride]


DecodedEvents = tuple[Sequence[Event], Int64s, Int64s]
"""Events, their ``ts`` and their ``dur``, both in whole nanoseconds."""

EXACT_DOUBLE_US: Final = 2.0**43
"""Below this many microseconds the neighbours of a double are less than a nanosecond apart, so
that a time of three decimals, which is whole nanoseconds, comes back exactly by rounding. Kineto's
times count from ``baseTimeNanoseconds`` and stay below; times since 1970 are above."""

TIME_LIMIT_NS: Final = 1 << 62
"""Times beyond this, 146 years from zero, are set to it: no recording holds them."""

_decode_events = msgspec.json.Decoder(list[Event]).decode
_decode_exact_events = msgspec.json.Decoder(list[ExactEvent]).decode


def decode_events(text: bytes) -> DecodedEvents:
    """Parse an array of events.

    Args:
        text: A JSON array.

    Raises:
        msgspec.DecodeError: The text is not an array of events.
    """
    events = _decode_events(text)
    starts_us = np.fromiter(map(attrgetter("ts"), events), np.float64, len(events))
    durations_us = np.fromiter(map(attrgetter("dur"), events), np.float64, len(events))
    if max(_magnitude(starts_us), _magnitude(durations_us)) < EXACT_DOUBLE_US:
        return events, _nanoseconds(starts_us), _nanoseconds(durations_us)
    exact = _decode_exact_events(text)
    return (
        events,
        _exact_nanoseconds(map(attrgetter("ts"), exact), len(exact)),
        _exact_nanoseconds(map(attrgetter("dur"), exact), len(exact)),
    )


def _magnitude(times_us: npt.NDArray[np.float64]) -> float:
    return float(max(times_us.max(), -times_us.min())) if len(times_us) else 0.0


def _nanoseconds(times_us: npt.NDArray[np.float64]) -> Int64s:
    return np.rint(times_us * 1000).astype(np.int64)


_LIMIT_US: Final = Decimal(TIME_LIMIT_NS) / 1000


def exact_nanoseconds(time_us: Decimal) -> int:
    """A time in whole nanoseconds, at most ``TIME_LIMIT_NS`` from zero."""
    # Nothing is computed of 1e999999999, which is beyond what decimals may become.
    if time_us.copy_abs() >= _LIMIT_US:
        return TIME_LIMIT_NS if time_us > 0 else -TIME_LIMIT_NS
    return round(time_us * 1000)


def _exact_nanoseconds(times_us: Iterable[Decimal], length: int) -> Int64s:
    return np.fromiter(map(exact_nanoseconds, times_us), np.int64, length)


def shorten_names(events: Sequence[Event]) -> int:
    """Keep the beginning of names that are too long, and tell how many those were."""
    long = [event for event in events if len(event.name) > LONGEST_TEXT]
    for event in long:
        event.name = shortened(event.name)
    return len(long)


def signature_texts(arguments: Sequence[Arguments]) -> dict[int, bytes]:
    """The dims, types and concrete inputs of those that have dims, as written, by their index.

    The three are one text, with ``SIGNATURE_SEPARATOR`` between them.
    """
    join = SIGNATURE_SEPARATOR.join
    return {
        index: join((each.input_dims, each.input_types, each.concrete_inputs))
        for index, each in enumerate(arguments)
        if each.input_dims is not NO_TEXT
    }


def integers(values: Callable[[], Iterable[Any]], length: int) -> tuple[Int64s, int]:
    """Ids as numbers: also those that are written as strings.

    Args:
        values: Gives the values, from the first on, at each call.
        length: How many there are.

    Returns:
        The ids, -1 for those that are no 64-bit numbers, and how many those are.
    """
    try:
        return np.fromiter(values(), np.int64, length), 0
    except (TypeError, ValueError, OverflowError):
        checked = [_integer(value) for value in values()]
        ids = np.array([-1 if value is None else value for value in checked], np.int64)
        return ids, checked.count(None)


def _integer(value: Any) -> int | None:
    try:
        number = int(value, 16) if _is_hexadecimal(value) else int(value)
    except (TypeError, ValueError):
        return None
    return number if -(1 << 63) <= number < 1 << 63 else None


def _is_hexadecimal(value: Any) -> bool:
    return isinstance(value, str) and value[:2].lower() == "0x"
