"""``sidelight timeline``: what a panel draws of a part of a stored profile's timeline."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sidelight.cli.arguments import Parser, Verb, whole_number
from sidelight.cli.output import Output
from sidelight.cli.time_range import add_time_range, check_time_range
from sidelight.profile.store import Store

if TYPE_CHECKING:
    from rich.console import Console

    from sidelight.analysis.timelines.plain_window import PlainWindow


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument("profile", metavar="PROFILE", help="a profile's name, id or directory")
    add_time_range(parser, required=True)
    parser.add_argument(
        "--width",
        metavar="PX",
        type=whole_number(1),
        required=True,
        help="in how many pixels it is drawn: events narrower than one are merged",
    )


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the tracks with what lies in the part, or the document with all that is drawn.

    Returns:
        0.

    Raises:
        WrongUsageError: The part ends before it begins.
        ProfileNotFoundError: There is no such profile.
        StoreError: It is damaged.
    """
    from_ns, to_ns = options.from_ns, options.to_ns
    check_time_range(from_ns, to_ns)
    from sidelight.analysis.timelines.index import TimelineIndex
    from sidelight.analysis.timelines.plain_window import plain_window

    stored = Store(options.store).resolve(options.profile)
    index = TimelineIndex(stored.load())
    window = plain_window(index, stored.manifest, from_ns, to_ns, options.width)
    if output.json:
        output.document(window)
        return 0
    output.show(lambda console: _render(console, window, from_ns, to_ns))
    return 0


def _render(console: Console, window: PlainWindow, from_ns: int, to_ns: int) -> None:
    from sidelight.cli.paragraphs import print_paragraph
    from sidelight.cli.printable import printable
    from sidelight.cli.text import fit, left, right
    from sidelight.profile import units

    is_predicted = window.time_kind != "measured"

    def time(nanoseconds: int) -> str:
        return units.duration(nanoseconds, predicted=is_predicted)

    tracks = [track for track in window.tracks if track.events]
    if not tracks:
        ends_ns = [track.end_ns for track in window.tracks]
        print_paragraph(
            console,
            f"Nothing ran then. The profile's events end at {max(ends_ns):,} ns."
            if ends_ns
            else "The profile has no events.",
        )
        return
    spans = len(window.spans["event"])
    merged = sum(window.spans["merged"]) - spans
    has_regions = any(track.regions_of is not None for track in tracks)
    what = "events and modules" if has_regions else "events"
    more = f", which stand for {merged + spans:,} {what}" if merged else ""
    print_paragraph(
        console,
        f"{time(to_ns - from_ns)} from {time(from_ns)} on, in {window.width_px:,} px: "
        f"{spans:,} rectangle{'s' if spans != 1 else ''}{more}.",
    )
    busy = [
        f"{time(track.busy_ns)} ({units.share(track.busy_ns, to_ns - from_ns) or '0%'})"
        for track in tracks
    ]
    counts = [f"{track.events:,}" for track in tracks]
    widths = [max(map(len, ("events", *counts))), max(map(len, ("busy", *busy)))]
    room = console.width - sum(widths) - 4
    for count, of_time, name in zip(
        ("events", *counts),
        ("busy", *busy),
        ("track", *(track.name for track in tracks)),
        strict=True,
    ):
        cells = (right(count, widths[0]), left(of_time, widths[1]), fit(printable(name), room))
        console.print("  ".join(cells), soft_wrap=True)


VERB = Verb(
    "timeline",
    "Show what a panel draws of a part of a profile's timeline.",
    add_arguments,
    run,
)
