"""What a whole profile comes to."""

from __future__ import annotations

from pathlib import Path

from sidelight.analysis.headline import headline
from sidelight.server import protocol
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session answer for whole profiles."""
    session.answers_request(protocol.ANALYSIS, _analysis)


async def _analysis(session: Session, params: protocol.ProfileParams) -> protocol.Analysis:
    _, directory = session.showing.find(Path(params.directory))
    manifest, overview_json = await session.analyses.ask(
        directory, lambda queries, cancel: queries.overview(cancel=cancel)
    )
    return protocol.Analysis(
        directory=params.directory,
        name=manifest.name,
        rank=manifest.rank,
        world_size=manifest.world_size,
        headline=headline(manifest),
        device=manifest.device,
        time_kind=manifest.time_kind,
        steps=manifest.steps,
        overview_json=overview_json,
    )
