"""Progress for the program that started this one: JSON lines on a file descriptor it gave."""

from __future__ import annotations

import json
import os
import select
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sidelight.jobs.stages import Stage


class ProgressLines:
    """Writes a run's stages as lines such as ``{"stage": "reading", "fraction": 0.4}``.

    Once a line cannot be written whole and at once, nothing more is written.

    Args:
        descriptor: A pipe or socket; None, or anything else, writes nothing.
    """

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor if descriptor is not None and _is_pipe(descriptor) else None
        self._poll: select.poll | None = None
        if self._descriptor is not None:
            os.set_blocking(self._descriptor, False)
            self._poll = select.poll()
            self._poll.register(self._descriptor, 0)

    def reader_is_gone(self) -> bool:
        """Whether there was a reader, and it has closed its end or died: nobody watches the run."""
        # Asked for nothing, the system still tells of a hang-up.
        return self._poll is not None and bool(self._poll.poll(0))

    def write(self, stage: Stage) -> None:
        """Write one line."""
        if self._descriptor is None:
            return
        content: dict[str, object] = {"stage": stage.name}
        if stage.fraction is not None:
            content["fraction"] = stage.fraction
        if stage.profile is not None:
            content["profile"] = str(stage.profile)
        if stage.recording is not None:
            content["recording"] = str(stage.recording)
        line = json.dumps(content).encode("ascii") + b"\n"
        try:
            written = os.write(self._descriptor, line)
        except OSError:
            written = 0
        if written < len(line):
            self._descriptor = None


def _is_pipe(descriptor: int) -> bool:
    # A number that nobody opened for us may be a file of this program's own by now.
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
