"""Convolutions of narrow groups take the fastest of three ways, each worked out by hand."""

from __future__ import annotations

import pytest

from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.cores import logical_core
from sidelight.hardware.prediction import Prediction, predict_call
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from sidelight.hardware.work import Engine

HALF = "bfloat16"
CYCLES_NS = 1 / 2.4 / 2
"""Of the two Tensor Engines of a logical core of trn2."""
LANES_NS = 1 / (2 * 128 * 0.96)
"""The same of the Vector Engines' lanes."""


def convolution(
    batch: int, channels: int, image: int, kernel: int, groups: int, *, backward: bool = False
) -> Prediction:
    """Of a square image, with as many channels out as in and padding that keeps its size."""
    source = Tensor((batch, channels, image, image), HALF)
    weight = Tensor((channels, channels // groups, kernel, kernel), HALF)
    settings = ([1, 1], [kernel // 2, kernel // 2], [1, 1], False, [0, 0], groups)
    if backward:
        name, mask = "convolution_backward", "[True, True, False]"
        call = OperatorCall(f"aten::{name}", (source, source, weight, [0], *settings, mask))
    else:
        call = OperatorCall("aten::convolution", (source, weight, None, *settings))
    prediction = predict_call(call, Setup(logical_core("trn2")))
    assert prediction is not None
    assert prediction.is_known
    return prediction


def test_one_group_is_one_product() -> None:
    prediction = convolution(8, 64, 28, 3, 1)
    assert prediction.rule == "convolution"
    # 576 of contraction are five tiles of 128; 64 columns past 49 tiles of the images' places.
    assert prediction.engines_ns[Engine.TENSOR] == pytest.approx(5 * 49 * 64 * CYCLES_NS)


def test_wide_groups_are_products_one_after_another() -> None:
    prediction = convolution(8, 512, 28, 3, 2)
    assert prediction.rule == "convolution, a product for each group"
    # 2 groups, 2,304 of contraction in 18 tiles, 256 columns past 49 tiles of places.
    cycles = 2 * 18 * 49 * 256
    assert prediction.engines_ns[Engine.TENSOR] == pytest.approx(cycles * CYCLES_NS)


def test_depthwise_groups_stand_side_by_side() -> None:
    prediction = convolution(32, 512, 14, 3, 512)
    assert prediction.rule == "convolution, 14 groups at once in the array"
    # 14 groups of nine weights fill 126 of 128 rows: 37 such products for 512 groups, each 14
    # columns, which take the least of 64 cycles, past 49 tiles of places.
    assert prediction.engines_ns[Engine.TENSOR] == pytest.approx(37 * 49 * 64 * CYCLES_NS)
    assert prediction.flops == 2 * 9 * 512 * 32 * 14 * 14


def test_a_few_channels_are_the_vector_engines() -> None:
    """Two weights of each of two channels leave nearly all of the array empty."""
    source, weight = Tensor((64, 2, 100_000), HALF), Tensor((2, 1, 2), HALF)
    settings = (None, [1], [0], [1], False, [0], 2)
    call = OperatorCall("aten::convolution", (source, weight, *settings))
    prediction = predict_call(call, Setup(logical_core("trn2")))
    assert prediction is not None
    assert prediction.rule == "convolution on the Vector Engine"
    assert prediction.engines_ns[Engine.TENSOR] == 0
    results = 64 * 2 * 99_999
    assert prediction.engines_ns[Engine.VECTOR] == pytest.approx(2 * 2 * results * LANES_NS)


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("groups", [1, 2, 4, 8, 16, 32, 64, 128])
def test_more_groups_of_as_many_channels_never_cost_more(groups: int, backward: bool) -> None:
    """They do less."""
    fewer = convolution(8, 128, 28, 3, max(groups // 2, 1), backward=backward)
    more = convolution(8, 128, 28, 3, groups, backward=backward)
    assert more.duration_ns <= fewer.duration_ns
