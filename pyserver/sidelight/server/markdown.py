"""Text from traces, made harmless in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

# CommonMark lets every ASCII punctuation character be escaped, and nothing else begins markup.
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def escaped(text: str) -> str:
    """The text so that it is shown as it is: on one line, no link, no HTML, no code."""
    return _PUNCTUATION.sub(r"\\\1", _visible(text))


def _visible(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text).strip()


def code(text: str) -> str:
    """The text in a monospaced font, on one line; nothing for nothing."""
    visible = _visible(text)
    # In a table, a code span cannot hold these as they are.
    if not visible or any(character in visible for character in "`|\\"):
        return escaped(text)
    return f"`{visible}`"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> str:
    """A table.

    Args:
        headings: One a column, in Markdown.
        rows: Their cells, in Markdown.
        align: A letter a column: ``l`` for left, ``r`` for right.
    """
    alignment = [{"l": ":--", "r": "--:"}[letter] for letter in align]
    # Editors draw tables without room between columns: a wider heading keeps figures apart.
    spaced = [
        f"&nbsp;&nbsp;{heading}" if letter == "r" else heading
        for heading, letter in zip(headings, align, strict=True)
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (spaced, alignment, *rows))
