"""What a trace says of its tracks: names, and the threads, processes and counters they are."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from sidelight.ingest.binaries.wire import Value, members, number, signed, text
from sidelight.ingest.perfetto.packets import TooLargeError

_UUID, _NAME, _PROCESS, _THREAD, _PARENT, _COUNTER, _STATIC_NAME, _ATRACE_NAME = (
    *(1, 2, 3, 4, 5),
    *(8, 10, 13),
)
_PROCESS_PID, _PROCESS_NAME = 1, 6
_THREAD_PID, _THREAD_TID, _THREAD_NAME = 1, 2, 5
_COUNTER_UNIT, _COUNTER_MULTIPLIER, _COUNTER_IS_INCREMENTAL = 3, 4, 5

UNIT_BYTES: Final = 3

MOST_TRACKS: Final = 100_000
_DEEPEST: Final = 64


@dataclass(slots=True)
class Counter:
    """What a track's values are.

    Attributes:
        unit: As ``CounterDescriptor.Unit`` has it.
        multiplier: What a value is to be multiplied with.
        is_incremental: Whether each value is the difference to the one before it.
    """

    unit: int = 0
    multiplier: int = 1
    is_incremental: bool = False


@dataclass(slots=True)
class Descriptor:
    """One track. Unknown texts are empty, unknown numbers None."""

    name: str = ""
    parent: int | None = None
    pid: int | None = None
    tid: int | None = None
    process_name: str = ""
    thread_name: str = ""
    counter: Counter | None = None


@dataclass(frozen=True)
class Lane:
    """A track as people see it.

    Attributes:
        name: Its own name.
        owner: What it belongs to: a process, or the track at the root of those that it is in.
        pid: The process's id, or what stands for one.
        tid: The thread's id, or the track's own.
    """

    name: str
    owner: str
    pid: str
    tid: str


class Descriptors:
    """All tracks, by uuid."""

    def __init__(self) -> None:
        self._tracks: dict[int, Descriptor] = {}

    def add(self, message: bytes) -> None:
        """Take in a ``TrackDescriptor``; of several for one track, what the last ones say.

        Raises:
            WireError: It is damaged.
            TooLargeError: There are more than any recording has.
        """
        described = members(message)
        uuid = number(described.get(_UUID))
        if uuid not in self._tracks and len(self._tracks) == MOST_TRACKS:
            raise TooLargeError
        track = self._tracks.setdefault(uuid, Descriptor())
        for name in (_ATRACE_NAME, _STATIC_NAME, _NAME):
            track.name = text(described.get(name)) or track.name
        if _PARENT in described:
            track.parent = number(described[_PARENT])
        if isinstance(process := described.get(_PROCESS), bytes):
            known = members(process)
            track.pid = _id(known.get(_PROCESS_PID))
            track.process_name = text(known.get(_PROCESS_NAME))
        if isinstance(thread := described.get(_THREAD), bytes):
            known = members(thread)
            track.pid = _id(known.get(_THREAD_PID))
            track.tid = _id(known.get(_THREAD_TID))
            track.thread_name = text(known.get(_THREAD_NAME))
        if isinstance(counter := described.get(_COUNTER), bytes):
            known = members(counter)
            track.counter = Counter(
                number(known.get(_COUNTER_UNIT)),
                signed(number(known.get(_COUNTER_MULTIPLIER))) or 1,
                bool(number(known.get(_COUNTER_IS_INCREMENTAL))),
            )

    def counter(self, uuid: int) -> Counter:
        """What the values of a track are."""
        track = self._tracks.get(uuid)
        return (track.counter if track else None) or Counter()

    def process_names(self) -> dict[int, str]:
        """Names of processes by id."""
        return {
            track.pid: track.process_name or track.name
            for track in self._tracks.values()
            if track.pid is not None and track.tid is None
        }

    def lane(self, uuid: int, process_names: dict[int, str]) -> Lane:
        """A track as people see it.

        Args:
            uuid: Which.
            process_names: What :meth:`process_names` gives.
        """
        chain = self._chain(uuid)
        own, root = chain[0], chain[-1]
        pid = next((track.pid for track in chain if track.pid is not None), None)
        name = own.name or own.thread_name or own.process_name
        if len(chain) > 1 or own.tid is not None:
            owner = process_names.get(pid, "") if pid is not None else ""
            owner = owner or (root.process_name or root.name if len(chain) > 1 else "")
        else:
            owner = ""
        return Lane(
            name or (f"thread {own.tid}" if own.tid is not None else f"track {uuid}"),
            owner,
            str(pid) if pid is not None else root.name or "trace",
            str(own.tid if own.tid is not None else uuid),
        )

    def _chain(self, uuid: int) -> list[Descriptor]:
        """The track and those that it is in, up to the outermost."""
        chain = [self._tracks.get(uuid, Descriptor())]
        seen = {uuid}
        while (parent := chain[-1].parent) is not None and len(chain) < _DEEPEST:
            if parent in seen or parent not in self._tracks:
                break
            seen.add(parent)
            chain.append(self._tracks[parent])
        return chain


def _id(value: Value | None) -> int | None:
    return signed(value) if isinstance(value, int) else None


def double(bits: int) -> float:
    """The number that the bits of a fixed-width field are."""
    return struct.unpack("<d", bits.to_bytes(8, "little"))[0]
