"""The source lines of a profile, numbered, and which line each calling context is in."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.model import Profile

NO_LINE = -1

Place = tuple[str, int]
"""A file, as the profile has it, and a 1-based line."""


class SourceLines:
    """Every line that a frame of the profile is on.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        frames, self._stacks = profile.frames, profile.stacks
        numbered: dict[Place, int] = {}
        self._line_of_frame = np.empty(len(frames), np.int64)
        files: list[int] = frames["file"].tolist()
        lines: list[int] = frames["line"].tolist()
        for frame, (file, line) in enumerate(zip(files, lines, strict=True)):
            place = (profile.files[file].path, line)
            self._line_of_frame[frame] = numbered.setdefault(place, len(numbered))
        self.numbers = numbered
        """The lines' numbers by place, in the order of the numbers, which count from 0."""
        # One entry more than there are contexts: index -1, no context, finds it.
        self._line_of_stack = np.append(self._line_of_frame[self._stacks["frame"]], NO_LINE)

    def of_frames(self) -> list[Place]:
        """The place of each frame."""
        places, lines = list(self.numbers), self._line_of_frame
        return [places[int(line)] for line in lines]

    def innermost(self, stack: IntColumn) -> IntColumn:
        """The number of each calling context's innermost line; ``NO_LINE`` for no context."""
        return self._line_of_stack[stack]

    def chain(self, stack: int) -> list[Place]:
        """The lines of one calling context, innermost first."""
        places = list(self.numbers)
        chain: list[Place] = []
        while stack >= 0:
            chain.append(places[int(self._line_of_stack[stack])])
            stack = int(self._stacks["parent"][stack])
        return chain

    def contexts_within(self, line: int) -> Mask:
        """Which calling contexts have a line, by its number, anywhere in their chain.

        The mask has one entry more than there are contexts: index -1, no context, finds it.
        """
        within = self._line_of_stack == line
        parent = np.append(self._stacks["parent"], -1)
        while True:
            wider = within | within[parent]
            if (wider == within).all():
                return within
            within = wider
