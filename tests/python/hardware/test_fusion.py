"""What a compiled graph's operators share, and what their kernels move."""

from __future__ import annotations

import pytest

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.cores import logical_core
from sidelight.hardware.fusion import Step, fused_groups, fused_work
from sidelight.hardware.prediction import Setup, predict, predict_call, work_of
from sidelight.hardware.tensors import Tensor
from sidelight.hardware.work import Engine

ROWS, WIDTH, BETWEEN = 512, 1024, 4096
X = Tensor((ROWS, WIDTH), "bfloat16")
WIDE = Tensor((ROWS, BETWEEN), "bfloat16")
WEIGHT = Tensor((WIDTH, BETWEEN), "bfloat16")
SETUP = Setup(logical_core("trn2"))


def step(name: str, *arguments: Argument) -> Step:
    call = OperatorCall(name if "::" in name else f"aten::{name}", arguments)
    work, known = work_of(call, SETUP)
    assert work is not None
    assert known
    return Step(call, work)


GRAPH = [
    step("rms_norm", X, [WIDTH], Tensor((WIDTH,), "bfloat16"), 1e-6),
    step("mul", X, X),
    step("mm", X, WEIGHT),
    step("gelu", WIDE),
    step("mul", WIDE, WIDE),
    step("embedding", Tensor((100, WIDTH), "bfloat16"), Tensor((ROWS,), "int64")),
    step("add", X, X),
    step("c10d::allreduce_", (X,)),
    step("mm", X, WEIGHT),
    step("mm", X, WEIGHT),
    step("relu", WIDE),
]


def test_a_product_starts_a_kernel_and_what_follows_joins_in() -> None:
    assert fused_groups(GRAPH) == [[0, 1], [2, 3, 4], [5], [6], [7], [8], [9, 10]]


def test_every_operator_is_in_one_kernel() -> None:
    grouped = [index for group in fused_groups(GRAPH) for index in group]
    assert grouped == list(range(len(GRAPH)))
    assert fused_groups([]) == []


def test_one_operator_alone_is_what_it_was() -> None:
    assert fused_work(GRAPH[:1]) is GRAPH[0].work


def test_results_in_between_do_not_move() -> None:
    """``gelu(x @ w)``: the operands in, the activated product out."""
    fused = fused_work(GRAPH[2:4])
    assert fused.read_bytes == 2 * (ROWS * WIDTH + WIDTH * BETWEEN)
    assert fused.written_bytes == 2 * ROWS * BETWEEN
    assert fused.flops == 2 * ROWS * WIDTH * BETWEEN + ROWS * BETWEEN


def test_a_product_is_taken_from_psum_by_what_follows_it() -> None:
    """Alone, the product takes a pass to leave PSUM; gelu reads it there."""
    evicted = ROWS * BETWEEN
    vector, scalar = 2 * 128 * 0.96, 2 * 128 * 1.2
    alone = predict(GRAPH[2].work, SETUP, fixed_ns=0).engines_ns
    assert alone[Engine.VECTOR] == pytest.approx(evicted / (vector + scalar))
    fused = predict(fused_work(GRAPH[2:4]), SETUP, fixed_ns=0).engines_ns
    assert fused[Engine.VECTOR] == 0
    assert fused[Engine.SCALAR] == pytest.approx(evicted / scalar)


def test_an_operand_from_elsewhere_is_read() -> None:
    """``gelu(x @ w) * other``: the product is at hand, the other operand is not."""
    fused = fused_work(GRAPH[2:5])
    assert fused.read_bytes == 2 * (ROWS * WIDTH + WIDTH * BETWEEN + ROWS * BETWEEN)
    assert fused.written_bytes == 2 * ROWS * BETWEEN


def test_what_is_read_once_stays() -> None:
    """``x * x.sum(-1)``: the row sums are made here, x is read once."""
    column = Tensor((ROWS, 1), "bfloat16")
    steps = [step("sum", X, [1], True, None), step("mul", X, column)]
    fused = fused_work(steps)
    assert fused.read_bytes == 2 * ROWS * WIDTH
    assert fused.written_bytes == 2 * ROWS * WIDTH


def test_a_fill_is_not_read() -> None:
    steps = [step("fill_", X, 0.0), step("add", X, X)]
    # One of the addition's operands was filled here, the other comes from elsewhere.
    assert fused_work(steps).read_bytes == 2 * ROWS * WIDTH


def test_fused_is_faster_than_apart() -> None:
    apart = sum(
        prediction.duration_ns
        for each in GRAPH[2:5]
        if (prediction := predict_call(each.call, SETUP))
    )
    together = predict(fused_work(GRAPH[2:5]), SETUP, fixed_ns=19_000).duration_ns
    assert together < apart - 2 * 19_000
