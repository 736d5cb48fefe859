"""Input shapes, from signatures as torch writes them and as a hostile trace might."""

from __future__ import annotations

import json

import pytest

from sidelight.analysis.shapes import input_shapes


def signature(dims: object, types: object) -> str:
    return json.dumps({"Input Dims": dims, "Input type": types})


def test_tensors_are_named_as_torch_names_them() -> None:
    dims = [[4], [2, 4], [], [], [8], []]
    types = ["float", "c10::BFloat16", "long int", "Scalar", "c10::Float8_e4m3fn", ""]
    assert input_shapes(signature(dims, types)) == [
        "float32 [4]",
        "bfloat16 [2, 4]",
        "int64 []",
        "float8_e4m3fn [8]",
    ]


def test_long_lists_are_cut_and_say_so() -> None:
    lists = signature([[[4, 4], [4]], [[1]] * 90], ["TensorList", "TensorList"])
    assert input_shapes(lists) == ["list of 2: [4, 4], [4]", "list of 90: [1], [1], [1], …"]
    many = input_shapes(signature([[1]] * 20, ["double"] * 20))
    assert len(many) == 13
    assert many[-1] == "and 8 more"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        "null",
        '{"Input Dims": 3, "Input type": {}}',
        signature([3, "x", None], ["float", "float", "float"]),
        signature([[1]], [7]),
        "[" * 100_000,
    ],
)
def test_what_is_no_signature_has_no_shapes(text: str) -> None:
    assert input_shapes(text) == []


def test_sizes_that_are_no_numbers() -> None:
    assert input_shapes(signature([[2, "x"], [[1], 2]], ["float", "TensorList"])) == [
        "float32 [2, ?]",
        "list of 2: [1], [?]",
    ]
