"""The device's clock, against times worked out by hand and prices that recordings get."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from sidelight.capture.device.clock import DEFAULT_STREAM, DeviceClock
from sidelight.capture.device.kernel_calls import KernelCall, shown
from sidelight.capture.device.timeline import Moment
from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.prediction import predict_call
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from support.recorded_operators import recorded_call

aten: Any = torch.ops.aten
SETUP = Setup()
LAUNCH_NS = SETUP.parameters.eager_launch_ns

SQUARE = torch.ones(2048, 2048)
MATMUL = OperatorCall("aten::mm", (Tensor((2048, 2048), "float32"),) * 2)


def predicted_ns(call: OperatorCall) -> int:
    prediction = predict_call(call, SETUP)
    assert prediction is not None
    return prediction.duration_ns


MATMUL_NS = predicted_ns(MATMUL)


class Host:
    """The host's own clock, as a test moves it."""

    def __init__(self) -> None:
        self.now_ns = 1_000_000

    def clock(self, *, is_blocking: bool = False) -> DeviceClock:
        return DeviceClock(SETUP, is_blocking=is_blocking, now_ns=lambda: self.now_ns)


def multiply(clock: DeviceClock, times: int = 1, computing_ns: int = 0) -> None:
    for _ in range(times):
        clock.ran(aten.mm.default, (SQUARE, SQUARE), {}, computing_ns)


def marked(clock: DeviceClock, stream: int = DEFAULT_STREAM) -> Moment:
    moment = Moment()
    clock.mark(moment, stream)
    return moment


def test_a_device_that_is_busy_runs_one_kernel_after_another() -> None:
    """The products take longer than their launches: after the first, they follow at once."""
    assert MATMUL_NS > LAUNCH_NS
    clock = Host().clock()
    start = marked(clock)
    multiply(clock, 3)
    end = marked(clock)
    assert clock.reached_ns(end) - clock.reached_ns(start) == LAUNCH_NS + 3 * MATMUL_NS


def test_a_device_that_waits_for_the_host_runs_at_the_pace_of_launches() -> None:
    small = torch.ones(8, 8)
    small_ns = predicted_ns(OperatorCall("aten::mm", (Tensor((8, 8), "float32"),) * 2))
    assert 0 < small_ns < LAUNCH_NS
    clock = Host().clock()
    for _ in range(10):
        clock.ran(aten.mm.default, (small, small), {}, 0)
    assert clock.reached_ns(marked(clock)) == 10 * LAUNCH_NS + small_ns


def test_what_computing_takes_is_none_of_the_programs_time() -> None:
    """The host computes for 5 ms and then does work of its own for 1 ms."""
    host = Host()
    clock = host.clock()
    host.now_ns += 5_000_000
    multiply(clock, computing_ns=5_000_000)
    host.now_ns += 1_000_000
    clock.waited()
    assert clock.reached_ns(marked(clock)) == LAUNCH_NS + max(MATMUL_NS, 1_000_000)
    host.now_ns += 2_000_000
    late = marked(clock)
    assert clock.reached_ns(late) == LAUNCH_NS + max(MATMUL_NS, 1_000_000) + 2_000_000


def test_blocking_launches_wait_for_each_kernel() -> None:
    clock = Host().clock(is_blocking=True)
    multiply(clock, 3)
    assert clock.reached_ns(marked(clock)) == 3 * (LAUNCH_NS + MATMUL_NS)


def test_streams_run_side_by_side_and_wait_for_each_other() -> None:
    clock = Host().clock()
    multiply(clock)
    first = marked(clock)
    clock.stream = 1
    multiply(clock)
    beside = marked(clock, 1)
    clock.hold(1, first)
    clock.hold(1, marked(clock))
    multiply(clock)
    assert clock.reached_ns(first) == LAUNCH_NS + MATMUL_NS
    assert clock.reached_ns(beside) == 2 * LAUNCH_NS + MATMUL_NS
    assert clock.reached_ns(marked(clock, 1)) == max(3 * LAUNCH_NS, 2 * LAUNCH_NS + MATMUL_NS) + (
        MATMUL_NS
    )


def test_asking_whether_it_is_done_waits_for_nothing() -> None:
    host = Host()
    clock = host.clock()
    multiply(clock)
    end = marked(clock)
    assert not clock.is_past(end)
    assert not clock.is_idle(DEFAULT_STREAM)
    host.now_ns += MATMUL_NS
    assert clock.is_past(end)
    assert clock.is_idle(DEFAULT_STREAM)


def test_views_cost_nothing_and_are_told_all_the_same() -> None:
    clock = Host().clock()
    clock.ran(aten.view.default, (SQUARE, [-1]), {}, 0)
    multiply(clock, 2)
    assert clock.executed() == {"aten::view": 1, "aten::mm": 2}
    assert clock.reached_ns(marked(clock)) == LAUNCH_NS + 2 * MATMUL_NS
    clock.forget_executed()
    assert not clock.executed()


def test_more_calls_than_are_kept_apart_are_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidelight.capture.device.call_table._MOST_CALLS", 4)
    monkeypatch.setattr("sidelight.capture.device.clock._MOST_NOTED", 7)
    clock = Host().clock()
    for size in range(1, 41):
        vector = torch.ones(size)
        clock.ran(aten.add.Tensor, (vector, vector), {}, 0)
    multiply(clock, 10)
    assert clock.executed() == {"aten::add": 40, "aten::mm": 10}


WIDE = torch.ones(6, 4, 50, 30)
INDEX = torch.randint(0, 50, (7,))

CALLS: list[tuple[str, Callable[[], object], Any, tuple[Any, ...], dict[str, Any]]] = [
    (
        "aten::addmm",
        lambda: torch.addmm(SQUARE[0], SQUARE, SQUARE, beta=2, alpha=3),
        aten.addmm.default,
        (SQUARE[0], SQUARE, SQUARE),
        {"beta": 2, "alpha": 3},
    ),
    (
        "aten::sum",
        lambda: torch.sum(WIDE, (1, 3), dtype=torch.bfloat16),
        aten.sum.dim_IntList,
        (WIDE, [1, 3]),
        {"dtype": torch.bfloat16},
    ),
    ("aten::pow", lambda: torch.pow(WIDE, 2.5), aten.pow.Tensor_Scalar, (WIDE, 2.5), {}),
    ("aten::cat", lambda: torch.cat([WIDE, WIDE], 2), aten.cat.default, ([WIDE, WIDE], 2), {}),
    (
        "aten::index",
        lambda: WIDE[:, :, INDEX],
        aten.index.Tensor,
        (WIDE, [None, None, INDEX]),
        {},
    ),
    ("aten::index", lambda: SQUARE[INDEX], aten.index.Tensor, (SQUARE, [INDEX]), {}),
    (
        "aten::_softmax",
        lambda: torch.softmax(WIDE, -1),
        aten._softmax.default,
        (WIDE, -1, False),
        {},
    ),
    (
        "aten::native_layer_norm",
        lambda: torch.layer_norm(WIDE, (30,)),
        aten.native_layer_norm.default,
        (WIDE, [30], None, None, 1e-5),
        {},
    ),
    (
        "aten::convolution",
        lambda: torch.conv2d(WIDE, torch.ones(8, 4, 3, 3), padding=1),
        aten.convolution.default,
        (WIDE, torch.ones(8, 4, 3, 3), None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1),
        {},
    ),
    (
        "aten::upsample_nearest2d",
        lambda: torch.nn.functional.interpolate(WIDE, scale_factor=2.0),
        aten.upsample_nearest2d.vec,
        (WIDE, None, [2.0, 2.0]),
        {},
    ),
    ("aten::fill_", lambda: WIDE.clone().fill_(3), aten.fill_.Scalar, (WIDE, 3), {}),
]


@pytest.mark.parametrize("case", CALLS, ids=lambda case: case[0])
def test_a_call_costs_what_its_recording_costs(case: Any) -> None:
    name, function, operator, arguments, keywords = case
    given = tuple(map(shown, arguments))
    named = tuple((name, shown(value)) for name, value in keywords.items())
    duration_ns = KernelCall(operator, given, named).duration_ns(SETUP)
    assert duration_ns == predicted_ns(recorded_call(name, function)) > 0
