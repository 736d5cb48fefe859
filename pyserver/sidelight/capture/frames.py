"""The interpreter's frames, by way of the two functions that CPython offers for them."""

from __future__ import annotations

import sys

current_frame = sys._getframe  # pyright: ignore[reportPrivateUsage]
"""``current_frame(depth)``: the frame that many calls up from the caller's own."""

running_frames = sys._current_frames  # pyright: ignore[reportPrivateUsage]
"""The innermost frame of every thread, by thread identity."""
