"""Finds the events in a piece of text from a damaged trace."""

from __future__ import annotations

import re
from typing import Any, Final, Protocol

from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.repair.lenient_json import LenientJson, UnparsableError

NOTHING: Final = " \t\r\n,"
"""What may stand between two events."""

_KEYS: Final = "ph|name|cat|pid|tid|ts|dur|args|id|id2|s|bp|scope|tts|tdur|cname|sf|stack|bind_id"
# Quotes within a text are escaped: so this is found at the start of an object, and nowhere else.
_START: Final = re.compile(r'\{\s*"(?:' + _KEYS + r')"\s*:')
_LOOK_BACK: Final = 64
_IS_VALUE: Final = re.compile(r'"\s*:\s*\Z')
_SPACE: Final = re.compile(f"[{NOTHING}]*")

_PATIENCE: Final = 64 << 20
_PATIENCE_GAINED: Final = 8
"""Characters that may be looked at in vain, at first and for each that is passed: so the time that
a text takes grows with its length alone, whatever it holds."""


class Listener(Protocol):
    """Is told what there is in a text, in its order."""

    def element(self, value: Any) -> None:
        """An object that parses."""
        ...

    def between(self, text: str, *, is_last: bool) -> None:
        """What is no object: a list's brackets, what is around it, or rubbish."""
        ...

    def damaged(self, text: str, *, ran_out: bool, is_last: bool) -> None:
        """An element that does not parse; whether that is because the text ends there."""
        ...


class EventText:
    """Parses event after event, and goes on at the next one where one is damaged.

    Args:
        findings: Told what was repaired.
        listener: Told what there is.
    """

    def __init__(self, findings: Findings, listener: Listener) -> None:
        self._findings = findings
        self._json = LenientJson(findings)
        self._listener = listener
        self._patience = _PATIENCE

    def read(self, text: str, *, is_last: bool) -> int:
        """Read what there is.

        Args:
            text: From between two events on.
            is_last: Whether nothing follows; else an element that may go on is left for later.

        Returns:
            How many characters are done with.
        """
        place = 0
        while place < len(text):
            start = self._next_start(text, place, is_last=is_last)
            if start == len(text):
                break
            before = self._json.looked_at
            done = self._read_element(text, start, is_last=is_last)
            self._patience += _PATIENCE_GAINED * (done - place) - (self._json.looked_at - before)
            if done == start:
                return start
            place = done
        return len(text)

    def _next_start(self, text: str, place: int, *, is_last: bool) -> int:
        """Where the next element begins. The listener is told what is before it."""
        start = _after_space(text, place)
        is_element = text.startswith("{", start)
        if is_element or text.startswith("]", start):
            commas = text.count(",", place, start) - (is_element and place > 0)
            self._findings.add(Finding.COMMAS, max(0, commas))
        if is_element:
            return start
        found = _event_start(text, start)
        if outside := text[start:found].strip(NOTHING):
            self._listener.between(outside, is_last=is_last and found == len(text))
        return found

    def _read_element(self, text: str, start: int, *, is_last: bool) -> int:
        """Read the element at ``start``: where it ends, or ``start`` if it may go on."""
        began_at = self._json.looked_at
        try:
            value, end = self._json.value(text, start)
        except UnparsableError as error:
            may_go_on = error.ran_out and not is_last and self._patience > 0
            if may_go_on and not self._is_event(text, _event_start(text, start + 1)):
                return start
            return self._mend(text, start, began_at, is_last=is_last)
        self._listener.element(value)
        return end

    def _mend(self, text: str, start: int, began_at: int, *, is_last: bool) -> int:
        """Read the damaged element at ``start`` if that can be: where to go on after it."""
        following = _event_start(text, start + 1)
        end, starts_passed = following, 1
        while True:
            try:
                value, rest = self._json.mended_value(text[start:end])
            except UnparsableError as failure:
                ran_out = failure.ran_out
            else:
                self._listener.element(value)
                if rest := rest.strip(NOTHING):
                    self._listener.between(rest, is_last=is_last and end == len(text))
                return end
            # Objects in a list within it look like events: it may go on after them.
            if not ran_out or end == len(text) or self._is_tired(began_at):
                break
            if self._is_event(text, end):
                break
            for _ in range(starts_passed):
                end = _event_start(text, end + 1)
            starts_passed *= 2
        if self._is_tired(began_at):
            looked_at = self._json.looked_at - began_at
            following = _event_start(text, max(following, start + looked_at))
        else:
            following = self._after_its_parts(text, following)
        self._listener.damaged(
            text[start:following],
            ran_out=ran_out and end == len(text),
            is_last=is_last and following == len(text),
        )
        return following

    def _after_its_parts(self, text: str, place: int) -> int:
        """The next event from ``place`` on, after what objects are left of a damaged one."""
        open_part: int | None = None
        began_at = self._json.looked_at
        while place < len(text) and not self._is_tired(began_at):
            try:
                value, end = self._json.value(text, place)
            except UnparsableError as error:
                if not error.ran_out:
                    break
                open_part = place if open_part is None else open_part
                end = place + 1
            else:
                if "ph" in value or ("ts" in value and open_part is None):
                    break
            place = _event_start(text, end)
        # Where no event follows, the text ends within the same one.
        return place if place == len(text) or open_part is None else open_part

    def _is_tired(self, began_at: int) -> bool:
        """Whether what was looked at since then is more than there is patience for."""
        return self._json.looked_at - began_at > self._patience

    def _is_event(self, text: str, start: int) -> bool:
        """Whether a whole event begins at ``start``, and not just an object within one."""
        try:
            value, _ = self._json.value(text, start)
        except UnparsableError:
            return False
        return "ph" in value and ("ts" in value or value["ph"] == "M")


def _after_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _event_start(text: str, place: int) -> int:
    """Where the next object that may be an event begins; the end of the text if there is none.

    That is one whose first key is an event's, and that is no value of a member: of the objects
    within an event, only those in a list may be among them.
    """
    for found in _START.finditer(text, place):
        if not _IS_VALUE.search(text, max(0, found.start() - _LOOK_BACK), found.start()):
            return found.start()
    return len(text)
