"""What was in the lists of tensors that operators were given, where a stand-in saw it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.profile.errors import UnreadableInputError
from traces.chrome import Event, operator, write_capture

LISTS: dict[str, Any] = {
    "tensors": [["bfloat16", [8, 16]], ["int64", []]],
    "calls": [[[0, [0, 0, 1]]], [[0, []], [2, [1]]]],
}


def given(dims: Any, types: list[str]) -> dict[str, Any]:
    return {"Input Dims": dims, "Input type": types, "Concrete Inputs": [""] * len(types)}


def signatures(
    directory: Path, events: list[Event], lists: dict[str, Any] = LISTS
) -> dict[str, Any]:
    """The signature of each of the program's rows that has one."""
    write_capture(directory, {"trace-0.json": events}, target="fake", tensor_lists=lists)
    profile = ingest.read(directory)
    names: list[int] = profile.events["name"].tolist()
    texts: list[int] = profile.events["signature"].tolist()
    return {
        profile.strings[name]: json.loads(profile.strings[text])
        for name, text in zip(names, texts, strict=True)
        if text >= 0
    }


def test_the_operator_around_an_answer_has_the_lists_it_was_given(tmp_path: Path) -> None:
    joining = given([[], []], ["TensorList", "Scalar"])
    events = [
        operator("aten::vstack", 0, 100, **joining),
        operator("aten::cat", 10, 80, **joining),
        # Autograd looks at a tensor before the operator is answered.
        operator("aten::detach", 12, 8, **given([[3]], ["float"])),
        operator("sidelight::stand_in", 13, 2),
        operator("PythonDispatchMode", 30, 50),
        operator("sidelight::stand_in", 31, 48),
        operator("sidelight::lists::0", 32, 1),
        operator("aten::stack", 34, 9, **joining),
        operator("aten::_fused_sgd_", 5, 90, tid=2, **given([[], [], []], ["TensorList"] * 3)),
        operator("sidelight::stand_in", 31, 48, tid=2),
        operator("sidelight::lists::1", 32, 1, tid=2),
    ]
    found = signatures(tmp_path, events)
    assert found["aten::cat"] == {
        **given([[[8, 16], [8, 16], []], []], ["TensorList", "Scalar"]),
        "List types": [["bfloat16", "bfloat16", "int64"], None],
    }
    assert found["aten::_fused_sgd_"] == {
        **given([[], [], [[]]], ["TensorList"] * 3),
        "List types": [[], None, ["int64"]],
    }
    assert found["aten::vstack"] == joining
    assert found["aten::detach"] == given([[3]], ["float"])


def test_marks_that_nothing_explains_change_nothing(tmp_path: Path) -> None:
    other = given([[4]], ["float"])
    events = [
        operator("aten::relu", 10, 80, **other),  # takes no list where the mark has one
        operator("sidelight::stand_in", 31, 48),
        operator("sidelight::lists::0", 32, 1),
        operator("aten::exp", 100, 80, **other),
        operator("sidelight::stand_in", 131, 40),
        operator("sidelight::lists::2", 132, 1),  # of a call that is in no table
        operator("sidelight::stand_in", 5, 20, tid=2),  # its operator began before the recording
        operator("sidelight::lists::0", 6, 1, tid=2),
    ]
    assert signatures(tmp_path, events) == {"aten::relu": other, "aten::exp": other}


def test_tensors_that_are_not_listed_are_an_error(tmp_path: Path) -> None:
    lists: dict[str, Any] = {"tensors": [], "calls": [[[0, [0]]]]}
    with pytest.raises(UnreadableInputError, match="does not list"):
        signatures(tmp_path, [operator("aten::cat", 1, 1)], lists)
