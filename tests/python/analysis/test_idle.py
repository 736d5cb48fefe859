"""Idle gaps against a walk from one nanosecond to the next, on random profiles."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from profiles import Event, Steps, make_profile, recordings
from test_oracle import BOUNDED

from sidelight.analysis.attribution import attribute
from sidelight.analysis.device_time import busy_time_ns, counted_rows
from sidelight.analysis.idle.gaps import idle_gaps
from sidelight.analysis.lines import line_report
from sidelight.analysis.nesting import enclosing_rows
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category


@BOUNDED
@given(recordings())
def test_gaps_are_as_a_walk_over_every_instant_says(recording: tuple[list[Event], Steps]) -> None:
    profile = attribute(make_profile(*recording))
    gaps = idle_gaps(profile.events, profile.steps)
    found: Counter[int] = Counter()
    for row, duration_ns in zip(gaps.row.tolist(), gaps.duration_ns.tolist(), strict=True):
        found[row] += duration_ns
    assert +found == walk(profile)


@BOUNDED
@given(recordings())
def test_gaps_and_busy_time_are_the_span_where_steps_leave_no_break(
    recording: tuple[list[Event], Steps],
) -> None:
    events, steps = recording
    without_breaks = list(pairwise(sorted({boundary for step in steps for boundary in step})))
    profile = attribute(make_profile(events, without_breaks))
    report = line_report(profile, "")
    gaps = idle_gaps(profile.events, profile.steps)
    assert gaps.duration_ns.sum() == report.span_ns - busy_time_ns(profile.events)


def walk(profile: Profile) -> Counter[int]:
    """Idle nanoseconds by the row that ends them."""
    events = profile.events
    starts: list[int] = events["start_ns"].tolist()
    ends: list[int] = (events["start_ns"] + events["duration_ns"]).tolist()
    parents: list[int] = events["parent"].tolist()
    nests: list[bool] = enclosing_rows(events).tolist()
    counted = [
        row
        for row, is_counted in enumerate(counted_rows(events).tolist())
        if is_counted and events["step"][row] >= 0
    ]
    children = {
        row: [child for child in range(len(events)) if parents[child] == row and nests[child]]
        for row in counted
    }
    steps = list(zip(profile.steps["start_ns"], profile.steps["end_ns"], strict=True))
    breaks = [(end, start) for (_, end), (start, _) in pairwise(steps)]

    def runs(row: int, instant: int) -> bool:
        inside = starts[row] <= instant < ends[row]
        return inside and not any(starts[c] <= instant < ends[c] for c in children[row])

    # Rows that start before those that resume, each in the events' order.
    beginnings = [(starts[row], 0, row) for row in counted]
    beginnings += [(ends[child], 1, row) for row in counted for child in children[row]]
    first_ns = min((starts[row] for row in counted), default=0)
    last_ns = max((ends[row] for row in counted), default=0)
    idle: Counter[int] = Counter()
    for instant in range(first_ns, last_ns):
        if any(runs(row, instant) for row in counted):
            continue
        if any(begin <= instant < end for begin, end in breaks):
            continue
        idle[min(beginning for beginning in beginnings if beginning[0] > instant)[2]] += 1
    return idle


def kernels(*starts_ns_and_tracks: tuple[int, int], steps: Steps) -> Profile:
    """Kernels of 10 ns, the first launched in the first step and the others in the last."""
    events: list[Event] = []
    for number, (start_ns, track) in enumerate(starts_ns_and_tracks, 1):
        launch_ns = steps[0 if number == 1 else -1][0] + number
        events.append(Event(Category.RUNTIME, launch_ns, 1, "launch", correlation_id=number))
        events.append(Event(Category.DEVICE, start_ns, 10, "k", track, correlation_id=number))
    return attribute(make_profile(events, steps))


def gaps_by_end(profile: Profile) -> dict[int, int]:
    gaps = idle_gaps(profile.events, profile.steps)
    ended_at: list[int] = profile.events["start_ns"][gaps.row].tolist()
    return dict(zip(ended_at, gaps.duration_ns.tolist(), strict=True))


def test_a_stream_that_waits_between_two_kernels_while_another_works() -> None:
    profile = kernels((10, 3), (50, 3), (25, 4), steps=[(0, 100)])
    assert gaps_by_end(profile) == {25: 5, 50: 15}


def test_what_lies_between_two_steps_is_not_idle() -> None:
    profile = kernels((10, 3), (150, 3), steps=[(0, 60), (140, 200)])
    assert gaps_by_end(profile) == {150: 130 - 80}
