"""Heat: which lines of a document are warm, and how warm."""

from __future__ import annotations

import math

from sidelight.server.protocol import HEAT, DocumentParams, Heat, HeatLine
from sidelight.server.session import Session

LEVELS = 8
MOST_LINES = 1_000


def register(session: Session) -> None:
    """Let a session answer for heat."""
    session.answers_request(HEAT, _heat)


def level(share: float) -> int:
    """How warm a line with this part, 0 to 1, of the device time is: 1 to 8.

    The scale is that of square roots: a few lines take most of the time, and a linear one would
    show all others alike. Levels begin at 0, 1.6, 6.3, 14, 25, 39, 56 and 77 %.
    """
    return min(LEVELS, 1 + int(LEVELS * math.sqrt(share)))


async def _heat(session: Session, params: DocumentParams) -> Heat:
    found = await session.annotated(params.uri)
    if not found:
        return Heat(version=None, lines=[])
    document, annotated = found
    shares = (
        (line, annotated.figures.share_of_one(line.annotation.stats.self_ns))
        for line in annotated.lines
    )
    lines = [
        HeatLine(line=line.first, level=level(share), share=share, stale=line.stale)
        for line, share in shares
        if share
    ]
    lines.sort(key=lambda line: (-line.share, line.line))
    return Heat(version=document.version, lines=lines[:MOST_LINES])
