"""``sidelight lines``: every line of a stored profile."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import msgspec

from sidelight.cli.arguments import Parser, Verb
from sidelight.cli.opened import OpenedProfile, open_stored
from sidelight.cli.output import Output
from sidelight.cli.places import short_places
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.store import Store

if TYPE_CHECKING:
    from sidelight.analysis.report import LineStats


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument("profile", metavar="PROFILE", help="a profile's name, id or directory")
    parser.add_argument(
        "--file", metavar="F", help="only the lines of this file: its path, or the end of it"
    )
    parser.add_argument(
        "--explain",
        metavar="LINE",
        type=_line,
        help="what the predicted time of one line rests on: its number, or FILE:LINE",
    )


@dataclass(frozen=True)
class _Line:
    file: str | None
    line: int


def _line(text: str) -> _Line:
    file, _, number = text.rpartition(":")
    if not number.isdecimal() or not int(number):
        raise argparse.ArgumentTypeError(f"{text!r} is no line, such as 12 or train.py:12")
    return _Line(file or None, int(number))


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the table, or the document; ``--file`` leaves only ``lines`` of other files out.

    With ``--explain`` the document has ``explanation`` too: the line, and its kernels.

    Returns:
        0.

    Raises:
        ProfileNotFoundError: There is no such profile.
        StoreError: It is damaged.
        UnreadableInputError: ``no_such_file`` or ``no_such_line``: it has none such;
            ``not_priced``: nothing was predicted for it.
    """
    opened = open_stored(Store(options.store).resolve(options.profile))
    report = opened.report
    if options.explain is not None:
        return _explain(opened, options.explain, options.file, output)
    if options.file is not None:
        wanted = _files_ending_in(opened, options.file)
        lines = [line for line in report.lines if line.file in wanted]
        report = msgspec.structs.replace(report, lines=lines)
    if output.json:
        output.document(report)
        return 0
    from sidelight.cli.line_table import render_line_table

    output.show(lambda console: render_line_table(console, report, opened.files))
    return 0


def _explain(opened: OpenedProfile, wanted: _Line, file: str | None, output: Output) -> int:
    from sidelight.analysis.explain import explain_lines
    from sidelight.analysis.line_roofline import line_roofline
    from sidelight.cli.text import display_path

    report, pricing = opened.report, opened.report.pricing
    if pricing is None:
        raise UnreadableInputError(
            "not_priced",
            f"Nothing was predicted for {report.name}. Price it with `sidelight open "
            f"{display_path(report.profile)} --device trn2`.",
        )
    stats = _line_stats(opened, wanted, wanted.file or file)
    kernels = explain_lines(opened.profile).get((stats.file, stats.line), [])
    if output.json:
        place = {
            "file": stats.file,
            "line": stats.line,
            "roofline": line_roofline(kernels, pricing),
            "kernels": kernels,
        }
        document: dict[str, object] = msgspec.to_builtins(report)
        output.document({**document, "explanation": place})
        return 0
    from sidelight.analysis.source_texts import SourceTexts
    from sidelight.cli.explanation import render_explanation

    source = SourceTexts(opened.files).line(stats.file, stats.line) or ""
    place = f"{display_path(stats.file)}:{stats.line}"
    is_priced = stats.predicted_ns is not None
    output.show(
        lambda console: render_explanation(
            console, place, source, kernels, pricing, report.steps, is_priced=is_priced
        )
    )
    return 0


def _line_stats(opened: OpenedProfile, wanted: _Line, file: str | None) -> LineStats:
    """The line asked for; without a file, the one line of that number."""
    lines = [line for line in opened.report.lines if line.line == wanted.line]
    if file is not None:
        files = _files_ending_in(opened, file)
        lines = [line for line in lines if line.file in files]
    if not lines:
        raise UnreadableInputError(
            "no_such_line",
            f"Line {wanted.line} of {opened.report.name} has no device time. `sidelight lines` "
            "shows those that have.",
        )
    if len(lines) > 1:
        places = " or ".join(short_places([(line.file, line.line) for line in lines])[:3])
        raise UnreadableInputError(
            "no_such_line", f"There is more than one line {wanted.line}. Say which, as in {places}."
        )
    return lines[0]


def _files_ending_in(opened: OpenedProfile, path: str) -> set[str]:
    known = sorted(
        {file.path for file in opened.files} | {line.file for line in opened.report.lines}
    )
    ending = PurePath(path).parts
    found = {file for file in known if PurePath(file).parts[-len(ending) :] == ending}
    if not found:
        names = ", ".join(PurePath(file).name for file in known[:5]) or "no file at all"
        raise UnreadableInputError(
            "no_such_file",
            f"No line of {opened.report.name} is in {path}. It knows {names}"
            f"{', and others' if len(known) > 5 else ''}.",
        )
    return found


VERB = Verb(
    "lines",
    "Show the device time of every source line of a profile.",
    add_arguments,
    run,
)
