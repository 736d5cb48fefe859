"""The clocks of one window of time."""

from __future__ import annotations

import gc
import weakref

import numpy as np

from sidelight.analysis.core_clocks import Claims, CoreClocks
from sidelight.analysis.time_windows import Stretches, time_windows


def test_clocks_are_gone_when_they_are_not_used_any_more() -> None:
    two, none = np.array([0, 1]), np.zeros(0, np.int64)
    clocks = CoreClocks(
        Stretches(np.zeros(2, np.int64), two, two + 5),
        Claims(two, two, two),
        Stretches(none, none, none),
        ticks_per_ns=2,
    )
    # Each has one nanosecond alone, and half of the four in which both are active.
    assert clocks.of_claims().tolist() == [2 * 3, 2 * 3]
    gone = weakref.ref(clocks)
    gc.disable()
    try:
        del clocks
        assert gone() is None
    finally:
        gc.enable()


def test_windows_follow_one_another_and_have_all_that_is_in_them() -> None:
    start_ns = np.array([0, 3, 3, 3, 9, 1])
    end_ns = np.array([20, 4, 8, 4, 10, 2])
    stretches = Stretches(np.zeros(6, np.int64), start_ns, end_ns)
    found = [
        (window.start_ns, window.end_ns, sorted(rows.tolist()))
        for window, rows in time_windows(stretches, 2)
    ]
    assert found == [(0, 3, [0, 5]), (3, 20, [0, 1, 2, 3, 4])]
