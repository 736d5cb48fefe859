"""Profiles made by hand or at random, from rows that read like a timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hypothesis import strategies as st
from oracle import NODE

from sidelight.profile.manifest import Manifest, SourceFile, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import (
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    STEP_COLUMNS,
    Category,
    Table,
)

HOST_TRACKS = 3
DEVICE_TRACKS = 2
TRACKS = [
    *(Track("host", f"thread {n}", "100", str(200 + n)) for n in range(HOST_TRACKS)),
    *(Track("device", f"stream {n}", "0", str(7 + n)) for n in range(DEVICE_TRACKS)),
]
FILES = ("/work/train.py", "/work/model.py")
FRAMES = ((0, 10), (0, 11), (0, 12), (1, 20), (1, 21), (1, 21))
"""File and line of each frame. Two share a line, as a function and a lambda on it do."""

NO_USER_CODE = ("<built-in method f>", "f.py(99999999999): f", f"f.py({'9' * 5000}): f")
"""Names of function calls that say no line of a file."""

HOST_CATEGORIES = (Category.OPERATOR, Category.LINE, Category.ANNOTATION, Category.FUNCTION)


@dataclass(frozen=True)
class Event:
    """One event of a profile to be made; -1 and 0 mean none as in the tables."""

    category: Category
    start_ns: int
    duration_ns: int
    name: str = "aten::mul"
    track: int = 0
    sequence_nr: int = -1
    forward_thread: int = 0
    external_id: int = -1
    correlation_id: int = -1
    frame: int = -1
    entry: int = 0

    @property
    def end_ns(self) -> int:
        return self.start_ns + self.duration_ns


Steps = Sequence[tuple[int, int]]


def make_profile(events: Sequence[Event], steps: Steps) -> Profile:
    """A profile as a reader returns it."""
    ordered = sorted(events, key=lambda event: (event.track, event.start_ns, -event.duration_ns))
    names = sorted({event.name for event in ordered})
    has_lines = any(event.category == Category.LINE for event in ordered)
    values = {
        column: [getattr(event, column) for event in ordered]
        for column in EVENT_COLUMNS
        if column not in ("name", "signature")
    }
    values["name"] = [names.index(event.name) for event in ordered]
    return Profile(
        manifest=Manifest(
            name="made",
            created="2026-01-01T00:00:00Z",
            format="test",
            line_level="line" if has_lines else "function",
        ),
        strings=names or ["none"],
        tracks=list(TRACKS),
        files=[SourceFile(path) for path in FILES],
        events=Table.of(EVENT_COLUMNS, values),
        frames=Table.of(
            FRAME_COLUMNS,
            {"file": [f for f, _ in FRAMES], "line": [n for _, n in FRAMES], "function": [0] * 6},
        ),
        steps=Table.of(
            STEP_COLUMNS, {"start_ns": [s for s, _ in steps], "end_ns": [e for _, e in steps]}
        ),
    )


@dataclass(frozen=True)
class Placed:
    """An event whose time is drawn in relation to an earlier one, so that rows nest and touch.

    Attributes:
        event: The event, but for its time.
        inside: Which earlier event of a host thread it is placed in; 0 for none.
        offset: Where in that event it starts, or when it starts.
        length: How long it lasts, as far as there is room.
        overhang: How far it may reach beyond that event.
    """

    event: Event
    inside: int
    offset: int
    length: int
    overhang: int


def place(drawn: Sequence[Placed]) -> list[Event]:
    """The events with their times."""
    events: list[Event] = []
    for row in drawn:
        made = row.event
        hosts = [event for event in events if event.category in HOST_CATEGORIES]
        track, start_ns, duration_ns = made.track, row.offset, row.length
        if row.inside and hosts and track < HOST_TRACKS:
            around = hosts[row.inside % len(hosts)]
            track = around.track
            start_ns = around.start_ns + row.offset % (around.duration_ns + 1)
            duration_ns = row.length % (around.end_ns + row.overhang - start_ns + 1)
        made = replace(made, track=track, start_ns=start_ns, duration_ns=duration_ns)
        # On a host thread ids are the row's own, if it has any; on a device they point to those.
        own_id = len(events) + 1 if len(events) % 4 else -1
        if track < HOST_TRACKS and made.category in (Category.RUNTIME, Category.DEVICE_RUNTIME):
            made = replace(made, correlation_id=own_id)
        elif track < HOST_TRACKS:
            made = replace(made, external_id=own_id)
        events.append(made)
    return events


def _host_events(user_code: Category, runtime: Category) -> st.SearchStrategy[Event]:
    host_track = st.integers(0, HOST_TRACKS - 1)
    operator = st.builds(
        Event,
        category=st.just(Category.OPERATOR),
        start_ns=st.just(0),
        duration_ns=st.just(0),
        name=st.sampled_from(("aten::mul", "aten::add", "MyFunction")),
        track=host_track,
        sequence_nr=st.integers(-1, 3),
    )
    node = st.builds(
        Event,
        category=st.just(Category.OPERATOR),
        start_ns=st.just(0),
        duration_ns=st.just(0),
        name=st.sampled_from((NODE + "MulBackward0", NODE + "AccumulateGrad", "MulBackward0")),
        track=host_track,
        sequence_nr=st.integers(-1, 3),
        forward_thread=st.integers(-1, HOST_TRACKS),
    )
    code = st.builds(
        Event,
        category=st.just(user_code),
        start_ns=st.just(0),
        duration_ns=st.just(0),
        name=st.just("user code"),
        track=host_track,
        frame=st.integers(0, len(FRAMES) - 1),
        entry=st.integers(0, 1),
    )
    other = st.builds(
        Event,
        category=st.sampled_from((Category.ANNOTATION, runtime, Category.OTHER)),
        start_ns=st.just(0),
        duration_ns=st.just(0),
        name=st.just("other"),
        track=host_track,
    )
    # With lines about, function calls are no user code; without a frame they never are.
    function = st.builds(
        Event,
        category=st.just(Category.FUNCTION),
        start_ns=st.just(0),
        duration_ns=st.just(0),
        name=st.sampled_from(NO_USER_CODE),
        track=host_track,
        frame=st.integers(-1, len(FRAMES) - 1) if user_code == Category.LINE else st.just(-1),
        entry=st.just(1),
    )
    return st.one_of(operator, operator, node, node, code, code, code, other, function)


def _device_events(categories: Sequence[Category], launchers: int) -> st.SearchStrategy[Event]:
    return st.builds(
        Event,
        category=st.sampled_from(categories),
        start_ns=st.just(0),
        duration_ns=st.just(0),
        name=st.sampled_from(("kernel_a", "kernel_b")),
        track=st.integers(HOST_TRACKS, HOST_TRACKS + DEVICE_TRACKS - 1),
        external_id=st.integers(-1, launchers + 1),
        correlation_id=st.integers(-1, launchers + 1),
    )


def _placed(events: st.SearchStrategy[Event], *, longest_ns: int) -> st.SearchStrategy[Placed]:
    return st.builds(
        Placed,
        event=events,
        inside=st.integers(0, 40),
        offset=st.integers(0, 60),
        length=st.integers(0, longest_ns),
        overhang=st.sampled_from((0, 0, 0, 4)),
    )


@st.composite
def _training(draw: st.DrawFn, user_code: Category) -> list[Placed]:
    """Forward operators in lines of two threads, and their backward on a third or on one of them.

    Purely random rows seldom make a pass whose forward is known and whose lines wait for it.
    """
    numbers, threads = st.integers(0, 1), st.integers(0, 1)

    def placed(
        category: Category, name: str, track: int, start_ns: int, length: int, **more: int
    ) -> Placed:
        return Placed(Event(category, 0, 0, name, track, **more), 0, start_ns, length, 0)

    rows: list[Placed] = []
    for track in draw(st.permutations((0, 1))):
        start_ns, frame = draw(st.integers(0, 5)), draw(st.integers(0, len(FRAMES) - 1))
        length = draw(st.sampled_from((30, 60)))
        rows.append(placed(user_code, "user code", track, start_ns, length, frame=frame, entry=1))
    for start_ns in draw(st.lists(st.integers(6, 20), max_size=3)):
        number = draw(numbers)
        rows.append(
            placed(Category.OPERATOR, "aten::mm", draw(threads), start_ns, 3, sequence_nr=number)
        )
    for _ in range(draw(st.integers(1, 3))):
        track, start_ns = draw(st.sampled_from((0, 1, 2, 2, 2))), draw(st.integers(20, 50))
        of = {"sequence_nr": draw(st.integers(-1, 1)), "forward_thread": draw(threads) + 1}
        rows.append(placed(Category.OPERATOR, NODE + "MmBackward0", track, start_ns, 14, **of))
        # Inside, the node's own row (once under a number of its own), and what it computes, which
        # is a forward of later nodes where gradients are differentiated again.
        of["sequence_nr"] = draw(st.integers(-1, 1))
        rows.append(placed(Category.OPERATOR, "MmBackward0", track, start_ns + 1, 12, **of))
        number = draw(numbers)
        rows.append(
            placed(Category.OPERATOR, "aten::mm", track, start_ns + 2, 3, sequence_nr=number)
        )
    return rows


@st.composite
def recordings(draw: st.DrawFn) -> tuple[list[Event], Steps]:
    """Events and recorded steps of a random run: with lines or function calls, with or without
    device rows, properly nested for the most part."""
    user_code = draw(st.sampled_from((Category.LINE, Category.LINE, Category.FUNCTION)))
    runtime = draw(st.sampled_from((Category.RUNTIME, Category.RUNTIME, Category.DEVICE_RUNTIME)))
    anything = _placed(_host_events(user_code, runtime), longest_ns=60)
    host = draw(_training(user_code)) if draw(st.booleans()) else []
    host = [*host, *draw(st.lists(anything, max_size=20))]
    levels: Sequence[Sequence[Category]] = (
        (),
        (Category.DEVICE,),
        (Category.DEVICE_COARSE,),
        (Category.DEVICE, Category.DEVICE, Category.DEVICE_COARSE, Category.ANNOTATION),
    )
    level = draw(st.sampled_from(levels))
    device: list[Placed] = []
    if level:
        rows = _placed(_device_events(level, len(host)), longest_ns=12)
        device = draw(st.lists(rows, max_size=10))
    boundaries = sorted(draw(st.sets(st.integers(0, 90), min_size=2, max_size=5)))
    recorded = [step for step in pairwise(boundaries) if draw(st.sampled_from((True, True, False)))]
    everything = [(0, 200)]
    return place([*host, *device]), draw(st.sampled_from((recorded, everything)))
