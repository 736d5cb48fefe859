"""The events of a file that holds a Chrome trace: fast as long as the text is sound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from sidelight.ingest.json_windows import (
    ArrayWindows,
    ByteSource,
    SeveralArraysError,
    TooLongError,
    TruncatedError,
)
from sidelight.ingest.repair.findings import Findings
from sidelight.ingest.repair.recovery import Recovery
from sidelight.ingest.trace_events import DecodedEvents, decode_events
from sidelight.ingest.trace_header import Header, decode_header

EVENTS_KEY: Final = "traceEvents"

_LIMIT_BYTES: Final = 64 << 20
"""How long an event, and what follows the events, may be while the text is sound."""

_DAMAGE: Final = (
    msgspec.DecodeError,
    UnicodeDecodeError,
    RecursionError,
    TruncatedError,
    SeveralArraysError,
    TooLongError,
)


class TraceDocuments:
    """The traces in a file: mostly one.

    Args:
        source: The file's contents.
        findings: Told what was repaired and left out.

    Attributes:
        headers: What each trace says about itself. Complete once the windows have been read.

    Raises:
        NoArrayError: There is no list of events in it.
    """

    def __init__(self, source: ByteSource, findings: Findings) -> None:
        self.headers: list[Header] = []
        self._source = source
        self._findings = findings
        self._array = ArrayWindows(source, EVENTS_KEY, limit_bytes=_LIMIT_BYTES)

    def windows(self) -> Iterator[tuple[int, DecodedEvents]]:
        """The events, window by window, each with the number of its trace."""
        array = self._array
        try:
            for events in array.decoded(decode_events):
                yield 0, events
            self.headers.append(decode_header(array.envelope))
        except _DAMAGE:
            # What was decoded is gone from the windows: the rest begins with what could not be.
            recovery = Recovery(array.head, array.undecoded, self._source, self._findings)
            yield from recovery.windows()
            self.headers.extend(recovery.headers)
