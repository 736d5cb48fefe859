"""Whether the host or the device holds a step up, on profiles worked out by hand."""

from __future__ import annotations

import pytest
from profiles import Event, Steps, make_profile
from test_idle_causes import kernel, of_line, place

from sidelight.analysis.attribution import attribute
from sidelight.analysis.idle.report import idle_time
from sidelight.analysis.lines import line_report
from sidelight.analysis.step_time.breakdown import step_time
from sidelight.analysis.step_time.headline import Headline, headline_of
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Category


def headline(events: list[Event], steps: Steps = ((0, 1000),), device: str = "cuda") -> Headline:
    profile = attribute(make_profile(events, steps))
    profile.manifest.device = device
    profile.manifest.quality = [
        QualityNote("a", "warning", "", 7),
        QualityNote("b", "info", "", 1),
        QualityNote("c", "info", "", 1),
    ]
    return headline_of(line_report(profile, ""), step_time(profile), idle_time(profile))


@pytest.mark.parametrize(("busy_ns", "bound"), [(900, "device"), (899, "host")])
def test_the_bound_where_a_step_becomes_the_devices(busy_ns: int, bound: str) -> None:
    events = [
        of_line(0, 0, 1000),
        *kernel(1, 20, 50, 50 + busy_ns - 10),
        *kernel(2, 985, 990, 1000),
    ]
    found = headline(events)
    assert (found.bound, found.busy_share) == (bound, busy_ns / 1000)
    assert (
        found.verdict
        == {
            "device": "Device-bound: the device is busy for 90.0% of a step.",
            "host": "Host-bound: the device is busy for 89.9% of a step, mostly because the host "
            "launches its work too late.",
        }[bound]
    )


@pytest.mark.parametrize(
    ("first_launched_ns", "reason"),
    [
        (20, "mostly because the host launches its work too late"),
        # Of 900 idle nanoseconds 460 are before the first work.
        (460, "mostly because the host works before it launches anything, or after the last work"),
        # 370 are before it, 120 in the wait, and 410 later in the gap.
        (370, "above all because the host launches its work too late"),
    ],
)
def test_the_reason_is_what_took_longest(first_launched_ns: int, reason: str) -> None:
    waits = [Event(Category.RUNTIME, 680, 120, "cudaStreamSynchronize")]
    events = [
        of_line(0, 0, 1000),
        *kernel(1, first_launched_ns - 10, first_launched_ns, first_launched_ns + 50),
        *kernel(2, 940, 950, 1000),
        *(waits if first_launched_ns == 370 else []),
    ]
    found = headline(events)
    assert found.bound == "host"
    assert reason in found.verdict


def test_time_that_nothing_explains_is_nobodys() -> None:
    lonely = [Event(Category.DEVICE, start, 10, "k", 3) for start in (0, 500, 990)]
    found = headline(lonely)
    assert (found.bound, found.busy_share) == (None, 0.03)
    assert found.verdict == (
        "The device is busy for 3.0% of a step; what it waits for is not known."
    )


def test_a_run_on_the_cpu_waits_for_nothing() -> None:
    found = headline([Event(Category.OPERATOR, 0, 500)], device="cpu")
    assert (found.bound, found.busy_share) == (None, 0.5)


def test_lines_and_quality() -> None:
    events: list[Event] = []
    for number in range(4):
        start_ns = 200 * number
        operator = Event(Category.OPERATOR, start_ns + 1, 5, external_id=number + 1)
        duration_ns = 10 * (number + 1)
        device = Event(Category.DEVICE, start_ns + 9, duration_ns, "k", 3, external_id=number + 1)
        events += [of_line(min(number, 3), start_ns, start_ns + 8), operator, device]
    found = headline(events)
    # The frames 0 to 3 are on lines 10 to 12 of one file and 20 of another.
    assert [(line.file, line.line, line.self_ns) for line in found.lines] == [
        (*place((1, 20)), 40),
        (*place((0, 12)), 30),
        (*place((0, 11)), 20),
    ]
    assert [line.share for line in found.lines] == [0.4, 0.3, 0.2]
    assert (found.quality.error, found.quality.warning, found.quality.info) == (0, 1, 2)
    assert (found.device_time_ns, found.steps) == (100, 1)
