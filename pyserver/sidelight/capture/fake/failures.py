"""What a script cannot have without values: said of its line, and in one sentence where it ends."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    UnsupportedFakeTensorException,
    UnsupportedOperatorException,
)

from ..notes import Notes

_WITH_VALUES = "profile it with --target virtual, which computes"

_NO_HARM = "What is reported with it is NaN, too"
_MAY_DIFFER = "What goes by it may differ"

_READS = (torch.ops.aten._local_scalar_dense.default, torch.ops.aten.is_nonzero.default)
"""Operators that give the value of a tensor itself."""


class UnknownValueError(RuntimeError):
    """The script decides by the value of a tensor, or by what values would tell."""

    __module__ = "sidelight"


class Failures:
    """Says on which line a value was missed.

    Args:
        notes: Where it is said.
        place: The innermost line of the script that runs, as ``file:line``.
    """

    def __init__(self, notes: Notes, place: Callable[[], str]) -> None:
        self._notes = notes
        self._place = place

    def value_read(self, filler: object) -> None:
        """A line reads a value and goes on with something in its place.

        What says itself that it is no number does no harm; nought may decide what the script does.
        """
        place = self._place()
        is_nan = filler != filler
        what = "NaN" if is_nan else str(filler)
        message = (
            f"{place} reads the value of a tensor and gets {what}, which is not a number of the "
            "program's: the fake target computes none. "
        )
        message += f"{_NO_HARM if is_nan else _MAY_DIFFER}; {_WITH_VALUES}"
        self._notes.say(
            "fake_value_read",
            "info" if is_nan else "warning",
            f"{message}.",
            place=f"{place} {what}",
        )

    def largest_taken(self, operator: Any, rows: int) -> None:
        """A line calls an operator that gives as many rows as values say."""
        place = self._place()
        self._notes.say(
            "fake_largest_shape",
            "warning",
            f"{place} calls {operator.name()}, whose result has as many rows as the values of a "
            f"tensor say. The fake target computes none and takes the most there could be, {rows}; "
            f"{_WITH_VALUES}.",
            place=f"{place} {operator.name()}",
        )

    def value_needed(self) -> UnknownValueError:
        """A line decides by a value: what to raise."""
        place = self._place()
        message = (
            f"{place} decides by the value of a tensor, which the fake target does not know "
            f"because it computes none; {_WITH_VALUES}"
        )
        self._notes.say("fake_value_needed", "error", f"{message}.", place=place)
        return UnknownValueError(message)

    def sends_values(self, what: str) -> UnknownValueError:
        """A line makes something that sends values to other processes: what to raise."""
        place = self._place()
        message = (
            f"{place} makes {what}, which sends values to other processes, and the fake target has "
            f"none; {_WITH_VALUES}"
        )
        self._notes.say("fake_values_sent", "error", f"{message}.", place=place)
        return UnknownValueError(message)

    def of_operator(self, operator: Any, error: Exception) -> Exception:
        """An operator failed: what to raise."""
        if isinstance(error, DataDependentOutputException):
            if error.func not in _READS:
                return self._unknown("fake_answer_unknown", error.func, "answer depends on values")
            return self.value_needed()
        if isinstance(error, DynamicOutputShapeException):
            return self._unknown(
                "fake_shape_unknown", error.func, "result is as large as values say"
            )
        if isinstance(error, (UnsupportedFakeTensorException, UnsupportedOperatorException)):
            return self._unknown("fake_shape_unknown", operator, "result only computing it tells")
        return error

    def _unknown(self, code: str, operator: Any, why: str) -> UnknownValueError:
        """A line calls an operator, and what it gives is not known: what to raise."""
        place = self._place()
        message = (
            f"{place} calls {operator.name()}, whose {why}, and the fake target computes none; "
            f"{_WITH_VALUES}"
        )
        self._notes.say(code, "error", f"{message}.", place=place)
        return UnknownValueError(message)
