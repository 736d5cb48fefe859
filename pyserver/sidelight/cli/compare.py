"""``sidelight compare``: what changed from one profile to another."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sidelight.cli.arguments import Parser, Verb
from sidelight.cli.opened import open_stored
from sidelight.cli.output import Output
from sidelight.profile.store import Store, StoredProfile

if TYPE_CHECKING:
    from sidelight.analysis.compare import Side


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
    from sidelight.analysis.compare import compare

    store = Store(options.store)
    base, new = (_side(store.resolve(name)) for name in (options.base, options.new))
    comparison = compare(base, new)
    if output.json:
        output.document(comparison)
        return 0
    from sidelight.cli.comparison_view import render_comparison

    output.show(lambda console: render_comparison(console, comparison, base.files, new.files))
    return 0


def _side(stored: StoredProfile) -> Side:
    from sidelight.analysis.compare import Side

    opened = open_stored(stored)
    return Side(opened.report, opened.files, stored.manifest.environment)


VERB = Verb(
    "compare",
    "Show what changed between two profiles, by line and by operator.",
    add_arguments,
    run,
)
