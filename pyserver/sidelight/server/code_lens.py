"""Code lenses: device time above functions, classes and forward methods."""

from __future__ import annotations

from lsprotocol import types

from sidelight.server.documents import line_range
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session answer for code lenses."""
    session.answers(
        types.TEXT_DOCUMENT_CODE_LENS, _code_lenses, types.CodeLensOptions(resolve_provider=False)
    )


async def _code_lenses(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    settings = session.settings.code_lens
    found = await session.annotated(params.text_document.uri) if settings.enabled else None
    if not found:
        return []
    document, annotated = found
    figures = annotated.figures
    lenses: list[types.CodeLens] = []
    for scope in annotated.scopes:
        total_ns = scope.annotation.total_ns
        share_percent = 100 * figures.share_of_one(total_ns)
        if not total_ns or share_percent < settings.minimum_share_percent:
            continue
        title = f"{figures.time(total_ns)} · {figures.share(total_ns)} of device time"
        if annotated.annotations.attribution != "exact":
            title += " · apportioned"
        if scope.stale:
            title += " · edited"
        # A lens is shown once it has a command; one without a name is plain text.
        command = types.Command(title=title, command="")
        lenses.append(types.CodeLens(line_range(document, scope.line), command))
    return lenses
