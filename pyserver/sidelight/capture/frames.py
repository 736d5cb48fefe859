"""The interpreter's frames, by way of the two functions that CPython offers for them."""

from __future__ import annotations

import os
import sys

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
    if outermost is None:
        return
    following = outermost.tb_next
    while following is not None and following.tb_frame.f_code.co_filename.startswith(_OURS):
        following = following.tb_next
    if following is not outermost.tb_next:
        outermost.tb_next = following
