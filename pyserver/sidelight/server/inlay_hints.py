"""Inlay hints: device time at line ends."""

from __future__ import annotations

from lsprotocol import types
from pygls.workspace import TextDocument

from sidelight.server.annotated_document import AnnotatedDocument, PlacedLine
from sidelight.server.documents import line_end
from sidelight.server.figures import ATTRIBUTIONS, known_text
from sidelight.server.protocol import InlayHintSettings
from sidelight.server.session import Session

_SEPARATOR = " · "


def register(session: Session) -> None:
    """Let a session answer for inlay hints."""
    session.answers(types.TEXT_DOCUMENT_INLAY_HINT, _inlay_hints)


async def _inlay_hints(session: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    settings = session.settings.inlay_hints
    found = await session.annotated(params.text_document.uri) if settings.enabled else None
    if not found:
        return []
    document, annotated = found
    hints: list[types.InlayHint] = []
    for line in annotated.between(params.range.start.line, params.range.end.line):
        share_percent = 100 * annotated.figures.share_of_one(line.annotation.stats.self_ns)
        if not line.annotation.stats.self_ns or share_percent < settings.minimum_share_percent:
            continue
        if label := _label(line, annotated, settings):
            hints.append(_hint(document, annotated, line, label))
    return hints


def _label(line: PlacedLine, annotated: AnnotatedDocument, settings: InlayHintSettings) -> str:
    stats, figures = line.annotation.stats, annotated.figures
    parts: list[str] = []
    if settings.time:
        parts.append(figures.time(stats.self_ns, stats.time_kind))
    if settings.share:
        parts.append(figures.share(stats.self_ns))
    if settings.count and stats.count:
        parts.append(figures.count(stats.count))
    if settings.time and (predicted := figures.predicted_beside(stats)):
        parts.append(f"{predicted} on {figures.chip}")
    if parts and line.stale:
        parts.append("edited")
    return _SEPARATOR.join(parts)


def _hint(
    document: TextDocument, annotated: AnnotatedDocument, line: PlacedLine, label: str
) -> types.InlayHint:
    stats, annotations = line.annotation.stats, annotated.annotations
    tooltip = (
        "The line's own device time a step · its share of all · how often a step enters it. "
        f"The time is {known_text(annotations, stats.time_kind)}, "
        f"{ATTRIBUTIONS[stats.attribution]}."
    )
    if annotated.figures.predicted_beside(stats):
        tooltip += f" Beside it: what is {known_text(annotations, 'predicted')}."
    if line.stale:
        tooltip += " The line was changed since it was profiled."
    return types.InlayHint(
        line_end(document, line.first), label, tooltip=tooltip, padding_left=True
    )
