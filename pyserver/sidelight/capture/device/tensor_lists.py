"""What is in the lists of tensors that operators are given, which no recording has.

torch's profiler writes no types of the tensors in a list, and no sizes in one of more than thirty.
Where an operator is answered they are at hand: each different call gets a number in a table that
goes with the recording, and the answer a mark with that number.
"""

from __future__ import annotations

import threading
from typing import Any

import torch

from . import private
from .rows import LISTS_PREFIX, mark

MOST_TENSORS = 1 << 18
"""Tensors in all lists of the table at most: a few MB of it. What comes later is left as it was
recorded."""

_LIST = "List[Tensor]"

_Tensor = tuple[torch.Size, torch.dtype]

_Lists = tuple[tuple[int, tuple[_Tensor, ...]], ...]
"""The lists of a call, each after the position of its argument."""


class TensorLists:
    """The table of the lists that operators were given while a profiler recorded."""

    def __init__(self) -> None:
        self._places: dict[Any, tuple[tuple[int, str], ...]] = {}
        self._numbers: dict[_Lists, int] = {}
        self._tensors = 0
        self._lock = threading.Lock()

    def mark(self, operator: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        """Leave a mark in the answer to an operator, if it takes lists and a profiler records.

        Args:
            operator: torch's operator, with its overload.
            arguments: What it was given.
            keywords: What it was given by name.
        """
        if not private.is_recorded():
            return
        places = self._places.get(operator)
        if places is None:
            places = self._places[operator] = _places_of_lists(operator)
        if not places:
            return
        try:
            number = self._number(_lists_at(places, arguments, keywords))
        except (RuntimeError, TypeError):
            return  # What has no shape has no price.
        if number is not None:
            mark(f"{LISTS_PREFIX}{number}")

    def as_json(self) -> dict[str, Any]:
        """What ``capture.json`` holds of the lists: calls refer to tensors, which mostly repeat."""
        numbers: dict[_Tensor, int] = {}
        with self._lock:
            calls = [
                [
                    [position, [numbers.setdefault(each, len(numbers)) for each in tensors]]
                    for position, tensors in lists
                ]
                for lists in self._numbers
            ]
        tensors = [[str(dtype).rpartition(".")[2], list(shape)] for shape, dtype in numbers]
        return {"tensors": tensors, "calls": calls}

    def _number(self, lists: _Lists) -> int | None:
        """The number of a call's lists; None where the table is full."""
        number = self._numbers.get(lists)
        if number is not None:
            return number
        with self._lock:
            self._tensors += sum(len(tensors) for _, tensors in lists)
            if self._tensors > MOST_TENSORS:
                return None
            return self._numbers.setdefault(lists, len(self._numbers))


def _places_of_lists(operator: Any) -> tuple[tuple[int, str], ...]:
    """Position and name of an operator's arguments that are lists of tensors."""
    schema = getattr(operator, "_schema", None)
    arguments = () if schema is None else schema.arguments
    return tuple(
        (position, argument.name)
        for position, argument in enumerate(arguments)
        if str(argument.type) == _LIST
    )


def _lists_at(
    places: tuple[tuple[int, str], ...], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> _Lists:
    found: list[tuple[int, tuple[_Tensor, ...]]] = []
    for position, name in places:
        tensors = arguments[position] if position < len(arguments) else keywords.get(name, ())
        found.append((position, tuple([(each.shape, each.dtype) for each in tensors])))
    return tuple(found)
