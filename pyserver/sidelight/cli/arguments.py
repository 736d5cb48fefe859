"""What may be written on the command line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from sidelight import __version__
from sidelight.profile.errors import SidelightError
from sidelight.profile.manifest import is_profile_name

if TYPE_CHECKING:
    from sidelight.cli.output import Output


FAILED: Final = 1
"""Exit status of a program that could not be profiled, and of what was interrupted."""

NOTHING_READ: Final = 3
"""Exit status of every failure of the other verbs. They are there to read: where a trace can be
read but not stored, or a profile not be deleted, there is as little to show."""


WRONG_USAGE: Final = 2
"""Exit status of arguments that make no sense, alone or together."""


class WrongUsageError(SidelightError):
    """Arguments that parse, and make no sense together."""


@dataclass(frozen=True)
class Verb:
    """One of the things the command line does.

    Attributes:
        name: The verb.
        help: What it does, for ``--help``.
        add_arguments: Declares its arguments.
        run: Does it, and returns the exit status.
        failure_status: The exit status of every failure of it.
    """

    name: str
    help: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[argparse.Namespace, Output], int]
    failure_status: int = NOTHING_READ


class Parser(argparse.ArgumentParser):
    """An argument parser that also tells machines of wrong usage.

    Attributes:
        json: Whether wrong usage is told as an error document too.
        runs_command: Whether the first argument that is no option, or the value of ``-m``, begins
            a command of the user's: all that follows it belongs to that command.
    """

    json: bool = False
    runs_command: bool = False

    def error(self, message: str) -> NoReturn:
        """Print argparse's usual words, with ``--json`` an error document too, and exit with 2."""
        if self.json:
            print(json.dumps({"error": {"code": "usage", "message": message}}))
        super().error(message)

    def own_arguments(self, arguments: Sequence[str]) -> int:
        """How many of the arguments are not the user's command's."""
        if not self.runs_command:
            return len(arguments)
        index = 0
        while index < len(arguments):
            argument = arguments[index]
            if argument in ("--", "-m"):
                return index + 2
            if not argument.startswith("-") or argument == "-" or argument.startswith("-m"):
                return index + 1
            index += 2 if self._takes_value(argument) else 1
        return len(arguments)

    def _takes_value(self, option: str) -> bool:
        return any(
            option in action.option_strings and action.nargs is None for action in self._actions
        )


def parse_arguments(verbs: Sequence[Verb], arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line.

    Returns:
        The verb's options, the verb itself as ``verb``, and as ``command_arguments`` what belongs
        to the user's command.

    Raises:
        SystemExit: After ``--help`` and ``--version`` (0), and on wrong usage (2).
    """
    parser = Parser(
        prog="sidelight",
        description="Device time beside your PyTorch code.",
        epilog="`sidelight VERB --help` tells more about each.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"sidelight {__version__}")
    subparsers = parser.add_subparsers(required=True, metavar="VERB", parser_class=Parser)
    verb_parsers: dict[str, Parser] = {}
    for verb in verbs:
        verb_parser = subparsers.add_parser(
            verb.name, help=verb.help, description=verb.help, allow_abbrev=False
        )
        verb_parser.set_defaults(verb=verb)
        verb.add_arguments(verb_parser)
        _add_common(verb_parser)
        verb_parsers[verb.name] = verb_parser

    chosen = verb_parsers.get(arguments[0], parser) if arguments else parser
    end = 1 + chosen.own_arguments(arguments[1:])
    parser.json = chosen.json = "--json" in arguments[:end]
    options = parser.parse_args(arguments[:end])
    options.command_arguments = list(arguments[end:])
    return options


def whole_number(minimum: int) -> Callable[[str], int]:
    """The type of an argument that is a whole number, ``minimum`` or more."""

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = minimum - 1
        if number < minimum:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {minimum} up")
        return number

    return parse


def profile_name(text: str) -> str:
    """The type of an argument that names a profile."""
    if not is_profile_name(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no name: it needs visible characters only")
    return text


def path_name(text: str) -> Path:
    """The type of an argument that is a path. An empty one would mean the working directory."""
    if not text:
        raise argparse.ArgumentTypeError("an empty text is no path")
    return Path(text)


def _add_common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("every verb takes")
    group.add_argument(
        "--json", action="store_true", help="print one JSON document and nothing else"
    )
    group.add_argument(
        "--store",
        metavar="DIR",
        type=path_name,
        default=".sidelight",
        help="where profiles are (default: %(default)s)",
    )
    group.add_argument(
        "--debug", action="store_true", help="show tracebacks of Sidelight's own errors"
    )
