"""The entry point: which verb, and what becomes of its errors."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sidelight.cli import (
    compare,
    export,
    hardware,
    lines,
    open,
    profile,
    profiles,
    server,
    summary,
    timeline,
)
from sidelight.cli.arguments import (
    FAILED,
    WRONG_USAGE,
    Verb,
    WrongUsageError,
    parse_arguments,
)
from sidelight.cli.failures import explain
from sidelight.cli.output import Output

VERBS = (
    profile.VERB,
    open.VERB,
    profiles.VERB,
    lines.VERB,
    summary.VERB,
    timeline.VERB,
    compare.VERB,
    export.VERB,
    hardware.VERB,
    server.VERB,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: What follows the program's name; None takes the process's own.

    Returns:
        The exit status: 0 done, else 1 of ``profile`` and 3 of the other verbs; 1 if interrupted.

    Raises:
        SystemExit: After ``--help`` (0) and on wrong usage (2).
    """
    options = parse_arguments(VERBS, sys.argv[1:] if arguments is None else arguments)
    verb: Verb = options.verb
    output = Output(json=options.json)
    try:
        return verb.run(options, output)
    except KeyboardInterrupt:
        output.error("interrupted", "Interrupted.")
        return FAILED
    except Exception as error:
        told = explain(error, debug=options.debug)
        output.error(told.code, told.message)
        return WRONG_USAGE if isinstance(error, WrongUsageError) else verb.failure_status
