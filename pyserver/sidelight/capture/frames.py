"""The interpreter's frames, by way of the two functions that CPython offers for them."""

from __future__ import annotations

import os
import sys
from types import TracebackType

current_frame = sys._getframe  # pyright: ignore[reportPrivateUsage]
"""``current_frame(depth)``: the frame that many calls up from the caller's own."""

running_frames = sys._current_frames  # pyright: ignore[reportPrivateUsage]
"""The innermost frame of every thread, by thread identity."""

_OURS = os.path.dirname(__file__) + os.sep


def forget_our_frames(exception: BaseException) -> None:
    """Make the traceback what it would be without the agent.

    To be called where an exception leaves, or is handled in, the frame whose event brought it
    about: our frames come right after that one.
    """
    outermost = exception.__traceback__
    if outermost is not None:
        _forget_next(outermost)


def forget_our_frames_in(traceback: TracebackType | None) -> None:
    """Make a whole traceback what it would be without the agent.

    To be called where nothing was told of the frames further in, as they are not the user's.
    """
    while traceback is not None:
        _forget_next(traceback)
        traceback = traceback.tb_next


def _forget_next(traceback: TracebackType) -> None:
    """Make the next frame the next that is not ours."""
    following = traceback.tb_next
    while following is not None and following.tb_frame.f_code.co_filename.startswith(_OURS):
        following = following.tb_next
    if following is not traceback.tb_next:
        traceback.tb_next = following
