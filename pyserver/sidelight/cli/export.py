"""``sidelight export``: a stored profile as a file for other programs, or for people."""

from __future__ import annotations

import argparse

from sidelight.cli.arguments import Parser, Verb, WrongUsageError, path_name
from sidelight.cli.output import Output
from sidelight.cli.printable import printable
from sidelight.cli.time_range import add_time_range, check_time_range
from sidelight.jobs.export import EXPORT_FORMATS, WITHOUT_TIMES, export_profile
from sidelight.profile import units
from sidelight.profile.store import Store


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument("profile", metavar="PROFILE", help="a profile's name, id or directory")
    parser.add_argument(
        "--format",
        required=True,
        choices=EXPORT_FORMATS,
        help="perfetto and chrome: a trace of the whole recording; csv: a row an event of the "
        "recorded steps; html: a report to send to somebody",
    )
    add_time_range(parser, required=False)
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        required=True,
        type=path_name,
        help="the file to write; one that is there is replaced",
    )


def run(options: argparse.Namespace, output: Output) -> int:
    """Write the file, and say what is in it.

    Returns:
        0.

    Raises:
        WrongUsageError: The part of the time makes no sense.
        ProfileNotFoundError: There is no such profile.
        StoreError: It is damaged.
        ExportError: The file cannot be written.
    """
    from_ns, to_ns = options.from_ns, options.to_ns
    check_time_range(from_ns, to_ns)
    if options.format in WITHOUT_TIMES and (from_ns, to_ns) != (None, None):
        raise WrongUsageError(
            "usage", f"--from and --to are of no use with {options.format}, which is of all steps."
        )
    stored = Store(options.store).resolve(options.profile)
    with output.progress(f"exporting {stored.manifest.name}") as on_progress:
        exported = export_profile(
            stored,
            options.format,
            options.output,
            from_ns=from_ns,
            to_ns=to_ns,
            on_progress=on_progress,
        )
    if output.json:
        output.document(
            {
                "profile": str(stored.directory),
                "format": options.format,
                "path": str(exported.path),
                "bytes": exported.size_bytes,
                "events": exported.events,
            }
        )
        return 0
    size = units.size(exported.size_bytes)
    events = f"{exported.events:,} event{'s' if exported.events != 1 else ''}"
    output.show(
        lambda console: console.print(
            f"{events}, {size}: {printable(str(options.output))}", soft_wrap=True
        )
    )
    for note in exported.notes:
        output.say(note.message)
    return 0


VERB = Verb(
    "export",
    "Write a profile to a file for other programs, or for people.",
    add_arguments,
    run,
)
