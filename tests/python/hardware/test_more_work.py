"""More work never takes less time, more cores never more, and no kernel beats its roofline."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.chips import CHIP_NAMES
from sidelight.hardware.cores import logical_core
from sidelight.hardware.prediction import Prediction, predict_call
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor

SETUPS = [
    Setup(logical_core(chip, lnc), auto_cast)
    for chip, lnc in (("trn1", None), ("trn2", 1), ("trn2", 2), ("trn3", 2), ("inf2", None))
    for auto_cast in ("matmult", "none")
]
DTYPES = st.sampled_from(["float32", "bfloat16", "float16", "float8_e4m3fn"])
SIZES = st.one_of(st.integers(1, 600), st.integers(1, 20_000))


def arguments_of(name: str, sizes: Sequence[int], dtype: str) -> tuple[Argument, ...]:
    """A call of an operator with four sizes, all of which make it larger."""
    batch, m, k, n = sizes
    matrix = Tensor((m, k), dtype)
    head = Tensor((batch % 8 + 1, m % 700 + 1, k % 256 + 1), dtype)
    keys = Tensor((batch % 8 + 1, n % 700 + 1, k % 256 + 1), dtype)
    parameters = (matrix, Tensor((n,), dtype))
    table: dict[str, tuple[Argument, ...]] = {
        "mm": (matrix, Tensor((k, n), dtype)),
        "bmm": (Tensor((batch, m, k), dtype), Tensor((batch, k, n), dtype)),
        "linear": (Tensor((batch, m, k), dtype), Tensor((n, k), dtype), Tensor((n,), dtype)),
        "add": (matrix, matrix),
        "gelu": (matrix,),
        "sum": (matrix, [1], False, None),
        "_softmax": (matrix, 1, False),
        "layer_norm": (matrix, [k], Tensor((k,), dtype), Tensor((k,), dtype)),
        "scaled_dot_product_attention": (head, keys, keys),
        "topk": (matrix, min(n, k), 1),
        "sort": (matrix, 1),
        "embedding": (matrix, Tensor((batch, n), "int64")),
        "cat": ((matrix, matrix),),
        "_fused_adamw": (parameters,) * 4,
        "convolution": (
            Tensor((batch % 16 + 1, m % 64 + 1, k % 50 + 5, k % 50 + 5), dtype),
            Tensor((n % 64 + 1, m % 64 + 1, 3, 3), dtype),
            *(None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1),
        ),
    }
    return table[name]


NAMES = sorted(
    [
        *("mm", "bmm", "linear", "add", "gelu", "sum", "_softmax", "layer_norm", "topk", "sort"),
        *("scaled_dot_product_attention", "embedding", "cat", "_fused_adamw", "convolution"),
    ]
)
WRAPPED = {"scaled_dot_product_attention", "convolution"}
"""Their sizes wrap around, so that growing one may shrink the call."""


def predicted(name: str, sizes: Sequence[int], dtype: str, setup: Setup) -> Prediction:
    call = OperatorCall(f"aten::{name}", arguments_of(name, sizes, dtype))
    prediction = predict_call(call, setup)
    assert prediction is not None
    assert prediction.is_known
    return prediction


@settings(max_examples=1500, deadline=None)
@given(
    st.sampled_from([name for name in NAMES if name not in WRAPPED]),
    st.tuples(SIZES, SIZES, SIZES, SIZES),
    st.integers(0, 3),
    st.integers(1, 700),
    DTYPES,
    st.sampled_from(SETUPS),
)
def test_more_work_never_takes_less_time(
    name: str, sizes: tuple[int, ...], grown: int, by: int, dtype: str, setup: Setup
) -> None:
    larger = [size + by * (index == grown) for index, size in enumerate(sizes)]
    before, after = (predicted(name, each, dtype, setup) for each in (sizes, larger))
    assert after.duration_ns >= before.duration_ns
    assert after.flops >= before.flops
    assert after.hbm_bytes >= before.hbm_bytes


@settings(max_examples=600, deadline=None)
@given(
    st.integers(1, 64),
    st.integers(1, 3000),
    st.integers(1, 3000),
    st.sampled_from([32, 64, 96, 128, 256]),
    st.sampled_from(["heads", "queries", "keys"]),
    st.sampled_from(SETUPS),
)
def test_longer_attention_never_takes_less_time(
    heads: int, queries: int, keys: int, head: int, grown: str, setup: Setup
) -> None:
    def duration_ns(heads: int, queries: int, keys: int) -> int:
        query = Tensor((heads, queries, head), "bfloat16")
        key = Tensor((heads, keys, head), "bfloat16")
        call = OperatorCall("aten::scaled_dot_product_attention", (query, key, key))
        prediction = predict_call(call, setup)
        assert prediction is not None
        return prediction.duration_ns

    before = {"heads": heads, "queries": queries, "keys": keys}
    after = {**before, grown: before[grown] + 17}
    assert duration_ns(**after) >= duration_ns(**before)


@settings(max_examples=600, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.tuples(SIZES, SIZES, SIZES, SIZES),
    DTYPES,
    st.sampled_from(["trn2", "trn3"]),
)
def test_two_cores_are_never_slower_than_one(
    name: str, sizes: tuple[int, ...], dtype: str, chip: str
) -> None:
    one, two = (
        predicted(name, sizes, dtype, Setup(logical_core(chip, lnc))).duration_ns for lnc in (1, 2)
    )
    assert two <= one


@settings(max_examples=1500, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.tuples(SIZES, SIZES, SIZES, SIZES),
    DTYPES,
    st.sampled_from(SETUPS),
)
def test_no_kernel_beats_its_roofline(
    name: str, sizes: tuple[int, ...], dtype: str, setup: Setup
) -> None:
    prediction = predicted(name, sizes, dtype, setup)
    assert prediction.roof_ns <= prediction.duration_ns
    busiest_ns = max(prediction.engines_ns.values())
    assert prediction.duration_ns == prediction.fixed_ns + round(busiest_ns)


@pytest.mark.parametrize("chip", CHIP_NAMES)
@pytest.mark.parametrize("name", NAMES)
def test_every_chip_prices_every_kind_of_work(chip: str, name: str) -> None:
    prediction = predicted(name, (4, 300, 700, 500), "bfloat16", Setup(logical_core(chip)))
    assert prediction.duration_ns > prediction.fixed_ns > 0
