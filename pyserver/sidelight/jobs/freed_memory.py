"""Gives freed memory back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back_freed_memory() -> None:
    """Have the C library give back what it keeps of freed memory, for who needs it in other pieces.

    Readers of tables free a lot in small pieces, which glibc keeps for more of that size. Where
    there is another C library, nothing is done.
    """
    if sys.platform != "linux":
        return
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except AttributeError:
        return
    trim(0)
