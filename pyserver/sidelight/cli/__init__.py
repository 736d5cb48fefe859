"""The command line, one verb a file."""

from sidelight.cli.main import main

__all__ = ["main"]
