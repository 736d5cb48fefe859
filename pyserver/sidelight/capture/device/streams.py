"""Streams and events of the device, on its clock: what ``torch.neuron`` calls so.

They are torch's own classes by inheritance, so that torch takes them wherever it takes a stream or
an event.
"""

from __future__ import annotations

import threading
from itertools import count
from types import TracebackType
from typing import Any, Callable, ClassVar

import torch

from .clock import DEFAULT_STREAM, DeviceClock
from .rows import STREAM_PREFIX, mark
from .timeline import Moment

_PRIVATE_DEVICE = 20
"""torch's number of the type of a device that was registered."""

_NS_A_MS = 1_000_000

_torch: Any = torch
_Stream: Any = _torch.Stream
_Event: Any = _torch.Event

_registered: list[Any] = []
"""What is registered holds as long as its library lives."""


def install_for_valueless_tensors() -> None:
    """Let ``tensor.record_stream(stream)`` be called on tensors that are described only."""
    library: Any = _torch.library.Library("aten", "IMPL")
    library.impl("record_stream", _kept_anyway, "Meta")
    _registered.append(library)


def _kept_anyway(tensor: Any, stream: Any) -> None:
    """There is no memory that could be given away too early."""


class Streams:
    """Makes a clock's streams and events, and knows which stream each thread works on.

    Args:
        clock: The device's clock.
        device: The name that the backend was given.

    Attributes:
        Stream: The class of its streams.
        Event: The class of its events.
        StreamContext: The class of what :meth:`stream` gives.
    """

    def __init__(self, clock: DeviceClock, device: str) -> None:
        self.clock = clock
        self.device = device
        self.numbers = count(DEFAULT_STREAM + 1)
        self.moments = count()
        members = {"streams": self, "__module__": f"torch.{device}"}
        self.Stream: Callable[..., DeviceStream] = type("Stream", (DeviceStream,), members)
        self.Event: Callable[..., DeviceEvent] = type("Event", (DeviceEvent,), members)
        self.StreamContext: Callable[..., StreamContext] = StreamContext.of(self)
        self._default = self.Stream(stream_id=DEFAULT_STREAM)

    def current_stream(self, device: Any = None) -> DeviceStream:
        """The stream that the current thread works on."""
        return self.Stream(stream_id=self.clock.stream)

    def default_stream(self, device: Any = None) -> DeviceStream:
        """The stream that work goes to where none is chosen."""
        return self._default

    def set_stream(self, stream: DeviceStream | None) -> None:
        """Have the current thread work on a stream from now on."""
        if stream is not None:
            self.clock.stream = stream.stream_id
            mark(f"{STREAM_PREFIX}use {stream.stream_id}")

    def stream(self, stream: DeviceStream | None) -> StreamContext:
        """A context in which the current thread works on a stream; None changes nothing."""
        return self.StreamContext(stream)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What ``torch.neuron`` has of streams, by name."""
        return {
            "Stream": self.Stream,
            "Event": self.Event,
            "StreamContext": self.StreamContext,
            "current_stream": self.current_stream,
            "default_stream": self.default_stream,
            "set_stream": self.set_stream,
            "stream": self.stream,
        }

    def known(self, stream: Any) -> DeviceStream:
        """A stream as one of these: torch itself may have made it, by its number."""
        if isinstance(stream, DeviceStream):
            return stream
        return self.Stream(stream_id=stream.stream_id)


class DeviceStream(_Stream):
    """A queue of work on the device, which runs in order."""

    streams: ClassVar[Streams]

    def __new__(
        cls,
        device: Any = None,
        priority: int = 0,
        *,
        stream_id: int | None = None,
        device_index: int = 0,
        device_type: int = _PRIVATE_DEVICE,
    ) -> DeviceStream:
        """Make a stream of its own, or stand for the one of a number."""
        number = next(cls.streams.numbers) if stream_id is None else stream_id
        return _Stream.__new__(
            cls, stream_id=number, device_index=device_index, device_type=device_type
        )

    def synchronize(self) -> None:
        """Wait until all that the stream was given is done."""
        mark(f"{STREAM_PREFIX}wait {self.stream_id}")
        self.streams.clock.waited(self.stream_id)

    def query(self) -> bool:
        """Whether all that the stream was given is done."""
        return self.streams.clock.is_idle(self.stream_id)

    def record_event(self, event: DeviceEvent | None = None) -> DeviceEvent:
        """Record an event where the stream's work ends now; a new one if none is given."""
        recorded = self.streams.Event() if event is None else event
        recorded.record(self)
        return recorded

    def wait_event(self, event: DeviceEvent) -> None:
        """Have what the stream is given from now on wait for an event."""
        event.wait(self)

    def wait_stream(self, stream: Any) -> None:
        """Have what the stream is given from now on wait for what another has now."""
        self.wait_event(self.streams.known(stream).record_event())

    def __enter__(self) -> DeviceStream:
        """Work on the stream, on this thread, until the context ends."""
        context = self.streams.stream(self)
        context.__enter__()
        _contexts().append(context)
        return self

    def __exit__(self, *raised: Any) -> None:
        """Work on the stream from before."""
        _contexts().pop().__exit__(*raised)

    def __repr__(self) -> str:
        return f"<torch.{self.streams.device}.Stream {self.stream_id}>"


class DeviceEvent(_Event):
    """A point in a stream's work that can be waited for, and timed by the device's clock."""

    streams: ClassVar[Streams]

    def __new__(
        cls, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> DeviceEvent:
        """Make an event that is not recorded yet."""
        event: Any = _Event.__new__(cls, device=cls.streams.device)
        event.enable_timing = enable_timing
        event.moment, event.number = None, -1
        return event

    enable_timing: bool
    moment: Moment | None
    number: int

    def record(self, stream: Any = None) -> None:
        """Record it where the work of a stream, or of the current one, ends now."""
        self.moment, self.number = Moment(), next(self.streams.moments)
        stream_id = self._stream(stream).stream_id
        mark(f"{STREAM_PREFIX}record {stream_id} {self.number}")
        self.streams.clock.mark(self.moment, stream_id)

    def wait(self, stream: Any = None) -> None:
        """Have what a stream, or the current one, is given from now on wait for it."""
        if self.moment is not None:
            stream_id = self._stream(stream).stream_id
            mark(f"{STREAM_PREFIX}hold {stream_id} {self.number}")
            self.streams.clock.hold(stream_id, self.moment)

    def synchronize(self) -> None:
        """Wait until the device has got to it; at once where it was never recorded."""
        if self.moment is not None:
            mark(f"{STREAM_PREFIX}await {self.number}")
            self.streams.clock.waited_for(self.moment)

    def query(self) -> bool:
        """Whether the device has got to it; true of one that was never recorded."""
        return self.moment is None or self.streams.clock.is_past(self.moment)

    def elapsed_time(self, end_event: DeviceEvent) -> float:
        """Predicted milliseconds from this event to another, which are both waited for.

        Raises:
            ValueError: One of them was made without ``enable_timing=True``.
            RuntimeError: One of them was never recorded.
        """
        if not (self.enable_timing and end_event.enable_timing):
            raise ValueError("elapsed_time() needs two events made with enable_timing=True")
        if self.moment is None or end_event.moment is None:
            raise RuntimeError("elapsed_time() needs two events that were recorded")
        clock = self.streams.clock
        self.synchronize()
        end_event.synchronize()
        return (clock.reached_ns(end_event.moment) - clock.reached_ns(self.moment)) / _NS_A_MS

    def _stream(self, stream: Any) -> DeviceStream:
        return self.streams.current_stream() if stream is None else self.streams.known(stream)

    def __repr__(self) -> str:
        state = "not recorded" if self.moment is None else "recorded"
        return f"<torch.{self.streams.device}.Event, {state}>"


class StreamContext:
    """Works on a stream, on the thread that enters it, until it is left.

    Args:
        stream: The stream; None changes nothing.
    """

    streams: ClassVar[Streams]

    @classmethod
    def of(cls, streams: Streams) -> Callable[..., StreamContext]:
        """The class for the streams of a clock."""
        return type("StreamContext", (cls,), {"streams": streams})

    def __init__(self, stream: DeviceStream | None) -> None:
        self.stream = stream
        self._before: DeviceStream | None = None

    def __enter__(self) -> None:
        self._before = self.streams.current_stream()
        self.streams.set_stream(self.stream)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.streams.set_stream(self._before)


_entered = threading.local()


def _contexts() -> list[StreamContext]:
    """The contexts that streams themselves opened on this thread, innermost last."""
    stack: list[StreamContext] = _entered.__dict__.setdefault("stack", [])
    return stack
