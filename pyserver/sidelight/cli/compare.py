"""``sidelight compare``: what changed from one profile to another."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sidelight.cli.arguments import Parser, Verb
from sidelight.cli.opened import open_stored
from sidelight.cli.output import Output
from sidelight.profile.store import Store

if TYPE_CHECKING:
    from rich.console import Console


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    which = "a profile's name, id or directory"
    parser.add_argument("base", metavar="BASE", help=f"what was before: {which}")
    parser.add_argument("new", metavar="NEW", help="what is now: another profile, named likewise")


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the tables, or the document.

    Returns:
        0.

    Raises:
        ProfileNotFoundError: One of the profiles does not exist.
        StoreError: One of them is damaged.
    """
    from sidelight.analysis.compare import Side, compare

    store = Store(options.store)
    stored = [store.resolve(name) for name in (options.base, options.new)]
    opened = [open_stored(each) for each in stored]
    base, new = (
        Side(each.report, each.files, each.profile.manifest.environment) for each in opened
    )
    comparison = compare(base, new)
    if output.json:
        output.document(comparison)
        return 0
    from sidelight.analysis.roofline.change import ChartedSide, roofline_change
    from sidelight.analysis.roofline.chart import roofline_chart
    from sidelight.cli.comparison_roofline import render_roofline_change
    from sidelight.cli.comparison_view import render_comparison

    charts = [roofline_chart(each.profile) for each in opened]
    moved = roofline_change(ChartedSide(base, charts[0]), ChartedSide(new, charts[1]))

    def show(console: Console) -> None:
        render_comparison(console, comparison, base.files, new.files)
        render_roofline_change(console, moved)

    output.show(show)
    return 0


VERB = Verb(
    "compare",
    "Show what changed between two profiles, by line and by operator.",
    add_arguments,
    run,
)
