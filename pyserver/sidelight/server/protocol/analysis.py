"""Messages on what a whole profile comes to."""

from __future__ import annotations

from typing import Literal

from sidelight.server.protocol.message import Message


class Analysis(Message, frozen=True):
    """A profile, and what it comes to.

    Attributes:
        headline: One plain sentence, as the command line's first.
        steps: How many are recorded; sums are over all of them.
        overview_json: An ``Overview`` (``extension/src/documents.ts``) as JSON text, with the keys
            and the numbers of ``sidelight summary --json``: nothing between the two looks at it.
    """

    directory: str
    name: str
    rank: int | None
    world_size: int | None
    headline: str
    device: str
    time_kind: Literal["measured", "predicted", "mixed"]
    steps: int
    overview_json: str


class FoundLine(Message, frozen=True):
    """Where a line of a profile's source is.

    Attributes:
        uri: Its file on this machine; None where that is not found.
        current_line: 1-based, where it is now; None where it was removed.
    """

    uri: str | None
    current_line: int | None
