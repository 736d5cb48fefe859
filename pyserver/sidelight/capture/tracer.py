"""Where line events come from: one interface over what the interpreters offer."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Protocol

from .landmarks import Watched
from .line_spans import LineSpans


class TracerConflictError(Exception):
    """Another tool holds what the tracer needs; the message says which and what to do."""


class Tracer(Protocol):
    """Feeds line events to line spans and watches landmarks."""

    def start(self, frame: FrameType | None) -> None:
        """Begin; ``frame`` is the innermost frame that runs already on this thread."""
        ...

    def stop(self) -> None:
        """End, and leave nothing behind."""
        ...

    def conflict(self) -> str | None:
        """What disturbed the line events, in words; None if nothing did."""
        ...


def new_tracer(spans: LineSpans, landmarks: Watched) -> Tracer:
    """The tracer for this interpreter."""
    if sys.version_info >= (3, 12):
        from .monitoring import MonitoringTracer

        return MonitoringTracer(spans, landmarks)
    from .tracing import SettraceTracer

    return SettraceTracer(spans, landmarks)
