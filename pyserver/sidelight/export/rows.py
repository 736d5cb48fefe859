"""How events and their lines read, whatever the format."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from sidelight.export.source import Indexes
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import line_name, shown_name
from sidelight.profile.tables import Category

NO_FRAME = -1


class ShownRows:
    """The texts of a profile's events.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        # One entry more than there are contexts: index -1, no context, finds it.
        self._frame_of_stack = np.append(profile.stacks["frame"].astype(np.int64), NO_FRAME)

    @cached_property
    def names(self) -> list[str]:
        """What events are called, by :meth:`labels`."""
        profile = self._profile
        strings = list(map(shown_name, profile.strings))
        return strings + [line_name(profile, frame) for frame in range(len(profile.frames))]

    def labels(self, rows: Indexes) -> Indexes:
        """The number of the name that each of some events goes by."""
        events = self._profile.events
        frame = events["frame"][rows]
        is_line = (events["category"][rows] == Category.LINE) & (frame >= 0)
        return np.where(is_line, len(self._profile.strings) + frame, events["name"][rows])

    def frames(self, rows: Indexes) -> Indexes:
        """The innermost line that each of some events belongs to, by frame; ``NO_FRAME`` for none.

        Of an event of several lines it is the first that the recording names.
        """
        return self._frame_of_stack[self._profile.events["stack"][rows]]

    @cached_property
    def places(self) -> list[tuple[str, int]]:
        """File and 1-based line of each frame."""
        frames, files = self._profile.frames, self._profile.files
        file_of: list[int] = frames["file"].tolist()
        line_of: list[int] = frames["line"].tolist()
        return [(files[file].path, line) for file, line in zip(file_of, line_of, strict=True)]

    @cached_property
    def function_names(self) -> list[str]:
        """The function around each frame's line, as torch names functions in traces."""
        strings = self._profile.strings
        functions: list[int] = self._profile.frames["function"].tolist()
        return [
            f"{path}({line}): {(strings[function] if function >= 0 else '') or '?'}"
            for (path, line), function in zip(self.places, functions, strict=True)
        ]
