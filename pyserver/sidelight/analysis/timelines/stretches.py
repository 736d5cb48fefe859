"""Stretches of time that can be reckoned with, whatever was asked for."""

from __future__ import annotations

from typing import Final

MOST_PIXELS: Final = 16_000

MOST_VALUES: Final = 1 << 21
"""In all pixels of all rows: a thousand rows in 2,000 pixels."""

_FARTHEST_NS: Final = 1 << 60
"""Beyond every profile, and small enough that sums with times of it fit a column."""


def instant(at_ns: int) -> int:
    """An instant as it was asked for, or the farthest there is."""
    return min(max(at_ns, -_FARTHEST_NS), _FARTHEST_NS)


def stretch(from_ns: int, to_ns: int) -> tuple[int, int]:
    """A stretch of time as it was asked for, but for what lies too far out or has no length.

    Args:
        from_ns: Its start.
        to_ns: Its end, which does not belong to it.

    Returns:
        Start and end, of at least a nanosecond.
    """
    from_ns = instant(from_ns)
    return from_ns, min(max(to_ns, from_ns + 1), _FARTHEST_NS + 1)


def pixels(width: int, rows: int = 1) -> int:
    """In how many pixels something is drawn: as many as were asked for, if that can be.

    Args:
        width: How many were asked for.
        rows: How many rows of that width there are, each with a value a pixel: so that thousands
            of them fill neither the memory nor the line to the page, all have fewer pixels then.
    """
    most = min(MOST_PIXELS, MOST_VALUES // max(rows, 1))
    return max(min(width, most), 1)


def finest_level(from_ns: int, to_ns: int, width: int, most: int) -> int:
    """The largest power of two nanoseconds that is no longer than a pixel, as its exponent.

    Args:
        from_ns: Start of a stretch of time.
        to_ns: Its end.
        width: In how many pixels it is drawn.
        most: How many pixels are enough.

    Returns:
        -1 where a pixel is shorter than a nanosecond.
    """
    pixel_ns = (to_ns - from_ns) // min(max(width, 1), most)
    return pixel_ns.bit_length() - 1
