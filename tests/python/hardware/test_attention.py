"""Attention whose heads share keys, and attention over packed sequences."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings, strategies as st
from torch.utils.flop_counter import flop_registry

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.chips import CHIP_NAMES
from sidelight.hardware.cores import logical_core
from sidelight.hardware.prediction import Prediction, predict_call
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from sidelight.hardware.work import Engine

ATEN: Any = torch.ops.aten
HALF = "bfloat16"
FORWARD = "scaled_dot_product_attention"
BACKWARD = "_scaled_dot_product_flash_attention_for_cpu_backward"


def predicted(name: str, *arguments: Argument, chip: str = "trn2") -> Prediction:
    setup = Setup(logical_core(chip))
    prediction = predict_call(OperatorCall(f"aten::{name}", arguments), setup)
    assert prediction is not None
    assert prediction.is_known
    return prediction


def attention(
    query: tuple[int, ...], key: tuple[int, ...], *, name: str = FORWARD, chip: str = "trn2"
) -> Prediction:
    queries, keys = Tensor(query, HALF), Tensor(key, HALF)
    forward = (queries, keys, keys)
    if name == FORWARD:
        return predicted(name, *forward, chip=chip)
    rows = Tensor(query[:-1], "float32")
    return predicted(name, queries, *forward, queries, rows, 0.0, True, chip=chip)


@pytest.mark.parametrize("chip", CHIP_NAMES)
@pytest.mark.parametrize("name", [FORWARD, BACKWARD])
def test_heads_that_share_keys_are_rows_of_one_product(name: str, chip: str) -> None:
    """One query of each of 64 heads, 8 to a head of keys: 8 rows against each of 8 heads."""
    cache = (32, 8, 8192, 128)
    grouped = attention((32, 64, 1, 128), cache, name=name, chip=chip)
    folded = attention((32, 8, 8, 128), cache, name=name, chip=chip)
    assert grouped == folded


def test_decoding_with_shared_keys_waits_for_the_cache() -> None:
    grouped = attention((32, 64, 1, 128), (32, 8, 8192, 128))
    # 8 rows stream past 64 tiles of keys, 64 cycles at least each: once for the scores, once to
    # transpose them; then 64 tiles of the contraction, each 8 rows or 64 cycles past the values.
    cycles = 32 * 8 * 64 * 64 * 3
    assert grouped.engines_ns[Engine.TENSOR] == pytest.approx(cycles / 2 / 2.4)
    moved = 2 * (2 * 32 * 8 * 8192 * 128 + 2 * 32 * 64 * 128)
    assert grouped.engines_ns[Engine.DMA] == pytest.approx(moved / 725)
    assert grouped.engine is Engine.DMA


@settings(max_examples=400, deadline=None)
@given(
    st.integers(1, 8),
    st.integers(1, 16),
    st.integers(1, 700),
    st.integers(1, 1500),
    st.sampled_from([FORWARD, BACKWARD]),
)
def test_sharing_keys_never_costs_more_than_keys_of_ones_own(
    heads: int, sharing: int, queries: int, keys: int, name: str
) -> None:
    query = (2, heads * sharing, queries, 64)
    shared = attention(query, (2, heads, keys, 64), name=name)
    own = attention(query, (2, heads * sharing, keys, 64), name=name)
    assert shared.flops == own.flops
    assert all(shared.engines_ns[engine] <= own.engines_ns[engine] * 1.0000001 for engine in Engine)


def test_keys_for_every_query_of_a_batch_are_one_head_of_them() -> None:
    """One head of keys for all of the batch: what is broadcast is not there once for each."""
    shared = attention((4, 2, 128, 64), (1, 1, 256, 64))
    assert shared.flops == 4 * (4 * 2 * 128 * 256 * 64)
    # 1,024 rows past 2 tiles of keys, twice; 2 tiles of the contraction, 64 columns of values
    # past 8 tiles of rows.
    cycles = 2 * 2 * 1024 + 2 * 8 * 64
    assert shared.engines_ns[Engine.TENSOR] == pytest.approx(cycles / 2 / 2.4)


TOTAL, HEADS, HEAD, SEQUENCES, LENGTH = 8192, 16, 128, 16, 512
PACKED = Tensor((TOTAL, HEADS, HEAD), HALF)
ROWS = Tensor((HEADS, TOTAL), "float32")
ENDS = Tensor((SEQUENCES + 1,), "int32")
LENGTHS = (ENDS, ENDS, LENGTH, LENGTH)
BATCH_OF_ONE = Tensor((1, TOTAL, HEADS, HEAD), HALF)
PACKED_CALLS: dict[str, tuple[Argument, ...]] = {
    "_flash_attention_forward": (*[PACKED] * 3, *LENGTHS, 0.0, True, False),
    "_flash_attention_backward": (*[PACKED] * 5, ROWS, *LENGTHS, 0.0, True),
    "_efficient_attention_forward": (*[BATCH_OF_ONE] * 3, None, *LENGTHS, 0.0, 1),
    "_efficient_attention_backward": (
        *(*[BATCH_OF_ONE] * 4, None, BATCH_OF_ONE, *LENGTHS, ROWS, 0.0),
    ),
}


def as_torch_has_it(argument: Argument) -> object:
    """The argument with real tensors, and places of ends that lie evenly."""
    if argument == ENDS:
        return torch.arange(0, TOTAL + 1, LENGTH, dtype=torch.int32)
    if isinstance(argument, Tensor):
        return torch.empty(argument.shape, device="meta")
    return argument


@pytest.mark.parametrize("name", PACKED_CALLS)
def test_packed_sequences_attend_to_themselves_only(name: str) -> None:
    """16 sequences of 512, by torch's own counter and as a batch of 16."""
    arguments = PACKED_CALLS[name]
    packed = predicted(name, *arguments)
    counted = flop_registry[getattr(ATEN, name)](*map(as_torch_has_it, arguments))
    products = 5 if "backward" in name else 2
    assert packed.flops == counted == products * 2 * 16 * 16 * 512 * 512 * 128
    batched = attention(
        (SEQUENCES, HEADS, LENGTH, HEAD),
        (SEQUENCES, HEADS, LENGTH, HEAD),
        name=BACKWARD if "backward" in name else FORWARD,
    )
    assert packed.engines_ns[Engine.TENSOR] == pytest.approx(batched.engines_ns[Engine.TENSOR])


def test_sequences_that_do_not_divide_evenly_are_rounded_up_to_the_longest() -> None:
    query = Tensor((1000, 4, 64), HALF)
    ends = Tensor((4,), "int32")

    def flops(longest: int) -> int:
        lengths = (ends, ends, longest, longest)
        return predicted("_flash_attention_forward", *[query] * 3, *lengths, 0.0, True).flops

    assert flops(800) == 4 * 4 * 3 * 334 * 334 * 64  # 1,000 / 3, rounded up
    assert flops(300) == 4 * 4 * 3 * 300 * 300 * 64
    # Every operand and the result once, with a number for each row.
    moved = predicted("_flash_attention_forward", *[query] * 3, ends, ends, 800, 800).hbm_bytes
    assert moved == 4 * 2 * 1000 * 4 * 64 + 4 * 1000 * 4


def test_without_places_of_ends_it_is_one_sequence() -> None:
    query = Tensor((2, 300, 4, 64), HALF)
    prediction = predicted("_flash_attention_forward", *[query] * 3, None, None, 300, 300, 0.0)
    assert prediction.flops == 4 * 2 * 4 * 300 * 300 * 64
