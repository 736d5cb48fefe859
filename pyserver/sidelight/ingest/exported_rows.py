"""The events of an exported Chrome trace, from JSON to numpy columns."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Annotated, Final

import msgspec
import numpy as np
import numpy.typing as npt

from sidelight.ingest.json_windows import ArrayWindows
from sidelight.ingest.trace_events import EXACT_DOUBLE_US
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.exported_trace import SIGNATURE_KEYS, ExportedArguments
from sidelight.profile.tables import Column

_Time = Annotated[float, msgspec.Meta(gt=-EXACT_DOUBLE_US, lt=EXACT_DOUBLE_US)]
"""A time in microseconds, such that it is exact to the nanosecond."""

_NO_ARGUMENTS: Final = ExportedArguments()


class _Event(msgspec.Struct, gc=False):
    ph: str
    name: str = ""
    tid: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)] = 0
    ts: _Time = 0.0
    dur: _Time = 0.0
    id: int | None = None
    args: ExportedArguments = _NO_ARGUMENTS


_decode = msgspec.json.Decoder(list[_Event]).decode

_INTEGERS: Final = (
    *("external_id", "correlation_id", "sequence_nr", "forward_thread", "frame", "entry"),
    *("price", "predicted_ns", "launch_ns"),
)


class ExportedRows:
    """What the events of a trace hold; columns are of one length.

    Attributes:
        names: The different names of events.
        kinds: What people call their different categories.
        signatures: The different inputs of operators, as profiles have them; the first is none.
    """

    def __init__(self) -> None:
        self.names: Vocabulary[str] = Vocabulary()
        self.kinds: Vocabulary[str] = Vocabulary()
        self.signatures: Vocabulary[str] = Vocabulary([""])
        self._parts: list[dict[str, Column]] = []
        self._contexts: list[tuple[int, int]] = []
        self._samples: list[tuple[int, int, float]] = []
        self._length = 0

    def add(self, events: Sequence[_Event]) -> None:
        """Add a window's events."""
        rows = [event for event in events if event.ph == "X" and event.args.kind is not None]
        arguments = [event.args for event in rows]
        count = len(rows)
        part: dict[str, Column] = {
            name: np.fromiter(map(attrgetter(name), arguments), np.int64, count)
            for name in _INTEGERS
        }
        part["name"] = self.names.codes(map(attrgetter("name"), rows), count)
        part["kind"] = self.kinds.codes((each.kind or "" for each in arguments), count)
        part["signature"] = self.signatures.codes(map(_signature, arguments), count)
        part["lane"] = np.fromiter(map(attrgetter("tid"), rows), np.int64, count) - 1
        part["start_ns"] = _nanoseconds(rows, "ts")
        part["duration_ns"] = _nanoseconds(rows, "dur")
        self._parts.append(part)
        for index, each in enumerate(arguments, self._length):
            self._contexts.extend((index, context) for context in each.contexts)
        self._length += count
        for event in events:
            if event.ph == "C" and event.id is not None and event.args.value is not None:
                at_ns = round(event.ts * 1000)
                self._samples.append((event.id, at_ns, event.args.value))

    def columns(self) -> dict[str, Column]:
        """The rows: ``lane`` from 0, codes of names, kinds and signatures, and the arguments."""
        if not self._parts:
            self.add([])
        return {
            name: np.concatenate([part[name] for part in self._parts]) for name in self._parts[0]
        }

    def contexts(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Rows with the calling contexts that they name, in the order of the rows."""
        rows = np.array([row for row, _ in self._contexts], np.int64)
        return rows, np.array([context for _, context in self._contexts], np.int64)

    def samples(self, series: int) -> dict[str, Column]:
        """The counters' values, of the first so many series, in order of series and time."""
        kept = sorted(sample for sample in self._samples if 0 <= sample[0] < series)
        of_series, at_ns, value = zip(*kept, strict=True) if kept else ((), (), ())
        return {
            "series": np.array(of_series, np.int32),
            "at_ns": np.array(at_ns, np.int64),
            "value": np.array(value, np.float64),
        }


def rows_of(array: ArrayWindows) -> ExportedRows:
    """Read the events of a trace.

    Raises:
        msgspec.MsgspecError: They are not as they were exported.
        TruncatedError, TooLongError, SeveralArraysError, UnicodeDecodeError: Likewise.
    """
    rows = ExportedRows()
    for events in array.decoded(_decode):
        rows.add(events)
    return rows


def _nanoseconds(rows: Sequence[_Event], name: str) -> npt.NDArray[np.int64]:
    times_us = np.fromiter(map(attrgetter(name), rows), np.float64, len(rows))
    return np.rint(times_us * 1000).astype(np.int64)


def _signature(arguments: ExportedArguments) -> str:
    """An operator's inputs as JSON, or nothing."""
    parts = (
        arguments.input_dims,
        arguments.input_types,
        arguments.concrete_inputs,
        arguments.list_types,
    )
    texts = [
        f'"{key}":{bytes(part).decode()}'
        for key, part in zip(SIGNATURE_KEYS, parts, strict=True)
        if bytes(part)
    ]
    return f"{{{','.join(texts)}}}" if texts else ""
