"""Where output goes: documents for machines on stdout, words for people beside them."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
import unicodedata
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sidelight.cli.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

_PIPED_WIDTH = 100
_NARROWEST = 40

# For terminals that show no Unicode. One character each, so that columns stay aligned.
_PLAIN = {"µ": "u", "≈": "~", "│": "|", "─": "-", "⋮": ":", "·": "-", "…": "~"}


class Output:
    """The process's stdout and stderr, as one verb uses them.

    Args:
        json: Whether stdout gets one JSON document and nothing else.
    """

    def __init__(self, *, json: bool) -> None:
        self.json = json
        codecs.register_error("sidelight", _plain_characters)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="sidelight")

    def document(self, value: object) -> None:
        """Print the JSON document."""
        import msgspec

        with _survives_closed_pipe():
            # ASCII only: every consumer and every locale reads it.
            print(json.dumps(msgspec.to_builtins(value), allow_nan=False))
            sys.stdout.flush()

    def text(self, text: str) -> None:
        """Print a text for programs: as it is, and in UTF-8."""
        with _survives_closed_pipe():
            sys.stdout.flush()
            sys.stdout.buffer.write(text.encode("utf-8", "replace"))
            sys.stdout.flush()

    def show(self, render: Callable[[Console], None]) -> None:
        """Print what a person reads.

        Args:
            render: Prints it on the console it is given.
        """
        console = make_console()
        # Captured first, because rich ends the process itself when a pipe is closed.
        with console.capture() as printed:
            render(console)
        with _survives_closed_pipe():
            sys.stdout.write(printed.get())
            sys.stdout.flush()

    def error(self, code: str, message: str) -> None:
        """Say what went wrong: a sentence on stderr, or with ``--json`` a document on stdout."""
        if self.json:
            self.document({"error": {"code": code, "message": message}})
        else:
            self.say(message)

    def say(self, message: str) -> None:
        """Tell a person something that is no result, on stderr; it may hold names from traces."""
        with _survives_closed_pipe():
            print(f"sidelight: {printable(message)}", file=sys.stderr, flush=True)

    @contextmanager
    def progress(self, what: str) -> Generator[Callable[[float], None]]:
        """A line on a terminal's stderr that shows how far ``what`` is; elsewhere nothing."""
        if not sys.stderr.isatty():
            yield lambda part: None
            return

        what = printable(what)

        def show(part: float) -> None:
            sys.stderr.write(f"\r\x1b[2K{what} {part:.0%}")
            sys.stderr.flush()

        try:
            yield show
        finally:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


def make_console() -> Console:
    """A rich console on stdout that prints text as it is, colour only on a terminal."""
    from rich.console import Console

    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPED_WIDTH
    console.width = max(console.width, _NARROWEST)
    return console


@contextmanager
def _survives_closed_pipe() -> Generator[None]:
    """Let ``| head`` end the output without ending the program in an error."""
    try:
        yield
    except BrokenPipeError:
        # Python flushes once more at exit; from here on it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _plain_characters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    return "".join(_PLAIN.get(character) or _unknown(character) for character in characters), (
        error.end
    )


def _unknown(character: str) -> str:
    return "??" if unicodedata.east_asian_width(character) in "WF" else "?"
