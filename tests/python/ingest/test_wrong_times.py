"""Times that cannot be: one policy for each kind, whichever way the rows come."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import Series, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from traces.chrome import BASE_NS, PID, Event, operator, row, write

DAY_US = 86_400_000_000
HOUR_NS = 3_600_000_000_000
DAY_NS = 24 * HOUR_NS
TIME_CODES = {
    *("bad_duration", "stray_times", "mixed_units", "clock_jumps"),
    *("unmatched_begin_end", "events_out_of_order"),
}


def notes(profile: Profile) -> dict[str, int]:
    return {n.code: n.count for n in profile.manifest.quality if n.code in TIME_CODES}


def rows(profile: Profile) -> dict[str, tuple[int, int]]:
    """Start since 1970 and duration by name."""
    zero_ns, events = profile.manifest.start_unix_ns, profile.events
    times = zip(events["name"], events["start_ns"], events["duration_ns"], strict=True)
    return {profile.strings[name]: (zero_ns + int(at), int(took)) for name, at, took in times}


def trace(path: Path, *more: Event, base_ns: int | None = BASE_NS) -> Profile:
    """A trace of ten operators and ten kernels from 5 s on, 1 ms apart, and more rows."""
    events: list[Event] = []
    for index in range(10):
        at = 5_000_000 + 1000 * index
        events += [
            operator(f"op{index}", at, 500),
            row("kernel", f"k{index}", at + 100, 300, pid=0, tid=7),
        ]
    return ingest.read(write(path / "t.json", [*events, *more], base_ns=base_ns))


ABSURD: dict[str, float] = {
    "negative": -1,
    "ten thousand years": 3e17,
    "236 years": 7.4e15,
    "half a year": 1.6e13,
    "a counter of 32 bits that ran over": 2**32,
    "one of 64 bits": 2**64,
}


@pytest.mark.parametrize("what", ABSURD)
def test_an_absurd_duration_is_no_device_time(tmp_path: Path, what: str) -> None:
    bad = row("kernel", "bad", 5_000_500, ABSURD[what], pid=0, tid=7)
    profile = trace(tmp_path, bad)
    assert notes(profile) == {"bad_duration": 1}
    report = line_report(attribute(profile), "p")
    assert report.device_time_ns == 10 * 300_000
    assert report.span_ns <= 9_500_000
    assert profile.steps["end_ns"].tolist() == [9_500_000]


def test_long_rows_that_can_be_stay(tmp_path: Path) -> None:
    idle = operator("serve", 5_000_001, 23 * 3_600_000_000)  # stopped after a night
    hang = row("kernel", "hang", 5_000_002, 50 * 60_000_000, pid=0, tid=8)
    profile = trace(tmp_path, idle, hang)
    assert not notes(profile)
    assert {"serve", "hang"} <= rows(profile).keys()


@pytest.mark.parametrize("base_ns", [None, BASE_NS])
def test_zero_among_real_times_is_left_out(tmp_path: Path, base_ns: int | None) -> None:
    at = 1_790_857_026_000_000
    real = [operator(f"op{index}", at + 1000 * index, 500) for index in range(3)]
    zeros = [operator("zero", 0, 5), row("kernel", "zero", 0, 5, pid=0, tid=7)]
    profile = ingest.read(write(tmp_path / "t.json", [*zeros, *real], base_ns=base_ns))
    assert notes(profile) == {"stray_times": 2}
    assert rows(profile) == {
        f"op{index}": ((base_ns or 0) + 1000 * (at + 1000 * index), 500_000) for index in range(3)
    }


def test_what_a_clock_that_jumps_parts_is_shown_one_after_the_other(tmp_path: Path) -> None:
    later = 5_000_000 + 400 * DAY_US
    across = operator("across", 5_000_000, 400 * DAY_US + 2000, tid=3)
    after = [operator("a", later, 700), row("kernel", "b", later + 100, 900, pid=0, tid=7)]
    profile = trace(tmp_path, across, *after)
    assert notes(profile) == {"clock_jumps": 1}
    found = rows(profile)
    end_ns = BASE_NS + 5_000_000_000 + 9_500_000  # of op9, the last before the jump
    assert found["op0"] == (BASE_NS + 5_000_000_000, 500_000)
    assert found["a"] == (end_ns, 700_000)
    assert found["b"] == (end_ns + 100_000, 900_000)
    assert found["across"] == (BASE_NS + 5_000_000_000, 9_500_000 + 2_000_000)
    assert line_report(attribute(profile), "p").device_time_ns == 10 * 300_000 + 900_000


def test_a_stretch_before_the_one_with_most_rows_is_moved_up_to_it(tmp_path: Path) -> None:
    before = [row("kernel", "x", 0, 100, pid=0, tid=7), row("kernel", "y", 200, 50, pid=0, tid=7)]
    at = 50 * DAY_US
    main = [operator(f"op{index}", at + 10 * index, 5) for index in range(3)]
    profile = ingest.read(write(tmp_path / "t.json", [*before, *main]))
    assert notes(profile) == {"clock_jumps": 1}
    found = rows(profile)
    assert found["op0"] == (BASE_NS + at * 1000, 5_000)
    assert found["x"] == (BASE_NS + at * 1000 - 250_000, 100_000)
    assert found["y"] == (BASE_NS + at * 1000 - 50_000, 50_000)


def test_nanoseconds_among_microseconds_are_left_out(tmp_path: Path) -> None:
    at = 5 * DAY_US  # a machine that has been up for five days
    good = [operator(f"op{index}", at + 10 * index, 5) for index in range(5)]
    bad = [
        row("kernel", f"k{index}", 1000 * (at + 10 * index), 5000, pid=0, tid=7)
        for index in range(3)
    ]
    profile = ingest.read(write(tmp_path / "t.json", [*good, *bad], base_ns=None))
    assert notes(profile) == {"mixed_units": 3}
    assert rows(profile).keys() == {f"op{index}" for index in range(5)}


def test_nothing_but_nanoseconds_is_told(tmp_path: Path) -> None:
    events = [operator("op", 1_790_857_026_000_000_000 + index, 5) for index in range(3)]
    with pytest.raises(UnreadableInputError, match="nanoseconds") as caught:
        ingest.read(write(tmp_path / "t.json", events, base_ns=None))
    assert caught.value.code == "broken_json"


def half(phase: str, name: str, ts: float) -> Event:
    return {"ph": phase, "cat": "cpu_op", "name": name, "pid": PID, "tid": 1, "ts": ts}


def test_beginnings_and_ends(tmp_path: Path) -> None:
    events = [
        half("E", "early", 1),
        half("B", "outer", 2),
        half("E", "outer", 9),  # written before what it encloses
        half("B", "inner", 3),
        half("E", "inner", 5),
        half("B", "open", 11),
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert notes(profile) == {"unmatched_begin_end": 2, "events_out_of_order": 1}
    assert {name: took for name, (_, took) in rows(profile).items()} == {
        "outer": 7000,
        "inner": 2000,
    }


def built(times: list[tuple[int, int]], *, kind: str = "host") -> Profile:
    """A profile of rows named by their number, by the way that readers of tables go."""
    builder = ProfileBuilder()
    track = builder.tracks.code(Track("device" if kind == "device" else "host", "t", "0", "0"))
    category = Category.DEVICE if kind == "device" else Category.OPERATOR
    length = len(times)
    stack = builder.stacks.code((-1, builder.frame("/src/a.py", 1, "f")))
    builder.add_rows(
        {
            "track": [track] * length,
            "category": [category] * length,
            "name": [builder.strings.code(str(index)) for index in range(length)],
            "start_ns": [start for start, _ in times],
            "duration_ns": [duration for _, duration in times],
        },
        work={"flops": range(length)},
        origins=[[stack]] * length,
    )
    builder.add_samples(Series("x", "", "0"), [start for start, _ in times[:1]], [1.0])
    return builder.build(new_manifest("made", "test", []), "it")


def test_tables_go_by_the_same_policies() -> None:
    now = BASE_NS
    times = [
        *[(now + 10 * index, 5) for index in range(5)],
        (now, -1),
        (now, 20 * 366 * DAY_NS),
        (now, HOUR_NS + 100),
        (0, 5),
        (now + 30 * DAY_NS, 5),
        (now + 30 * DAY_NS + 10, 5),
    ]
    profile = built(times, kind="device")
    assert notes(profile) == {"bad_duration": 3, "stray_times": 1, "clock_jumps": 1}
    expected = {str(index): (now + 10 * index, 5) for index in range(5)}
    expected |= {"9": (now + 45, 5), "10": (now + 55, 5)}
    assert rows(profile) == expected
    work, origins = profile.work, profile.origins
    named = [profile.strings[profile.events["name"][event]] for event in work["event"]]
    assert named == [str(flops) for flops in work["flops"]]
    assert origins["event"].tolist() == list(range(7))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.one_of(
                st.integers(0, 100),
                st.integers(BASE_NS, BASE_NS + 10**9),
                st.integers(-(1 << 63), (1 << 63) - 1),
            ),
            st.one_of(st.integers(0, 1000), st.integers(-(1 << 63), (1 << 63) - 1)),
        ),
        min_size=1,
        max_size=20,
    ),
    st.sampled_from(("host", "device")),
)
def test_whatever_the_times_every_row_is_there_or_counted(
    times: list[tuple[int, int]], kind: str
) -> None:
    try:
        profile = built(times, kind=kind)
    except UnreadableInputError:
        return
    events, counted = profile.events, notes(profile)
    left_out = sum(counted.get(code, 0) for code in ("bad_duration", "stray_times", "mixed_units"))
    assert len(events) + left_out == len(times)
    assert int(events["start_ns"].min()) == 0
    assert (events["duration_ns"] >= 0).all()
    end_ns = int((events["start_ns"] + events["duration_ns"]).max())
    # As many days as rows, and one for what goes on after the last.
    assert end_ns <= (len(times) + 1) * 2 * DAY_NS
    assert all(took <= times[int(name)][1] for name, (_, took) in rows(profile).items())
    report = line_report(attribute(profile), "p")
    assert report.unattributed_ns + sum(line.self_ns for line in report.lines) == (
        report.device_time_ns
    )
