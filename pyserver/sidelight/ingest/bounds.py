"""How much of what an input holds is taken over: no more than people can look at."""

from __future__ import annotations

from typing import Final

from sidelight.profile.errors import UnreadableInputError

LONGEST_TEXT: Final = 16_384
"""Characters of a name. No kernel's is longer, and a hostile one can be huge."""

LONGEST_LABEL: Final = 200
"""Characters of what a track is called."""

LONGEST_SIGNATURE: Final = 1 << 20
"""Characters of an operator's inputs, which have to be whole to mean anything."""

MOST_TRACKS: Final = 1 << 16


def shortened(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text, or the beginning of one that is too long."""
    return text if len(text) <= longest else text[:longest] + "…"


def check_tracks(count: int, what: str) -> None:
    """Refuse an input of more tracks than can be held and shown.

    Args:
        count: How many it has, or has so far.
        what: The input, as a message names it.

    Raises:
        UnreadableInputError: ``too_many_tracks``.
    """
    if count > MOST_TRACKS:
        raise UnreadableInputError(
            "too_many_tracks",
            f"{what} has events on more than {MOST_TRACKS:,} threads and streams, which is more "
            "than can be shown. Check what it has as tid, and record fewer of them.",
        )
