"""What the C library does with memory that is freed: keep it, or give it back to the system."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

# glibc's malloc.h has these numbers.
_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3

_KEPT_BYTES: Final = 64 << 20
_LARGEST_KEPT_BYTES: Final = 16 << 20


def keep_freed_memory() -> None:
    """Have the C library keep some of what is freed, for who soon needs as much again.

    A trace is read in windows, and columns are made one after another. To get memory from the
    system for each of them anew, which clears it first, takes a tenth of the time of a reading.
    Where there is another C library, nothing is done.
    """
    library = _glibc()
    if library is not None:
        library.mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT_BYTES)
        library.mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)


def give_back_freed_memory() -> None:
    """Have the C library give back what it keeps of freed memory, for who needs it in other pieces.

    Readers of tables free a lot in small pieces, which glibc keeps for more of that size. Where
    there is another C library, nothing is done.
    """
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


def _glibc() -> Any:
    """The C library if it is glibc, else None."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None
