"""Colour by share of the device time, the same in every table."""

from __future__ import annotations

_HEAT = ((0.20, "bold red"), (0.05, "yellow"), (0.01, ""))
_COLD = "dim"


def heat_style(part: float, whole: float) -> str:
    """The rich style of a time that is ``part`` of ``whole``."""
    fraction = part / whole if whole else 0
    return next((style for least, style in _HEAT if fraction >= least), _COLD)
