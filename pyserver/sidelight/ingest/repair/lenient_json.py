"""Parses JSON values that break the rules of JSON, as far as it is clear what they say."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Final

from sidelight.ingest.repair.findings import Finding, Findings

_FIRST_CHARACTERS: Final = 8 << 10
"""How much of a text is looked at first: nearly every event is shorter."""


_SURROGATES: Final = re.compile("[\ud800-\udfff]+")


def whole_text(text: str) -> str:
    """A text without halves of characters: as such, bytes that are no UTF-8 were read."""
    return text if text.isascii() else _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


_ESCAPED_SURROGATES: Final = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)", re.DOTALL
)


def whole_escapes(text: str) -> str:
    """JSON without escapes that stand for halves of characters."""
    return _ESCAPED_SURROGATES.sub(lambda found: "\\ufffd" if found["half"] else found[0], text)


class UnparsableError(ValueError):
    """No JSON value begins where one was looked for.

    Args:
        position: How far the text was understood.
        ran_out: Whether the text was at its end: more of it might make a value.
    """

    def __init__(self, position: int, *, ran_out: bool) -> None:
        super().__init__(f"no JSON value before character {position}")
        self.position = position
        self.ran_out = ran_out


class LenientJson:
    """Parses values out of a longer text.

    Fractions become ``Decimal``, so that times stay exact. Control characters in texts are taken
    as they are, and NaN and the infinities as None.

    Args:
        findings: Told what had to be repaired.

    Attributes:
        looked_at: How many characters have been gone through, some of them repeatedly.
    """

    def __init__(self, findings: Findings) -> None:
        self.looked_at = 0
        self._findings = findings
        self._not_numbers = 0
        self._decoder = json.JSONDecoder(
            strict=False, parse_float=_decimal, parse_constant=self._not_a_number
        )

    def value(self, text: str, start: int) -> tuple[Any, int]:
        """The value that begins at ``start``, and where it ends.

        Raises:
            UnparsableError: There is none.
        """
        self._not_numbers = 0
        length = _FIRST_CHARACTERS
        while True:
            # What says where an error is goes through all the text before it: so that is little.
            part = text[start : start + length]
            try:
                value, end = self._parsed(part)
            except UnparsableError as error:
                self.looked_at += error.position
                if error.ran_out and start + len(part) < len(text):
                    length *= 8
                    continue
                raise UnparsableError(start + error.position, ran_out=error.ran_out) from error
            self.looked_at += end
            self._findings.add(Finding.NUMBERS, self._not_numbers)
            return value, start + end

    def _parsed(self, text: str) -> tuple[Any, int]:
        try:
            return self._decoder.raw_decode(text)
        except json.JSONDecodeError as error:
            is_open = error.msg.startswith("Unterminated string")
            at_end = len(text.rstrip()) - error.pos < len("-Infinity")
            place = len(text) if is_open else error.pos
            raise UnparsableError(place, ran_out=is_open or at_end) from error
        except RecursionError as error:
            raise UnparsableError(len(text), ran_out=False) from error
        except ValueError as error:  # a number of thousands of digits
            raise UnparsableError(0, ran_out=False) from error

    def mended_value(self, text: str) -> tuple[Any, str]:
        """The value that ``text`` begins with once it is mended, and the rest of the text.

        Raises:
            UnparsableError: It cannot be mended.
        """
        self.looked_at += len(text)
        mended = _Mended(text)
        try:
            value, end = self.value(mended.text, 0)
        except UnparsableError as error:
            # A backslash that was meant as one, before the quote that ends a text.
            unquoted = text if error.ran_out else _QUOTE_AT_END.sub(r"\\\\", text)
            if unquoted == text:
                raise
            mended = _Mended(unquoted)
            mended.findings.add(Finding.TEXT)
            value, end = self.value(mended.text, 0)
            if not _NOTHING_OF_IT.match(mended.text, end):
                raise
        self._findings.add_all(mended.findings)
        return value, mended.text[end:]

    def _not_a_number(self, _: str) -> None:
        self._not_numbers += 1


def _decimal(digits: str) -> Decimal | None:
    try:
        return Decimal(digits)
    except ArithmeticError:  # an exponent beyond all bounds
        return None


# Strings are matched so that nothing else is found within them.
_MENDABLE: Final = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)'
    r"|(?P<no_number>(?<![\w.])[-+]?(?:nan|inf|1\.#(?:inf|ind|qnan|snan))(?:inity)?"
    r"(?:\(\w*\))?(?![\w.]))"
    r"|(?P<comma>,)(?=\s*[,\]}])",
    re.DOTALL | re.IGNORECASE,
)
_ESCAPE: Final = re.compile(r'\\(?:(?P<right>["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
_NOTHING_OF_IT: Final = re.compile(r"[\s,]*(?:\]|\Z)")
_QUOTE_AT_END: Final = re.compile(r'(?<!\\)\\(?="\s*(?:[\]}:]|,\s*["\[{\dtfn-]))')


class _Mended:
    """A text without what JSON does not allow.

    Attributes:
        text: The text.
        findings: What was changed.
    """

    def __init__(self, text: str) -> None:
        self.findings = Findings()
        self.text = _MENDABLE.sub(self._mend, text)

    def _mend(self, found: re.Match[str]) -> str:
        if found["no_number"] is not None:
            self.findings.add(Finding.NUMBERS)
            return "null"
        if found["comma"] is not None:
            self.findings.add(Finding.COMMAS)
            return ""
        string = found[0]
        return _ESCAPE.sub(self._mend_escape, string) if "\\" in string else string

    def _mend_escape(self, found: re.Match[str]) -> str:
        if found["right"] is not None:
            return found[0]
        self.findings.add(Finding.TEXT)
        return r"\\"
