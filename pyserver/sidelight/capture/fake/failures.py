"""What a script cannot have without values: said of its line, and in one sentence where it ends."""

from __future__ import annotations

from typing import Any, Callable

from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    UnsupportedFakeTensorException,
    UnsupportedOperatorException,
)

from ..notes import Notes


class UnknownValueError(RuntimeError):
    """The script decides by the value of a tensor."""

    __module__ = "sidelight"


class UnknownShapeError(RuntimeError):
    """The script calls an operator whose result has a shape that only computing it would tell."""

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
        """A line reads a value and goes on with something in its place."""
        place = self._place()
        what = "NaN" if filler != filler else str(filler)
        self._notes.say(
            "fake_value_read",
            "info",
            f"{place} reads the value of a tensor and gets {what}, which is not a number of the "
            "program's: the fake target computes none.",
            place=f"{place} {what}",
        )

    def value_needed(self) -> UnknownValueError:
        """A line decides by a value: what to raise."""
        place = self._place()
        message = (
            f"{place} decides by the value of a tensor, which the fake target does not know "
            "because it computes none; profile it with --target cpu"
        )
        self._notes.say("fake_value_needed", "error", f"{message}.", place=place)
        return UnknownValueError(message)

    def of_operator(self, operator: Any, error: Exception) -> Exception:
        """An operator failed: what to raise."""
        if isinstance(error, (DataDependentOutputException, DynamicOutputShapeException)):
            return self.value_needed()
        if isinstance(error, (UnsupportedFakeTensorException, UnsupportedOperatorException)):
            place = self._place()
            message = (
                f"{place} calls {operator.name()}, whose result the fake target cannot describe "
                "without computing it; profile it with --target cpu"
            )
            self._notes.say("fake_shape_unknown", "error", f"{message}.", place=place)
            return UnknownShapeError(message)
        return error
