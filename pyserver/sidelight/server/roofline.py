"""How a profile lies under its roofline, beside another."""

from __future__ import annotations

from pathlib import Path

from sidelight.server import protocol
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session answer for two profiles' rooflines."""
    session.answers_request(protocol.ROOFLINE_CHANGE, _roofline_change)


async def _roofline_change(
    session: Session, params: protocol.RooflineChangeParams
) -> protocol.RooflineChanged:
    _, directory = session.showing.find(Path(params.directory))
    _, baseline = session.showing.find(Path(params.baseline))
    change_json = await session.analyses.ask(
        directory, lambda queries: queries.roofline_change(baseline)
    )
    return protocol.RooflineChanged(
        directory=params.directory, baseline=params.baseline, change_json=change_json
    )
