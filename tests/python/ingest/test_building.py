"""Profiles made of columns, against the same rows sorted as plain tuples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import Series, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import EVENT_COLUMNS, Category, Table

TRACKS = [Track("device", name, "nc0", name) for name in ("a", "b")]
NAMES = ("MATMUL", "COPY", "日本")
PLACES = (("/src/a.py", 1, "f"), ("/src/a.py", 2, "f"), ("/src/b.py", 1, ""))
CHAINS = ((0,), (1,), (0, 1), (0, 2), (2,))
"""Calling contexts, as places from the outermost on."""

BIG = 2**62 + 1
"""An id that no float holds."""


@dataclass(frozen=True)
class Row:
    track: int
    name: int
    start_ns: int
    duration_ns: int
    external_id: int = -1
    wait_ns: int | None = None
    chains: tuple[int, ...] | None = None


rows = st.builds(
    Row,
    track=st.integers(0, 1),
    name=st.integers(0, 2),
    start_ns=st.integers(10**18, 10**18 + 20),
    duration_ns=st.integers(0, 20),
    external_id=st.sampled_from((-1, 7, BIG)),
    wait_ns=st.none() | st.integers(0, 9),
    chains=st.none() | st.lists(st.integers(0, len(CHAINS) - 1), max_size=3).map(tuple),
)


def node_of(builder: ProfileBuilder, chain: tuple[int, ...]) -> int:
    node = -1
    for place in chain:
        node = builder.stacks.code((node, builder.frame(*PLACES[place])))
    return node


def add(builder: ProfileBuilder, row: Row) -> None:
    nodes = None
    if row.chains is not None:
        nodes = [[node_of(builder, CHAINS[chain]) for chain in row.chains]]
    builder.add_rows(
        {
            "track": [builder.tracks.code(TRACKS[row.track])],
            "category": [Category.ENGINE_WORK],
            "name": [builder.strings.code(NAMES[row.name])],
            "start_ns": [row.start_ns],
            "duration_ns": [row.duration_ns],
            "external_id": [row.external_id],
        },
        work=None if row.wait_ns is None else {"wait_ns": [row.wait_ns]},
        origins=nodes,
    )


def places_of(profile: Profile, stack: int) -> tuple[tuple[str, int], ...]:
    """A calling context's file and lines, the outermost first."""
    if stack < 0:
        return ()
    frame = int(profile.stacks["frame"][stack])
    file = int(profile.frames["file"][frame])
    place = (profile.files[file].path, int(profile.frames["line"][frame]))
    return (*places_of(profile, int(profile.stacks["parent"][stack])), place)


@settings(deadline=None)
@given(st.lists(rows, min_size=1, max_size=12))
def test_rows_come_out_sorted_with_all_that_is_known_of_them(given_rows: list[Row]) -> None:
    builder = ProfileBuilder()
    for row in given_rows:
        add(builder, row)
    manifest = new_manifest("made", "test", ["in"])
    manifest.start_unix_ns = 5
    profile = builder.build(manifest, "it")

    zero_ns = min(row.start_ns for row in given_rows)
    tracks = list(dict.fromkeys(row.track for row in given_rows))
    ordered = sorted(
        given_rows, key=lambda row: (tracks.index(row.track), row.start_ns, -row.duration_ns)
    )
    events = profile.events
    found = [
        (
            profile.tracks[int(events["track"][event])],
            profile.strings[int(events["name"][event])],
            int(events["start_ns"][event]),
            int(events["duration_ns"][event]),
            int(events["external_id"][event]),
        )
        for event in range(len(events))
    ]
    assert found == [
        (
            TRACKS[row.track],
            NAMES[row.name],
            row.start_ns - zero_ns,
            row.duration_ns,
            row.external_id,
        )
        for row in ordered
    ]
    assert {name: events[name].dtype.type for name in events} == dict(EVENT_COLUMNS)
    assert manifest.start_unix_ns == 5 + zero_ns
    end_ns = max(row.start_ns + row.duration_ns for row in given_rows) - zero_ns
    assert (list(profile.steps["start_ns"]), list(profile.steps["end_ns"])) == ([0], [end_ns])

    waits = {event: row.wait_ns for event, row in enumerate(ordered) if row.wait_ns is not None}
    work = profile.work
    assert dict(zip(work["event"].tolist(), work["wait_ns"].tolist(), strict=True)) == waits
    assert list(work["event"]) == sorted(waits)
    assert set(work["flops"].tolist()) <= {-1}

    chains = [
        (event, tuple(PLACES[place][:2] for place in CHAINS[chain]))
        for event, row in enumerate(ordered)
        for chain in row.chains or ()
    ]
    origins = profile.origins
    assert [
        (event, places_of(profile, stack))
        for event, stack in zip(origins["event"].tolist(), origins["stack"].tolist(), strict=True)
    ] == chains
    assert (profile.stacks["parent"] < range(len(profile.stacks))).all()
    assert manifest.line_level == ("line" if chains else "none")


@pytest.mark.parametrize("parts", [1, 3])
def test_rows_may_come_in_parts_and_what_is_not_given_is_none(parts: int) -> None:
    builder = ProfileBuilder()
    track, name = builder.tracks.code(TRACKS[0]), builder.strings.code("COPY")
    for part in range(parts):
        builder.add_rows(
            {
                "track": [track] * 2,
                "category": [Category.OTHER] * 2,
                "name": [name] * 2,
                "start_ns": [10 * part, 10 * part + 5],
                "duration_ns": [5, 5],
            }
        )
    builder.add_rows(dict.fromkeys(("track", "category", "name", "start_ns", "duration_ns"), ()))
    profile = builder.build(new_manifest("made", "test", []), "it")
    assert list(profile.events["start_ns"]) == list(range(0, 10 * parts, 5))
    nothing: dict[str, Any] = {"forward_thread": {0}, "entry": {0}}
    for column in set(EVENT_COLUMNS) - {"track", "category", "name", "start_ns", "duration_ns"}:
        assert set(profile.events[column].tolist()) == nothing.get(column, {-1})
    for table in (profile.work, profile.origins, profile.samples, profile.stacks):
        assert isinstance(table, Table)
        assert not len(table)


def test_samples_are_in_order_by_the_clock_of_the_rows() -> None:
    builder = ProfileBuilder()
    add(builder, Row(0, 0, 1000, 10))
    memory, power = Series("HBM", "bytes", "nc0"), Series("power", "", "chip")
    builder.add_samples(memory, [1300, 1100], [3.0, 1.0])
    builder.add_samples(power, [900], [0.5])
    builder.add_samples(memory, [1200], [2.0])
    profile = builder.build(new_manifest("made", "test", []), "it")
    assert profile.manifest.series == [memory, power]
    samples = profile.samples
    assert list(samples["series"]) == [0, 0, 0, 1]
    assert list(samples["at_ns"]) == [100, 200, 300, -100]
    assert list(samples["value"]) == [1.0, 2.0, 3.0, 0.5]


def test_no_rows_are_no_profile() -> None:
    with pytest.raises(UnreadableInputError, match=r"trace\.bin holds no events") as caught:
        ProfileBuilder().build(new_manifest("made", "test", []), "trace.bin")
    assert caught.value.code == "no_events"
