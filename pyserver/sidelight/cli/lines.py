"""``sidelight lines``: every line of a stored profile."""

from __future__ import annotations

import argparse
from pathlib import PurePath

from sidelight.cli.arguments import Parser, Verb
from sidelight.cli.opened import OpenedProfile, open_stored
from sidelight.cli.output import Output
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.store import Store


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument("profile", metavar="PROFILE", help="a profile's name, id or directory")
    parser.add_argument(
        "--file", metavar="F", help="only the lines of this file: its path, or the end of it"
    )


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the table, or the document; ``--file`` leaves only ``lines`` of other files out.

    Returns:
        0.

    Raises:
        ProfileNotFoundError: There is no such profile.
        StoreError: It is damaged.
        UnreadableInputError: ``no_such_file``: none of its lines is in the file asked for.
    """
    import msgspec

    opened = open_stored(Store(options.store).resolve(options.profile))
    report = opened.report
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
