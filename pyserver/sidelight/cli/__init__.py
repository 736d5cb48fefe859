"""The command line, one verb a file."""

import sys

try:
    from sidelight.cli.main import main
except KeyboardInterrupt:  # loading takes a moment, in which a person may think better of it
    sys.exit("sidelight: Interrupted.")

__all__ = ["main"]
