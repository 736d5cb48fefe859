"""Text as lines, as both Python and editors count them."""

from __future__ import annotations

import io

_BYTE_ORDER_MARK = "\ufeff"


def lines_of(text: str) -> list[str]:
    """The lines of a text without their endings; one that ends with an ending has an empty last.

    A byte order mark is no part of the first line: editors hide it, files show it.
    """
    text = text.removeprefix(_BYTE_ORDER_MARK)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def lines_with_endings(text: str) -> list[str]:
    """The lines of a text, each with its ending; together they are the text."""
    # Not str.splitlines: it also splits at form feeds and Unicode's own separators, where neither
    # Python nor the language server protocol begins a line.
    return list(io.StringIO(text, newline=""))
