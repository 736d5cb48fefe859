"""What a hover says of a line's predicted kernels, and what their times rest on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from sidelight.analysis.annotations import KernelDetail, LineAnnotation
from sidelight.analysis.kernel_text import kernel_time, kernel_work, launch_text
from sidelight.analysis.report import LineStats
from sidelight.server.figures import Figures
from sidelight.server.folder import Folder
from sidelight.server.markdown import code, escaped

_MOST_KERNELS = 3
_LINE_BREAK = "  \n  "


def markdown_predictions(
    annotation: LineAnnotation, figures: Figures, explain_command: str
) -> list[str]:
    """Paragraphs on a line's predicted kernels, in Markdown; none for none.

    Args:
        annotation: The line.
        figures: How its numbers are written.
        explain_command: What prints all that is known of them.
    """
    if not annotation.kernels:
        return []
    items: list[str] = []
    for kernel in annotation.kernels[:_MOST_KERNELS]:
        called = [code(kernel.name), _direction(kernel), code(", ".join(kernel.shapes))]
        first = " · ".join(filter(None, [*_cost(kernel, figures), *called]))
        items.append(_LINE_BREAK.join([f"- {first}", *map(escaped, _reasons(kernel))]))
    parts = [escaped(_heading(annotation)), "\n".join(items)]
    if others := _others(annotation):
        parts.append(f"{others}: {code(explain_command)}")
    return parts


def plain_predictions(
    annotation: LineAnnotation, figures: Figures, explain_command: str
) -> list[str]:
    """The same as lines of plain text."""
    if not annotation.kernels:
        return []
    lines = [_heading(annotation)]
    for kernel in annotation.kernels[:_MOST_KERNELS]:
        called = [kernel.name, _direction(kernel), ", ".join(kernel.shapes)]
        lines.append(" · ".join(filter(None, [*_cost(kernel, figures), *called])))
        lines += [f"  {reason}" for reason in _reasons(kernel)]
    if others := _others(annotation):
        lines.append(f"{others}: {explain_command}")
    return lines


def explain_command(folder: Folder, directory: Path, stats: LineStats) -> str:
    """What to type in a terminal of a folder to be told all about a line's predictions.

    Args:
        folder: The folder.
        directory: The profile's directory, in the folder's store.
        stats: The line.
    """
    file = Path(stats.file)
    if file.is_relative_to(folder.path):
        file = file.relative_to(folder.path)
    words = ["sidelight", "lines", folder.reference(directory)]
    words += ["--explain", f"{file}:{stats.line}"]
    if folder.store.directory != folder.path / ".sidelight":
        words += ["--store", str(folder.store.directory)]
    return shlex.join(words)


def _heading(annotation: LineAnnotation) -> str:
    return f"Predicted kernels. {launch_text(annotation.kernels)}".rstrip()


def _cost(kernel: KernelDetail, figures: Figures) -> list[str]:
    return [figures.time(kernel.total_ns, "predicted"), figures.count(kernel.count)]


def _direction(kernel: KernelDetail) -> str:
    return "backward" if kernel.backward else ""


def _reasons(kernel: KernelDetail) -> Sequence[str]:
    return (f"{kernel.rule} · {kernel_work(kernel)}", kernel_time(kernel))


def _others(annotation: LineAnnotation) -> str:
    others = annotation.kernel_count - _MOST_KERNELS
    return f"and {others:,} more" if others > 0 else ""
