"""Thousands of rows with a value a pixel: the page gets less of each, and still the right thing."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from profiles import Event, make_profile

from sidelight.analysis.attribution import attribute
from sidelight.analysis.timelines.counters import Counters
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.analysis.timelines.stretches import MOST_PIXELS, MOST_VALUES
from sidelight.profile.manifest import Series
from sidelight.profile.tables import SAMPLE_COLUMNS, Category, Table

END_NS = 1_000_000


@pytest.mark.parametrize("rows", [1, 3_000])
def test_groups_have_as_many_pixels_as_there_is_room_for(rows: int) -> None:
    profile = attribute(make_profile([Event(Category.OPERATOR, 0, END_NS // 2)], []))
    group = [0]
    found = TimelineIndex(profile).utilisation(0, END_NS, 10**9, [group] * rows)
    assert 1 <= found.width <= MOST_PIXELS
    assert len(found.groups) == rows
    levels = base64.b64decode(found.groups[-1].levels)
    assert len(levels) == found.width
    assert found.groups[-1].busy_ns == END_NS // 2
    assert found.width * rows <= MOST_VALUES


def test_quantities_have_as_many_pixels_as_there_is_room_for() -> None:
    count = 3_000
    profile = make_profile([Event(Category.OPERATOR, 0, END_NS)], [])
    profile.manifest.series = [Series(f"quantity {n}", "", "a machine") for n in range(count)]
    profile.samples = Table.of(
        SAMPLE_COLUMNS,
        {"series": range(count), "at_ns": [0] * count, "value": range(count)},
    )
    found = Counters(profile).windows(0, END_NS, MOST_PIXELS)
    assert found.width * count <= MOST_VALUES < (found.width + 1) * count
    last = np.frombuffer(base64.b64decode(found.counters[-1].mean), "<f4")
    assert last.tolist() == [count - 1] * found.width
