"""FLOPs, against torch's own flop counter on the same code."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.flop_counter import FlopCounterMode, flop_registry

from sidelight.hardware.operators.registry import rule_for
from support.recorded_operators import recorded_calls

ATEN: Any = torch.ops.aten


def counted_by_torch(function: Callable[[], object]) -> Counter[str]:
    with FlopCounterMode(display=False) as counter:
        function()
    counted = counter.get_flop_counts()["Global"]
    return Counter({str(operator).replace(".", "::"): flops for operator, flops in counted.items()})


def counted_by_rules(function: Callable[[], object]) -> Counter[str]:
    """The same of the recorded calls."""
    counted: Counter[str] = Counter()
    for call in recorded_calls(function):
        if call.name in KNOWN_TO_TORCH - WITHIN_CONVOLUTION:
            rule = rule_for(call.name)
            work = rule(call) if rule else None
            assert work is not None, f"no rule understood {call}"
            counted[call.name] += work.flops
    return counted


KNOWN_TO_TORCH = {str(operator).replace(".", "::") for operator in flop_registry}
WITHIN_CONVOLUTION = {"aten::_convolution", "aten::_slow_conv2d_forward"}


def ones(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.ones(shape, dtype=dtype, requires_grad=dtype.is_floating_point)


def backward(function: Callable[[], torch.Tensor]) -> Callable[[], object]:
    return lambda: function().sum().backward()


def convolved(
    shape: tuple[int, ...], weight: tuple[int, ...], **settings: Any
) -> Callable[[], torch.Tensor]:
    dimensions = len(shape) - 2
    transposed = settings.pop("transposed", False)
    name = f"conv_transpose{dimensions}d" if transposed else f"conv{dimensions}d"
    source, weights = ones(*shape), ones(*weight)
    return lambda: getattr(F, name)(source, weights, **settings)


CONVOLUTIONS = {
    "1d": convolved((2, 6, 31), (4, 6, 5)),
    "2d, batch of one": convolved((1, 3, 17, 19), (8, 3, 3, 3)),
    "2d, stride, padding": convolved((4, 3, 32, 30), (6, 3, 3, 5), stride=2, padding=(1, 2)),
    "2d, dilation": convolved((2, 4, 24, 24), (4, 4, 3, 3), dilation=(2, 3)),
    "2d, groups": convolved((2, 12, 15, 15), (18, 4, 3, 3), groups=3, bias=torch.ones(18)),
    "2d, depthwise": convolved((3, 16, 14, 14), (16, 1, 5, 5), groups=16, padding=2),
    "2d, pointwise": convolved((5, 32, 7, 7), (64, 32, 1, 1)),
    "3d": convolved((2, 3, 8, 9, 10), (4, 3, 2, 3, 3), stride=(1, 2, 1)),
    "transposed 1d": convolved((2, 6, 12), (6, 4, 4), transposed=True, stride=2),
    "transposed 2d": convolved(
        (2, 8, 9, 9), (8, 5, 3, 3), transposed=True, stride=2, padding=1, output_padding=1
    ),
    "transposed 2d, groups": convolved(
        (1, 8, 9, 9), (8, 3, 3, 3), transposed=True, groups=2, dilation=2
    ),
}

PRODUCTS: dict[str, Callable[[], torch.Tensor]] = {
    "mm": lambda: ones(127, 129) @ ones(129, 513),
    "mm of one row": lambda: torch.mm(ones(1, 640), ones(640, 257)),
    "mm of one column": lambda: torch.mm(ones(300, 40), ones(40, 1)),
    "mm in bf16": lambda: torch.mm(*(ones(64, 64, dtype=torch.bfloat16) for _ in range(2))),
    "mm of integers": lambda: torch.mm(*(ones(9, 9, dtype=torch.int64) for _ in range(2))),
    "addmm": lambda: torch.addmm(ones(33), ones(17, 65), ones(65, 33)),
    "addmm of a matrix": lambda: torch.addmm(ones(5, 6), ones(5, 7), ones(7, 6), beta=2),
    "linear of three dimensions": lambda: F.linear(ones(3, 11, 20), ones(30, 20), ones(30)),
    "linear without bias": lambda: F.linear(ones(2, 5, 20), ones(30, 20)),
    "bmm": lambda: torch.bmm(ones(6, 31, 17), ones(6, 17, 9)),
    "matmul, broadcast": lambda: ones(4, 1, 8, 12) @ ones(5, 12, 7),
    "baddbmm": lambda: torch.baddbmm(ones(3, 4, 5), ones(3, 4, 6), ones(3, 6, 5)),
    "einsum": lambda: torch.einsum("bhqd,bhkd->bhqk", ones(2, 3, 5, 8), ones(2, 3, 7, 8)),
}

MODULES: dict[str, Callable[[], torch.Tensor]] = {
    "mlp": lambda: nn.Sequential(nn.Linear(24, 96), nn.GELU(), nn.Linear(96, 24))(ones(10, 24)),
    "lstm cell": lambda: nn.LSTMCell(12, 20)(ones(4, 12))[0],
    "convolution, batch norm": lambda: nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8))(
        ones(2, 3, 16, 16)
    ),
    "attention with weights": lambda: nn.MultiheadAttention(32, 4, batch_first=True)(
        *[ones(2, 9, 32)] * 3
    )[0],
}


CASES = {**PRODUCTS, **CONVOLUTIONS, **MODULES}


@pytest.mark.parametrize("name", CASES)
def test_forward_flops_are_those_of_torch(name: str) -> None:
    expected = counted_by_torch(CASES[name])
    assert expected.total() > 0
    assert counted_by_rules(CASES[name]) == expected


@pytest.mark.parametrize("name", [name for name in CASES if name != "mm of integers"])
def test_backward_flops_are_those_of_torch(name: str) -> None:
    function = backward(CASES[name])
    expected = counted_by_torch(function)
    assert expected.total() > counted_by_torch(CASES[name]).total()
    assert counted_by_rules(function) == expected


@pytest.mark.parametrize(
    "wanted",
    [
        [True, True, True],
        [True, False, False],
        [False, True, False],
        [False, True, True],
        [True, True, False],
    ],
)
@pytest.mark.parametrize("transposed", [False, True])
def test_only_the_gradients_that_are_wanted_count(wanted: list[bool], transposed: bool) -> None:
    source, weight = torch.ones(3, 8, 11, 11), torch.ones(8, 8, 3, 3)
    gradient = torch.ones(3, 8, *((13, 13) if transposed else (9, 9)))

    def function() -> object:
        return ATEN.convolution_backward(
            gradient,
            source,
            weight,
            [8],
            [1, 1],
            [0, 0],
            [1, 1],
            transposed,
            [0, 0],
            1,
            wanted,
        )

    assert counted_by_rules(function) == counted_by_torch(function)


def attention_tensors(
    heads: int, shared_heads: int, queries: int, keys: int, head: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return (
        ones(2, heads, queries, head),
        ones(2, shared_heads, keys, head),
        ones(2, shared_heads, keys, head),
    )


ATTENTIONS = [
    (1, 1, 64, 64, 64),
    (8, 8, 127, 129, 64),
    (4, 4, 1, 513, 128),
    (6, 6, 33, 33, 256),
    (8, 2, 40, 40, 64),
    (8, 1, 1, 200, 128),
]


@pytest.mark.parametrize("sizes", ATTENTIONS)
def test_attention_counts_as_torch_counts_it_on_accelerators(
    sizes: tuple[int, int, int, int, int],
) -> None:
    """The CPU's kernel is not registered there; the formula of the accelerators' kernels is."""
    query, key, value = attention_tensors(*sizes)
    grouped = sizes[0] != sizes[1]
    expected = flop_registry[ATEN._scaled_dot_product_flash_attention](query, key, value)
    calls = recorded_calls(
        lambda: F.scaled_dot_product_attention(query, key, value, enable_gqa=grouped)
    )
    call = next(each for each in calls if each.name == "aten::scaled_dot_product_attention")
    rule = rule_for(call.name)
    work = rule(call) if rule else None
    assert work is not None
    assert work.flops == expected


@pytest.mark.parametrize("sizes", ATTENTIONS[:4])
def test_attention_backward_counts_as_torch_counts_it_on_accelerators(
    sizes: tuple[int, int, int, int, int],
) -> None:
    query, key, value = attention_tensors(*sizes)
    gradient = torch.ones_like(query)
    expected = flop_registry[ATEN._scaled_dot_product_flash_attention_backward](
        gradient, query, key, value
    )
    calls = recorded_calls(
        lambda: F.scaled_dot_product_attention(query, key, value).backward(gradient)
    )
    name = "aten::_scaled_dot_product_flash_attention_for_cpu_backward"
    rule = rule_for(name)
    works = [rule(each) for each in calls if each.name == name] if rule else []
    assert [work.flops for work in works if work] == [expected]


def test_the_counter_that_it_is_held_against_can_differ() -> None:
    function = PRODUCTS["mm"]
    assert counted_by_torch(function) != counted_by_rules(PRODUCTS["mm of one row"])


RECURRENT: dict[str, Callable[[], Callable[[], object]]] = {
    "lstm": lambda: applied(nn.LSTM(16, 32), ones(5, 3, 16)),
    "lstm, batch first, no bias": lambda: applied(
        nn.LSTM(16, 32, batch_first=True, bias=False), ones(3, 5, 16)
    ),
    "lstm of two layers in both directions": lambda: applied(
        nn.LSTM(12, 20, 2, bidirectional=True), ones(7, 2, 12)
    ),
    "lstm with a projection": lambda: applied(nn.LSTM(12, 20, 2, proj_size=8), ones(7, 2, 12)),
    "lstm with a projection in both directions, no bias": lambda: applied(
        nn.LSTM(12, 20, 2, proj_size=8, bidirectional=True, bias=False), ones(7, 2, 12)
    ),
    "gru of two layers": lambda: applied(nn.GRU(16, 24, 2), ones(6, 4, 16)),
    "plain": lambda: applied(nn.RNN(9, 8, nonlinearity="relu"), ones(4, 2, 9)),
}


def applied(module: nn.Module, source: torch.Tensor) -> Callable[[], object]:
    return lambda: module(source)


@pytest.mark.parametrize("name", RECURRENT)
def test_a_recurrent_layer_is_the_products_that_torch_makes_of_it(name: str) -> None:
    """Without oneDNN torch does it product by product, which its counter sees."""
    function = RECURRENT[name]()
    with torch.backends.mkldnn.flags(enabled=False):
        expected = counted_by_torch(function).total()
    names = ("aten::lstm", "aten::gru", "aten::rnn_relu")
    works = [
        work
        for call in recorded_calls(function)
        if call.name in names and (rule := rule_for(call.name)) and (work := rule(call))
    ]
    assert len(works) == 1
    assert sum(each.flops for each in works[0].matmuls) == expected
    assert works[0].flops > expected  # the gates come on top


def test_a_layer_of_onednn_is_one_layer_of_those_products() -> None:
    module, source = nn.LSTM(16, 32, 2), ones(5, 3, 16)
    with torch.no_grad():
        calls = recorded_calls(lambda: module(source))
    layers = [call for call in calls if call.name == "aten::mkldnn_rnn_layer"]
    rule = rule_for("aten::mkldnn_rnn_layer")
    works = [rule(call) for call in layers] if rule else []
    # 15 rows of inputs and 3 rows of hidden state five times, each by 4 * 32 numbers.
    by_hand = [2 * 15 * 128 * (16 + 32), 2 * 15 * 128 * (32 + 32)]
    assert [sum(each.flops for each in work.matmuls) for work in works if work] == by_hand
