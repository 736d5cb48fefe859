"""A part of a profile's time, as options of the command line."""

from __future__ import annotations

from typing import Final

from sidelight.cli.arguments import Parser, WrongUsageError, whole_number

_LATEST_NS: Final = 1 << 62
"""No profile lasts longer: 146 years."""


def add_time_range(parser: Parser, *, required: bool) -> None:
    """Declare ``--from`` and ``--to``, which become ``from_ns`` and ``to_ns``.

    Args:
        parser: The verb's.
        required: Whether they must be given.
    """
    for name, end in (("from", "begins"), ("to", "ends")):
        parser.add_argument(
            f"--{name}",
            dest=f"{name}_ns",
            metavar="NS",
            type=_instant,
            required=required,
            help=f"where the part {end}, in nanoseconds from the profile's start",
        )


def check_time_range(from_ns: int | None, to_ns: int | None) -> None:
    """Refuse a part that ends before it begins.

    Raises:
        WrongUsageError: It does.
    """
    if from_ns is not None and to_ns is not None and to_ns <= from_ns:
        raise WrongUsageError("usage", f"--to {to_ns} is not after --from {from_ns}.")


def _instant(text: str) -> int:
    return min(whole_number(0)(text), _LATEST_NS)
