"""Reads the rest of a damaged trace: every whole event, wherever it is, and what is around them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np

from sidelight.ingest.json_windows import WINDOW_BYTES, ByteSource, find_cut
from sidelight.ingest.repair.documents import Documents
from sidelight.ingest.repair.event_text import NOTHING, EventText
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.repair.lenient_event import LenientEvents
from sidelight.ingest.trace_events import DecodedEvents, Event, decode_events
from sidelight.ingest.trace_header import Header

EVENT_LIMIT_BYTES: Final = 16 << 20
"""How long an event may be that is read from among damage; a longer one is left out."""

_SMALL_BYTES: Final = 64 << 10
"""What is read at a time where the text is damaged: mostly that is in one place only."""

_COMMA: Final = re.compile(rb"\s*,?\s*")
_PHASE: Final = re.compile(r'"ph"\s*:')
_MEMBERS: Final = (
    "traceName|displayTimeUnit|baseTimeNanoseconds|schemaVersion|deviceProperties|distributedInfo"
    "|trace_id|record_shapes|with_stack|otherData|stackFrames|metadata|INFO|ERROR"
)
"""What the members of a trace that follow its events are called."""
_END_OF_LIST: Final = re.compile(r'\](?=\s*(?:,\s*"(?:' + _MEMBERS + r')"\s*:|\}?\s*\Z))')


class Recovery:
    """The events from some place in a list of events on.

    Args:
        head: The document up to that list.
        rest: What follows, from between two events on, as far as it was read.
        source: What follows that.
        findings: Told what was repaired and left out.
    """

    def __init__(
        self, head: bytes, rest: bytearray, source: ByteSource, findings: Findings
    ) -> None:
        self._buffer = rest
        self._source = source
        self._findings = findings
        self._documents = Documents(_text_of(head), findings)
        self._text = EventText(findings, self)
        self._events = LenientEvents(findings)
        self._read_events: list[tuple[int, list[tuple[Event, int, int]]]] = []
        self._source_is_read = False
        self._is_last = False

    @property
    def headers(self) -> list[Header]:
        """What each document says about itself. Complete once the windows have been read."""
        return self._documents.headers

    def windows(self) -> Iterator[tuple[int, DecodedEvents]]:
        """The events, window by window, each with the number of its document.

        What is sound is decoded at once, in ever larger windows; where that fails, a small one is
        gone through event by event.
        """
        least = size = _SMALL_BYTES
        while not self._holds_the_rest(size):
            cut = find_cut(self._buffer, size)
            is_too_long = size > EVENT_LIMIT_BYTES
            if cut is None and not is_too_long:
                least = size = 2 * size
                continue
            if cut is not None and (decoded := self._decoded(cut)) is not None:
                yield len(self.headers), decoded
                del self._buffer[:cut]
                least, size = _SMALL_BYTES, min(2 * size, WINDOW_BYTES)
            elif size > least and not is_too_long:
                size = least
            elif self._read(size if cut is None else cut, is_last=is_too_long):
                yield from self._taken()
                least = size = _SMALL_BYTES
            else:
                least = size = 2 * size
        self._is_last = True
        self._read(len(self._buffer), is_last=True)
        self._documents.end()
        yield from self._taken()

    def element(self, value: Any) -> None:
        """Take an object: as an event, where it is or could be one."""
        if "ph" not in value and not self._documents.in_list:
            self._documents.pass_object(json.dumps(value, default=float))
            return
        document = len(self.headers)
        if not self._read_events or self._read_events[-1][0] != document:
            self._read_events.append((document, []))
        self._read_events[-1][1].append(self._events.event(value))

    def between(self, text: str, *, is_last: bool) -> None:
        """Take what is no object."""
        self._documents.pass_text(text, is_last=is_last)

    def damaged(self, text: str, *, ran_out: bool, is_last: bool) -> None:
        """Count what is left out."""
        is_last &= self._is_last
        if ran_out and is_last:
            self._findings.once(Finding.CUT_OFF)
            return
        end = _END_OF_LIST.search(text) if is_last else None
        lost, rest = (text, "") if end is None else (text[: end.start()], text[end.start() :])
        self._findings.add(Finding.DAMAGED_EVENTS, max(1, len(_PHASE.findall(lost))))
        if rest:
            self.between(rest.strip(NOTHING), is_last=True)

    def _holds_the_rest(self, size: int) -> bool:
        """Whether what is left is in the buffer and not larger than ``size``; else it is filled."""
        if comma := _COMMA.match(self._buffer):
            del self._buffer[: comma.end()]
        while len(self._buffer) <= size and not self._source_is_read:
            chunk = self._source.read(size + 1 - len(self._buffer))
            self._source_is_read = not chunk
            self._buffer += chunk
        return len(self._buffer) <= size

    def _decoded(self, end: int) -> DecodedEvents | None:
        """The events up to ``end``; None if they are not all sound."""
        if not self._documents.in_list:
            return None
        try:
            return decode_events(b"".join((b"[", memoryview(self._buffer)[:end], b"]")))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def _read(self, end: int, *, is_last: bool) -> int:
        """Go through the text up to ``end``, event by event: how many bytes are done with."""
        text = _text_of(self._buffer[:end])
        done = self._text.read(text, is_last=is_last)
        done_bytes = end if done == len(text) else len(_bytes_of(text[:done]))
        del self._buffer[:done_bytes]
        return done_bytes

    def _taken(self) -> Iterator[tuple[int, DecodedEvents]]:
        """What has been read event by event."""
        taken, self._read_events = self._read_events, []
        for document, events in taken:
            starts_ns = np.array([start_ns for _, start_ns, _ in events], np.int64)
            durations_ns = np.array([duration_ns for _, _, duration_ns in events], np.int64)
            yield document, ([event for event, _, _ in events], starts_ns, durations_ns)


def _text_of(contents: bytes | bytearray) -> str:
    """Text in which bytes that are no UTF-8 stay what they are."""
    return contents.decode("utf-8", "surrogateescape")


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
