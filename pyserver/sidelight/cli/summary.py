"""``sidelight summary``: the headline figures of a stored profile."""

from __future__ import annotations

import argparse

from sidelight.cli.arguments import Parser, Verb
from sidelight.cli.output import Output
from sidelight.profile.store import Store


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument("profile", metavar="PROFILE", help="a profile's name, id or directory")


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the figures, or the document.

    Returns:
        0.

    Raises:
        ProfileNotFoundError: There is no such profile.
        StoreError: It is damaged.
    """
    from sidelight.analysis.summary import profile_summary

    stored = Store(options.store).resolve(options.profile)
    summary = profile_summary(stored.load())
    if output.json:
        output.document(summary)
        return 0
    from sidelight.cli.summary_view import render_summary

    output.show(lambda console: render_summary(console, summary, stored.manifest))
    return 0


VERB = Verb(
    "summary",
    "Show a profile's headline figures, and what is to be known about its data.",
    add_arguments,
    run,
)
