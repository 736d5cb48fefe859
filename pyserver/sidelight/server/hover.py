"""Hovers: everything known about a line."""

from __future__ import annotations

from lsprotocol import types

from sidelight.server.documents import line_range
from sidelight.server.hover_predictions import explain_command
from sidelight.server.hover_text import markdown_hover, plain_hover
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session answer for hovers."""
    session.answers(types.TEXT_DOCUMENT_HOVER, _hover)


async def _hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    found = await session.annotated(params.text_document.uri)
    line = found[1].at(params.position.line) if found else None
    if not found or not line:
        return None
    document, annotated = found
    folder, directory = session.showing.find(annotated.shown.directory)
    command = explain_command(folder, directory, line.annotation.stats)
    if session.client.markdown:
        kind = types.MarkupKind.Markdown
        text = markdown_hover(annotated, line, command, link=session.client.command_links)
    else:
        kind, text = types.MarkupKind.PlainText, plain_hover(annotated, line, command)
    return types.Hover(types.MarkupContent(kind, text), line_range(document, params.position.line))
