"""Gives operators the lists of tensors that they were given, where a stand-in wrote those down.

torch's profiler writes no types of the tensors in a list, and no sizes in one of more than thirty.
What stood in for the device saw them, and left in its answer a mark with their number.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
import numpy as np

from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Table

MARK_PREFIX: Final = "sidelight::lists::"

_TENSOR_LIST: Final = "TensorList"

_Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 48)]


class CapturedLists(msgspec.Struct):
    """The lists that operators were given.

    Attributes:
        tensors: Type and sizes of each different tensor.
        calls: For each different call, the position of each list among its inputs, and what is in
            it: indices into ``tensors``.
    """

    tensors: list[tuple[str, list[_Number]]] = []
    calls: list[list[tuple[_Number, list[_Number]]]] = []

    @property
    def is_whole(self) -> bool:
        """Whether it lists every tensor that it refers to."""
        return all(
            tensor < len(self.tensors)
            for lists in self.calls
            for _, tensors in lists
            for tensor in tensors
        )


class _Signature(
    msgspec.Struct,
    rename={
        "dims": "Input Dims",
        "types": "Input type",
        "values": "Concrete Inputs",
        "list_types": "List types",
    },
):
    """An operator's inputs as the profiler writes them, and the types in those that are lists."""

    dims: list[Any]
    types: list[Any]
    values: Any = None
    list_types: list[Any] = []


def put_in_lists(profile: Profile, lists: CapturedLists, answers: frozenset[str]) -> None:
    """Put the lists into the signatures of the operators that were given them.

    Args:
        profile: A profile of a target that stands in for a device, with all its rows; they are
            sorted as its tables want it, and not yet attributed.
        lists: What was written down.
        answers: The names of the rows around an answer.
    """
    events = profile.events
    numbers = _numbers_of_marks(profile.strings, len(lists.calls))
    is_operator = events["category"] == Category.OPERATOR
    marks = np.flatnonzero(is_operator & np.isin(events["name"], list(numbers)))
    is_answer = np.array([name in answers for name in profile.strings], np.bool_)
    is_program = is_operator & ~is_answer[events["name"]]
    if not len(marks):
        return
    strings = Vocabulary(profile.strings)
    signature: list[int] = events["signature"].tolist()
    rewritten: dict[tuple[int, int], int] = {}
    for mark in marks.tolist():
        row = _operator_around(events, is_program, mark)
        if row is None or signature[row] < 0:
            continue
        key = signature[row], numbers[int(events["name"][mark])]
        if key not in rewritten:
            text = _with_lists(profile.strings[key[0]], lists, key[1])
            rewritten[key] = strings.code(text)
        signature[row] = rewritten[key]
    profile.strings = strings.values()
    profile.events = events.with_columns({"signature": np.array(signature, np.int32)})


def _numbers_of_marks(strings: list[str], calls: int) -> dict[int, int]:
    """The number that each mark's name tells, by string id; none that no call has."""
    known = {f"{MARK_PREFIX}{number}": number for number in range(calls)}
    return {index: known[name] for index, name in enumerate(strings) if name in known}


def _operator_around(events: Table, is_program: Any, mark: int) -> int | None:
    """The program's operator that a mark's answer is the answer to; None where it is not whole."""
    start_ns, duration_ns, track = events["start_ns"], events["duration_ns"], events["track"]
    end_ns = start_ns[mark] + duration_ns[mark]
    for row in range(mark - 1, -1, -1):
        if track[row] != track[mark]:
            return None
        if is_program[row] and start_ns[row] + duration_ns[row] >= end_ns:
            return row
    return None


def _with_lists(text: str, lists: CapturedLists, number: int) -> str:
    """A signature with a call's lists in it; as it was where it is not of such a call."""
    try:
        signature = msgspec.json.decode(text, type=_Signature)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return text
    inputs = min(len(signature.dims), len(signature.types))
    signature.list_types = [None] * inputs
    for position, tensors in lists.calls[number]:
        if position >= inputs or signature.types[position] != _TENSOR_LIST:
            return text
        signature.dims[position] = [lists.tensors[tensor][1] for tensor in tensors]
        signature.list_types[position] = [lists.tensors[tensor][0] for tensor in tensors]
    return msgspec.json.encode(signature).decode()
