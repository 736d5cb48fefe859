"""What is understood of the inputs that a trace recorded."""

from __future__ import annotations

import json
from typing import Any

from sidelight.analysis.operator_calls import OperatorCalls
from sidelight.hardware.tensors import Tensor


def test_lists_of_tensors_have_the_dtype_their_shapes_mostly_have() -> None:
    def signature(dims: Any, types: Any) -> str:
        return json.dumps({"Input Dims": dims, "Input type": types})

    calls = OperatorCalls(
        {
            signature([[4, 4]], ["c10::BFloat16"]): 3,
            signature([[4, 4]], ["float"]): 2,
            signature([[2]], ["float"]): 9,
            signature([[4, 4]], ["long"]): 20,
        }
    )
    listed = calls.call("aten::cat", signature([[[4, 4], [2], [7]]], ["TensorList"]))
    assert listed.tensors == [
        Tensor((4, 4), "bfloat16"),
        Tensor((2,), "float32"),
        Tensor((7,), "float32"),  # as most tensors are
    ]


def test_lists_of_tensors_have_the_dtypes_that_a_stand_in_saw() -> None:
    def listed(dims: Any, types: Any) -> list[Tensor]:
        document = {"Input Dims": [dims], "Input type": ["TensorList"], "List types": types}
        return OperatorCalls({}).call("aten::cat", json.dumps(document)).tensors

    as_seen = [Tensor((4,), "bfloat16"), Tensor((4,), "int64")]
    assert listed([[4], [4]], [["bfloat16", "int64"]]) == as_seen
    # Of some other length, or nothing that types can be: as most tensors are.
    assert listed([[4], [4]], [["bfloat16"]]) == [as_seen[0], Tensor((4,), "float32")]
    assert listed([[4]], [["bfloat16", "int64"]]) == as_seen[:1]
    broken: list[Any] = [None, 7, [], [None], [[7]], [{}]]
    for types in broken:
        assert listed([[4]], types) == [Tensor((4,), "float32")], types


def test_what_cannot_be_told_of_arguments_is_left_out() -> None:
    calls = OperatorCalls({})

    def arguments(dims: Any, types: Any, values: Any = ()) -> Any:
        document = {"Input Dims": dims, "Input type": types, "Concrete Inputs": list(values)}
        return calls.call("aten::mm", json.dumps(document)).arguments

    assert arguments([[2, 3]], ["float"]) == (Tensor((2, 3), "float32"),)
    assert arguments([[]], ["Scalar"], ["2."]) == (2.0,)
    assert arguments([[]], ["ScalarList"], ["[1, 2]"]) == ([1, 2],)
    assert arguments([[]], ["Scalar"], ["True"]) == (True,)
    assert arguments([[]], ["Scalar"], ["nan"]) == ("nan",)
    # Sizes that no tensor has: negative, of no number, too many, more than any memory holds.
    for dims in ([-1], [True], [1.5], ["2"], [1] * 65, [1 << 49], [1 << 30, 1 << 30], 7, None):
        assert arguments([dims], ["float"]) == (None,), dims
    assert arguments([[]], ["Scalar"], ["1" + "0" * 30]) == (None,)
    for text in ("", "{", "[]", '{"Input Dims": 3, "Input type": 4}', "[" * 9999):
        assert calls.call("aten::mm", text).arguments == ()
