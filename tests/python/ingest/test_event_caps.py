"""Recordings that end just where a recorder's bound is."""

from __future__ import annotations

import numpy as np
import pytest

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.event_caps import cap_notes
from sidelight.profile.manifest import Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Table


def found(*rows_on_tracks: int) -> list[tuple[str, int]]:
    track = np.repeat(np.arange(len(rows_on_tracks), dtype=np.int32), rows_on_tracks)
    return [(note.code, note.count) for note in cap_notes(Table({"track": track}))]


@pytest.mark.parametrize("cap", [1_000_000, 100_000, 65_536, 1 << 20])
def test_exactly_as_many_rows_as_a_bound_are_told(cap: int) -> None:
    assert found(cap) == [("event_cap", cap)]
    assert found(cap - 7, 7) == [("event_cap", cap)]
    assert found(3, cap) == [("event_cap", cap)]
    assert found(cap - 1) == found(cap + 1) == found(cap - 9, 8) == []


def test_few_rows_of_a_round_number_are_nothing_odd() -> None:
    assert found(1000) == found(1024) == found(10_000) == []


def test_tables_are_looked_at_too() -> None:
    assert "event_cap" in [note.code for note in profile_of(1 << 16).manifest.quality]
    assert "event_cap" not in [note.code for note in profile_of((1 << 16) + 1).manifest.quality]


def profile_of(length: int) -> Profile:
    builder = ProfileBuilder()
    builder.add_rows(
        {
            "track": np.full(length, builder.tracks.code(Track("host", "t", "0", "0"))),
            "category": np.full(length, Category.OTHER),
            "name": np.full(length, builder.strings.code("x")),
            "start_ns": np.arange(length),
            "duration_ns": np.ones(length, np.int64),
        }
    )
    return builder.build(new_manifest("made", "test", []), "it")
