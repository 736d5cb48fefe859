"""What collectives move, by the sizes that their operators are given."""

from __future__ import annotations

import pytest

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.operators.registry import rule_for
from sidelight.hardware.prediction import predict_call
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor

WHOLE = Tensor((64, 1000), "bfloat16")  # 128,000 bytes
PART = Tensor((8, 1000), "bfloat16")  # 16,000 bytes: one of eight ranks


@pytest.mark.parametrize(
    ("name", "arguments", "read", "written", "crossing"),
    [
        ("c10d::allreduce_", ((WHOLE,),), 128_000, 128_000, 256_000),
        ("c10d::allreduce_coalesced_", ((WHOLE, PART),), 144_000, 144_000, 288_000),
        ("_c10d_functional::all_reduce", (WHOLE, "sum"), 128_000, 128_000, 256_000),
        ("c10d::_allgather_base_", (WHOLE, PART), 16_000, 128_000, 128_000),
        ("_c10d_functional::all_gather_into_tensor", (PART, 8), 16_000, 128_000, 128_000),
        ("c10d::_reduce_scatter_base_", (PART, WHOLE), 128_000, 16_000, 128_000),
        (
            "_c10d_functional::reduce_scatter_tensor",
            (WHOLE, "sum", 8),
            *(128_000, 16_000, 128_000),
        ),
        ("c10d::broadcast_", ((WHOLE,), None, 0), 128_000, 128_000, 128_000),
        ("_c10d_functional::all_to_all_single", (WHOLE,), 128_000, 128_000, 128_000),
        ("c10d::send", ((PART,), None, 1, 0), 16_000, 0, 16_000),
        ("c10d::recv_", ((PART,), None, 1, 0), 0, 16_000, 16_000),
        ("c10d_functional::all_gather_into_tensor", (PART, "", [0], 8), 16_000, 128_000, 128_000),
        (
            "c10d_functional::reduce_scatter_tensor",
            (WHOLE, "sum", "", [0], 8),
            *(128_000, 16_000, 128_000),
        ),
    ],
)
def test_what_moves(
    name: str, arguments: tuple[Argument, ...], read: int, written: int, crossing: int
) -> None:
    rule = rule_for(name)
    work = rule(OperatorCall(name, arguments)) if rule else None
    assert work is not None
    assert (work.read_bytes, work.written_bytes, work.link_bytes) == (read, written, crossing)


# As torch's profiler records them, with gloo: a list of lists has no type and no sizes.
OF_LISTS: list[tuple[str, tuple[Argument, ...], int, int, int]] = [
    ("c10d::allgather_", (None, (PART,), None, False, -1), 16_000, 128_000, 128_000),
    ("c10d::gather_", (None, (PART,), None, 0, False, -1), 16_000, 128_000, 128_000),
    ("c10d::reduce_scatter_", ((PART,), None, None, None, False, -1), 128_000, 16_000, 128_000),
    ("c10d::scatter_", ((PART,), None, None, 0, False, -1), 128_000, 16_000, 128_000),
]


@pytest.mark.parametrize(("name", "arguments", "read", "written", "crossing"), OF_LISTS)
def test_lists_of_lists_are_as_many_times_the_other_side_as_there_are_ranks(
    name: str, arguments: tuple[Argument, ...], read: int, written: int, crossing: int
) -> None:
    rule = rule_for(name)
    work = rule(OperatorCall(name, arguments, ranks=8)) if rule else None
    assert work is not None
    assert (work.read_bytes, work.written_bytes, work.link_bytes) == (read, written, crossing)


@pytest.mark.parametrize(("name", "arguments"), [each[:2] for each in OF_LISTS])
def test_without_the_number_of_ranks_they_have_no_price(
    name: str, arguments: tuple[Argument, ...]
) -> None:
    assert predict_call(OperatorCall(name, arguments), Setup()) is None


def test_a_collective_without_a_rule_has_no_price() -> None:
    call = OperatorCall("_c10d_functional::batch_p2p_ops", (None, [1], [0], (PART,), "0"))
    assert predict_call(call, Setup()) is None


@pytest.mark.parametrize("name", ["_c10d_functional::wait_tensor", "c10d::barrier"])
def test_waiting_costs_nothing_of_its_own(name: str) -> None:
    prediction = predict_call(OperatorCall(name, (WHOLE,)), Setup())
    assert prediction is not None
    assert prediction.duration_ns == 0
