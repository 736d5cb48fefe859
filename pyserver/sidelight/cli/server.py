"""``sidelight server``: the language server, on standard input and output."""

from __future__ import annotations

import argparse
import gc

from sidelight.cli.arguments import Parser, Verb
from sidelight.cli.output import Output


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments: it has none of its own."""


def run(options: argparse.Namespace, output: Output) -> int:
    """Serve until the client leaves. The server's messages go to standard error.

    Returns:
        0.
    """
    # Hardly anything of what is imported becomes garbage, and to look for it meanwhile takes a
    # fifth of the time to start.
    gc.disable()
    from sidelight.server.serving import serve

    gc.freeze()
    gc.enable()
    serve(options.store, debug=options.debug)
    return 0


VERB = Verb(
    "server",
    "Serve an editor: the language server, on standard input and output.",
    add_arguments,
    run,
)
