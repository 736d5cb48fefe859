"""The entry point: which verb, and what becomes of its errors."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sidelight.cli import lines, open, profile, profiles
from sidelight.cli.arguments import Verb, parse_arguments
from sidelight.cli.output import Output
from sidelight.profile.errors import (
    ProfileNotFoundError,
    SidelightError,
    UnreadableInputError,
)

VERBS = (profile.VERB, open.VERB, profiles.VERB, lines.VERB)

FAILED = 1
UNREADABLE = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: What follows the program's name; None takes the process's own.

    Returns:
        The exit status: 0 done, 1 failed, 3 nothing could be read.

    Raises:
        SystemExit: After ``--help`` (0) and on wrong usage (2).
    """
    options = parse_arguments(VERBS, sys.argv[1:] if arguments is None else arguments)
    verb: Verb = options.verb
    output = Output(json=options.json)
    try:
        return verb.run(options, output)
    except SidelightError as error:
        if options.debug:
            _print_traceback()
        output.error(error.code, error.message)
        unreadable = isinstance(error, (UnreadableInputError, ProfileNotFoundError))
        return UNREADABLE if unreadable or verb.only_reads else FAILED
    except KeyboardInterrupt:
        output.error("interrupted", "Interrupted.")
        return FAILED
    except Exception as error:
        if options.debug:
            _print_traceback()
        kind = type(error).__name__
        hint = "" if options.debug else " Run it again with `--debug` to see where."
        output.error("unexpected", f"Something went wrong inside Sidelight ({kind}).{hint}")
        return FAILED


def _print_traceback() -> None:
    import traceback

    traceback.print_exc()
