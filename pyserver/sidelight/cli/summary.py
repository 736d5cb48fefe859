"""``sidelight summary``: the headline figures of a stored profile, or one of its tables."""

from __future__ import annotations

import argparse
from typing import Final

from sidelight.cli.arguments import Parser, Verb, WrongUsageError
from sidelight.cli.output import Output
from sidelight.profile.store import Store

TABLES: Final = ("operators", "lines", "modules", "kernels", "tensors")


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument("profile", metavar="PROFILE", help="a profile's name, id or directory")
    parser.add_argument("--table", choices=TABLES, help="print a table in place of the figures")
    parser.add_argument("--sort", metavar="COLUMN", help="sort it, the largest first")
    parser.add_argument("--ascending", action="store_true", help="the smallest first")
    parser.add_argument("--filter", metavar="TEXT", help="its rows that have a text, in any case")
    parser.add_argument("--group-by", metavar="COLUMN", help="one row for each text of a column")
    parser.add_argument("--csv", action="store_true", help="print it as CSV, sums over all steps")


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the figures or the table, or the document.

    Returns:
        0.

    Raises:
        WrongUsageError: The options make no sense together.
        ProfileNotFoundError: There is no such profile.
        StoreError: It is damaged.
        UnreadableInputError: ``no_such_column``.
    """
    _check(options, output)
    from sidelight.analysis.summary import profile_summary

    stored = Store(options.store).resolve(options.profile)
    summary = profile_summary(stored.load())
    if options.table:
        from sidelight.analysis.tables.windows import Arranged, Order, Sorting

        sort = [Sorting(options.sort, not options.ascending)] if options.sort else []
        order = Order(sort, text=options.filter or "", group=options.group_by or "")
        arranged = Arranged(getattr(summary.tables, options.table), order)
        if options.csv:
            from sidelight.export.csv_text import csv_text

            output.text(csv_text(*arranged.labelled(arranged.rows)))
            return 0
        page = arranged.page(0, len(arranged.rows))
        if output.json:
            output.document(page)
            return 0
        from sidelight.cli.summary_table import render_table

        output.show(lambda console: render_table(console, page, stored.manifest))
        return 0
    if output.json:
        output.document(summary)
        return 0
    from sidelight.cli.summary_view import render_summary

    output.show(lambda console: render_summary(console, summary, stored.manifest))
    return 0


def _check(options: argparse.Namespace, output: Output) -> None:
    asked = {
        "--sort": options.sort,
        "--ascending": options.ascending,
        "--filter": options.filter,
        "--group-by": options.group_by,
        "--csv": options.csv,
    }
    without = [option for option, value in asked.items() if value]
    if without and not options.table:
        raise WrongUsageError("usage", f"{without[0]} is of a table: name one with --table.")
    if options.ascending and not options.sort:
        raise WrongUsageError("usage", "--ascending needs a column to --sort by.")
    if options.csv and output.json:
        raise WrongUsageError("usage", "--csv and --json are two forms: choose one.")


VERB = Verb(
    "summary",
    "Show a profile's headline figures, or its tables, and what is to be known about its data.",
    add_arguments,
    run,
)
