"""Texts from traces and sources, in markup."""

from __future__ import annotations

import re
from html import escape
from typing import Final

_NO_TEXT: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)
"""Characters that are no text in HTML, or that show text in another order than it is in."""


def escaped(text: str) -> str:
    """A text that shows as it is, and is nothing else, in an element or in quotes."""
    return escape(_NO_TEXT.sub("\ufffd", text))
