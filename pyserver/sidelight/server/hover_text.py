"""What a hover says about a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import quote

import msgspec

from sidelight.analysis.annotations import Annotations, LineAnnotation
from sidelight.analysis.headline import provenance
from sidelight.analysis.kernel_text import pricing_text
from sidelight.server.annotated_document import AnnotatedDocument, PlacedLine
from sidelight.server.figures import ATTRIBUTIONS, Figures
from sidelight.server.hover_predictions import markdown_predictions, plain_predictions
from sidelight.server.markdown import code, escaped, table
from sidelight.server.protocol import LineParams

_MOST_CODES = 3

_STALE = "This line was changed since it was profiled: the numbers are those of the line as it was."


def markdown_hover(
    annotated: AnnotatedDocument, line: PlacedLine, explain_command: str, *, link: bool
) -> str:
    """The hover in Markdown; nothing in it that comes from a trace is markup.

    Args:
        annotated: The document.
        line: The line hovered over.
        explain_command: What prints all that its predictions rest on.
        link: Whether the client follows a link to the timeline.
    """
    figures, annotation = annotated.figures, line.annotation
    first, *rest = _headline(annotation, figures)
    parts = [f"**{first}**{''.join(rest)}"]
    if link and annotation.stats.total_ns:  # what only other lines spent is not this line's there
        parts[0] += f" · {_timeline_link(annotated, annotation)}"
    if line.stale:
        parts.append(f"⚠ {_STALE}")
    parts.append(table(["", "a step", "share"], _times(annotation, figures), "lrr"))
    if operators := _operators(annotation, figures):
        # No table: names and shapes may be long, and would press its columns together.
        rows = [[time, count, code(name), code(inputs)] for name, time, count, inputs in operators]
        parts.append("\n".join(f"- {' · '.join(filter(None, row))}" for row in rows))
    parts += markdown_predictions(annotation, figures, explain_command)
    parts += [f"*{escaped(origin)}*" for origin in _origins(annotated, annotation)]
    if doubts := _doubts(annotated.annotations):
        parts.append(f"⚠ {escaped(doubts)}")
    return "\n\n".join(parts)


def plain_hover(annotated: AnnotatedDocument, line: PlacedLine, explain_command: str) -> str:
    """The hover for a client that shows no Markdown."""
    figures, annotation = annotated.figures, line.annotation
    lines = ["".join(_headline(annotation, figures))]
    if line.stale:
        lines.append(_STALE)
    lines += [": ".join(filter(None, row)) for row in _times(annotation, figures)]
    lines += [" · ".join(filter(None, row)) for row in _operators(annotation, figures)]
    lines += plain_predictions(annotation, figures, explain_command)
    lines += _origins(annotated, annotation)
    if doubts := _doubts(annotated.annotations):
        lines.append(doubts)
    return "\n".join(lines)


def _headline(annotation: LineAnnotation, figures: Figures) -> list[str]:
    """The time that matters most, and what belongs to it."""
    stats = annotation.stats
    count = [f" · {figures.count(stats.count)}"] if stats.count else []
    if stats.self_ns:
        time = figures.time(stats.self_ns, stats.time_kind)
        share = figures.share(stats.self_ns)
        return [time, " of device time a step", f" · {share}", *count]
    if stats.total_ns:
        time = figures.time(stats.total_ns, stats.time_kind)
        return [time, " of device time a step in what it calls", *count]
    time = figures.time(stats.launched_ns, stats.time_kind)
    return [time, " of device time a step of other lines, in the backward pass it starts", *count]


def _times(annotation: LineAnnotation, figures: Figures) -> list[list[str]]:
    """Rows of what, how long and how much of all; what is zero is left out."""
    stats = annotation.stats
    device = [
        ("device time, self", stats.self_ns),
        ("· forward", stats.forward_ns if stats.backward_ns else 0),
        ("· backward", stats.backward_ns),
        ("device time, total", stats.total_ns),
        ("backward of other lines, started here", stats.launched_ns),
    ]
    rows = [
        [name, figures.time(time_ns, stats.time_kind), figures.share(time_ns)]
        for name, time_ns in device
        if time_ns
    ]
    if predicted := figures.predicted_beside(stats):
        rows.append([f"predicted for {figures.chip}, self", predicted, ""])
    others = [("host time", stats.host_ns), ("device idle before it", annotation.idle_before_ns)]
    return rows + [[name, figures.time(time_ns), ""] for name, time_ns in others if time_ns]


def _operators(annotation: LineAnnotation, figures: Figures) -> list[list[str]]:
    kind = annotation.stats.time_kind
    if kind == "predicted" and annotation.kernels:
        return []  # the kernels are these, and say more
    return [
        [
            operator.name,
            figures.time(operator.self_ns, kind),
            figures.count(operator.count),
            ", ".join(operator.shapes),
        ]
        for operator in annotation.ops
        if operator.self_ns
    ]


def _origins(annotated: AnnotatedDocument, annotation: LineAnnotation) -> list[str]:
    """What kind of numbers these are, and which run they are of; then what is predicted beside."""
    stats, annotations, manifest = annotation.stats, annotated.annotations, annotated.shown.manifest
    pricing = annotations.pricing
    predicted_for = pricing_text(pricing) if pricing else annotations.device
    is_measured = stats.time_kind == "measured"
    device = annotations.device if is_measured else predicted_for
    parts: Sequence[str] = [
        _capitalized(provenance(device, stats.time_kind)),
        ATTRIBUTIONS[stats.attribution],
        _steps(annotations),
        manifest.name if manifest else annotations.name,
    ]
    origins = [" · ".join(parts)]
    if annotated.figures.predicted_beside(stats):
        origins.append(_capitalized(provenance(predicted_for, "predicted")))
    return origins


def _doubts(annotations: Annotations) -> str:
    """What of the profile's data-quality report may make its numbers wrong, by code."""
    codes = [note.code for note in annotations.quality if note.severity != "info"]
    if not codes:
        return ""
    named = ", ".join(codes[:_MOST_CODES])
    more = f" and {len(codes) - _MOST_CODES} more" if len(codes) > _MOST_CODES else ""
    return f"Data quality: {named}{more} (the timeline's header explains)"


def _steps(annotations: Annotations) -> str:
    return "1 step" if annotations.steps == 1 else f"mean of {annotations.steps:,} steps"


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _timeline_link(annotated: AnnotatedDocument, annotation: LineAnnotation) -> str:
    place = LineParams(
        directory=str(annotated.shown.directory),
        file=annotation.stats.file,
        line=annotation.stats.line,
    )
    argument = json.dumps([msgspec.to_builtins(place)])
    return f"[Show in timeline](command:sidelight.showTimeline?{quote(argument, safe='')})"
