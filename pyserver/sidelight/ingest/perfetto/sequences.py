"""What the packets of a sequence leave unsaid: texts given by number, and defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sidelight.ingest.binaries.wire import Value, fields, members, number, text
from sidelight.ingest.perfetto.clocks import BOOTTIME
from sidelight.ingest.perfetto.packets import TooLargeError

_MOST_SEQUENCES: Final = 100_000
_MOST_TEXTS: Final = 1_000_000

# Kinds of texts, by the field of InternedData they are in.
CATEGORIES: Final = 1
NAMES: Final = 2
ANNOTATION_NAMES: Final = 3
ANNOTATION_TEXTS: Final = 29
_KINDS: Final = (CATEGORIES, NAMES, ANNOTATION_NAMES, ANNOTATION_TEXTS)

_NUMBER, _TEXT = 1, 2
_DEFAULT_CLOCK, _EVENT_DEFAULTS, _DEFAULT_TRACK = 58, 11, 11


@dataclass
class Room:
    """How much all sequences hold together.

    Attributes:
        texts: How many texts that are given by number.
    """

    texts: int = 0


class Sequence:
    """The state that a sequence of packets is read in.

    Args:
        room: What it takes room of.

    Attributes:
        clock_id: The clock of timestamps that name none.
        track: The track of events that name none.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self._texts: dict[tuple[int, int], str] = {}
        self.clear()

    def clear(self) -> None:
        """Forget everything: the sequence begins anew."""
        self.clock_id = BOOTTIME
        self.track = 0
        self._room.texts -= len(self._texts)
        self._texts = {}

    def take_defaults(self, message: bytes) -> None:
        """Take in ``TracePacketDefaults``.

        Raises:
            WireError: They are damaged.
        """
        defaults = members(message)
        self.clock_id = number(defaults.get(_DEFAULT_CLOCK)) or BOOTTIME
        of_events = defaults.get(_EVENT_DEFAULTS)
        known = members(of_events) if isinstance(of_events, bytes) else {}
        self.track = number(known.get(_DEFAULT_TRACK))

    def take_texts(self, message: bytes) -> None:
        """Take in ``InternedData``.

        Raises:
            WireError: They are damaged.
            TooLargeError: There are more than any recording has.
        """
        before = len(self._texts)
        try:
            for kind, value in fields(message):
                if kind in _KINDS and isinstance(value, bytes):
                    entry = members(value)
                    self._texts[kind, number(entry.get(_NUMBER))] = text(entry.get(_TEXT))
        finally:
            self._room.texts += len(self._texts) - before
        if self._room.texts > _MOST_TEXTS:
            raise TooLargeError

    def text(self, kind: int, value: Value | None) -> str:
        """A text that was given by number; empty where it is not known."""
        return self._texts.get((kind, number(value)), "")


class Sequences:
    """All sequences, by number."""

    def __init__(self) -> None:
        self._sequences: dict[int, Sequence] = {}
        self._room = Room()

    def of(self, number: int) -> Sequence:
        """The state of one; a new one where there was none.

        Raises:
            TooLargeError: There are more than any recording has.
        """
        sequence = self._sequences.get(number)
        if sequence is None:
            if len(self._sequences) == _MOST_SEQUENCES:
                raise TooLargeError
            sequence = self._sequences[number] = Sequence(self._room)
        return sequence
