"""What a recording says of a device's streams, where something stood in for the device.

The capture leaves rows where a thread chooses a stream, where an event is recorded, and where a
stream or the host waits for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from sidelight.analysis.device_layout import DEFAULT_STREAM, Happening, Hold, Record, Wait
from sidelight.analysis.nesting import IntColumn
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

# Numbers of more digits than a capture counts up to would only take time.
_PREFIX: Final = "sidelight::stream "
_MARK: Final = re.compile(_PREFIX + r"([a-z]+) (\d{1,12})(?: (\d{1,12}))?")

_CHOOSES: Final = "use"

_HAPPENINGS: Final[dict[str, Callable[[int, int, int], Happening]]] = {
    "record": lambda at_ns, stream, moment: Record(at_ns, stream, moment),
    "hold": lambda at_ns, stream, moment: Hold(at_ns, stream, moment),
    "wait": lambda at_ns, stream, _: Wait(at_ns, stream=stream),
    "await": lambda at_ns, moment, _: Wait(at_ns, moment=moment),
}


@dataclass(frozen=True)
class StreamMarks:
    """The rows about streams.

    Attributes:
        happenings: What they tell, in order of their start.
    """

    happenings: list[Happening]
    _choices: dict[int, tuple[IntColumn, IntColumn]]
    _all_choices: tuple[IntColumn, IntColumn]

    def streams_of(self, track: IntColumn, start_ns: IntColumn) -> IntColumn:
        """The stream of what rows of the host submit.

        A thread that never chose one, as autograd's, works on what was last chosen anywhere.

        Args:
            track: The track of each row.
            start_ns: When each begins.
        """
        streams = np.full(len(track), DEFAULT_STREAM)
        if not len(self._all_choices[0]):
            return streams
        for number in np.unique(track).tolist():
            rows = np.flatnonzero(track == number)
            times_ns, chosen = self._choices.get(number, self._all_choices)
            latest = np.searchsorted(times_ns, start_ns[rows], side="right") - 1
            streams[rows] = np.where(latest >= 0, chosen[latest], DEFAULT_STREAM)
        return streams


def stream_marks(profile: Profile) -> StreamMarks:
    """The rows about streams of a profile.

    Args:
        profile: A profile of a target that stands in for a device.
    """
    events = profile.events
    found = {
        number: match
        for number, text in enumerate(profile.strings)
        if text.startswith(_PREFIX) and (match := _MARK.fullmatch(text))
    }
    is_operator = events["category"] == Category.OPERATOR
    rows = np.flatnonzero(np.isin(events["name"], list(found)) & is_operator)
    rows = rows[np.argsort(events["start_ns"][rows], kind="stable")]
    happenings: list[Happening] = []
    choices: list[tuple[int, int, int]] = []
    for row in rows.tolist():
        what, first, second = found[int(events["name"][row])].groups()
        at_ns = int(events["start_ns"][row])
        if what == _CHOOSES:
            choices.append((int(events["track"][row]), at_ns, int(first)))
        elif what in _HAPPENINGS:
            happenings.append(_HAPPENINGS[what](at_ns, int(first), int(second or 0)))
    by_track = {
        track: _columns([choice for choice in choices if choice[0] == track])
        for track in {track for track, _, _ in choices}
    }
    return StreamMarks(happenings, by_track, _columns(choices))


def _columns(choices: list[tuple[int, int, int]]) -> tuple[IntColumn, IntColumn]:
    return (
        np.array([at_ns for _, at_ns, _ in choices], np.int64),
        np.array([stream for _, _, stream in choices], np.int64),
    )
