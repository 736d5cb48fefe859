"""Makes text from elsewhere harmless for a terminal. Cheap to load: no rich in here."""

from __future__ import annotations

import unicodedata

# Controls, formats (which reorder or hide text), surrogates, line and paragraph separators.
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printable(text: str) -> str:
    """The text with every character that a terminal would obey, not show, as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in _UNSAFE_CATEGORIES
        else character
        for character in text
    )
