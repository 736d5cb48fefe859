"""What a compiled graph's operators share, and what their kernels move."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.chips import CHIP_NAMES
from sidelight.hardware.cores import logical_core
from sidelight.hardware.fusion import Operation, fused_groups, fused_work
from sidelight.hardware.prediction import predict, predict_call, work_of
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from sidelight.hardware.work import Engine

ROWS, WIDTH, BETWEEN = 512, 1024, 4096
X = Tensor((ROWS, WIDTH), "bfloat16")
WIDE = Tensor((ROWS, BETWEEN), "bfloat16")
WEIGHT = Tensor((WIDTH, BETWEEN), "bfloat16")
SETUP = Setup(logical_core("trn2"))


def operation(name: str, *arguments: Argument) -> Operation:
    call = OperatorCall(name if "::" in name else f"aten::{name}", arguments)
    work, known = work_of(call, SETUP)
    assert work is not None
    assert known
    return Operation(call, work)


GRAPH = [
    operation("rms_norm", X, [WIDTH], Tensor((WIDTH,), "bfloat16"), 1e-6),
    operation("mul", X, X),
    operation("mm", X, WEIGHT),
    operation("gelu", WIDE),
    operation("mul", WIDE, WIDE),
    operation("embedding", Tensor((100, WIDTH), "bfloat16"), Tensor((ROWS,), "int64")),
    operation("add", X, X),
    operation("c10d::allreduce_", (X,)),
    operation("mm", X, WEIGHT),
    operation("mm", X, WEIGHT),
    operation("relu", WIDE),
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
    operations = [operation("sum", X, [1], True, None), operation("mul", X, column)]
    fused = fused_work(operations)
    assert fused.read_bytes == 2 * ROWS * WIDTH
    assert fused.written_bytes == 2 * ROWS * WIDTH


def test_a_fill_is_not_read() -> None:
    operations = [operation("fill_", X, 0.0), operation("add", X, X)]
    # One of the addition's operands was filled here, the other comes from elsewhere.
    assert fused_work(operations).read_bytes == 2 * ROWS * WIDTH


def test_fused_is_faster_than_apart() -> None:
    apart = sum(
        prediction.duration_ns
        for each in GRAPH[2:5]
        if (prediction := predict_call(each.call, SETUP))
    )
    together = predict(fused_work(GRAPH[2:5]), SETUP, fixed_ns=19_000).duration_ns
    assert together < apart - 2 * 19_000


HEADS = Tensor((1, 8, 1024, 128), "bfloat16")
SCORES = 8 * 1024 * 1024
IMAGE, KERNEL = Tensor((4, 64, 56, 56), "bfloat16"), Tensor((64, 64, 3, 3), "bfloat16")
SEVERAL_PRODUCTS = {
    "attention": operation("scaled_dot_product_attention", HEADS, HEADS, HEADS),
    "attention backward": operation(
        "_scaled_dot_product_flash_attention_for_cpu_backward",
        *(*[HEADS] * 5, Tensor((1, 8, 1024), "float32"), 0.0, True),
    ),
    "convolution backward": operation(
        "convolution_backward",
        *(IMAGE, IMAGE, KERNEL, [64], [1, 1], [1, 1], [1, 1], False, [0, 0], 1),
    ),
    "exponential": operation("linalg_matrix_exp", Tensor((16, 256, 256), "bfloat16")),
}
FOLLOWERS = [
    operation("gelu", HEADS),
    operation("mul", HEADS, HEADS),
    operation("sum", HEADS, [1], False, None),
    operation("clone", HEADS, 0),
    operation("tril", HEADS, 0),
]


def test_attention_is_not_cheaper_for_what_follows_it() -> None:
    """Its transposed scores leave PSUM, and so do its results, with a kernel around it or not."""
    attention = SEVERAL_PRODUCTS["attention"]
    fused = predict(fused_work([attention, operation("gelu", HEADS)]), SETUP, fixed_ns=0).engines_ns
    # A maximum and an exponential each, the transposed scores and the results out of PSUM, and the
    # activation: both engines together.
    passes = 3 * SCORES + HEADS.numel + HEADS.numel
    together = passes / (2 * 128 * (0.96 + 1.2))
    assert fused[Engine.VECTOR] == pytest.approx(together)
    assert fused[Engine.SCALAR] == pytest.approx(together)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(SEVERAL_PRODUCTS)),
    st.lists(st.sampled_from(FOLLOWERS), min_size=1, max_size=6),
    st.sampled_from(CHIP_NAMES),
)
def test_no_engine_has_less_to_do_than_in_a_part_of_several_products(
    name: str, followers: list[Operation], chip: str
) -> None:
    setup, first = Setup(logical_core(chip)), SEVERAL_PRODUCTS[name]
    alone = predict(first.work, setup, fixed_ns=0).engines_ns
    fused = predict(fused_work([first, *followers]), setup, fixed_ns=0).engines_ns
    for engine in set(Engine) - {Engine.DMA}:
        assert fused[engine] >= alone[engine] * 0.9999999


@pytest.mark.parametrize(
    "last",
    [
        operation("dropout", X, 0.1, False),
        operation("_c10d_functional::wait_tensor", X),
    ],
)
def test_the_last_result_is_written_though_an_operator_without_one_follows(last: Operation) -> None:
    """``dropout(gelu(x @ w))`` with dropout switched off."""
    operations = [*GRAPH[2:4], last]
    assert fused_groups(operations) == [[0, 1, 2]]
    assert fused_work(operations).written_bytes == 2 * ROWS * BETWEEN


def test_a_change_of_layout_slows_the_kernel_that_it_is_part_of() -> None:
    operations = [operation("mul", X, X), operation("clone", X, 0)]
    # x twice in, by its size only once at hand; one result out; nine tenths of the bandwidth.
    moved = fused_work(operations).hbm_bytes
    dma_ns = predict(fused_work(operations), SETUP, fixed_ns=0).engines_ns[Engine.DMA]
    assert dma_ns == pytest.approx(moved / 725 / 0.9)
