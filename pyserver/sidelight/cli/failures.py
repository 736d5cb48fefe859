"""What to tell a person of an error."""

from __future__ import annotations

import sys

from sidelight.cli.printable import printable
from sidelight.profile.errors import SidelightError


def explain(error: Exception, *, debug: bool) -> SidelightError:
    """The error as a code and plain sentences; one that nobody expected is a fault of ours.

    Args:
        error: What was raised.
        debug: Print its traceback first, on stderr.
    """
    if debug:
        import traceback

        for line in "".join(traceback.format_exception(error)).splitlines():
            print(printable(line), file=sys.stderr)
    if isinstance(error, SidelightError):
        return error
    kind = type(error).__name__
    hint = "" if debug else " Run it again with `--debug` to see where."
    return SidelightError("unexpected", f"Something went wrong inside Sidelight ({kind}).{hint}")
