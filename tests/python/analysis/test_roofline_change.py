"""Dots of two profiles: matched through their sources, and their differences worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight.analysis.compare import Side
from sidelight.analysis.lines import line_report
from sidelight.analysis.roofline.change import (
    ChartedSide,
    RooflineChange,
    RooflinePair,
    roofline_change,
)
from sidelight.analysis.roofline.chart import roofline_chart
from sidelight.profile.model import Profile
from support.fake_runs import fake_run

PROGRAM = """\
import torch
x = torch.randn(512, 512, device="neuron")
w = torch.randn(512, 512, device="neuron")
for _ in range(2):
    y = x @ w
    z = torch.relu(y)
    z = z + x
"""
FUSED = """\
import torch

# Larger, and without the addition.
x = torch.randn(1024, 512, device="neuron")
w = torch.randn(512, 512, device="neuron")
for _ in range(4):
    y = x @ w
    z = torch.relu(y)
"""


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Profile, Profile]:
    directory = tmp_path_factory.mktemp("change")
    made: list[Profile] = []
    for text in (PROGRAM, FUSED):
        (directory / "net.py").write_text(text)
        store = directory / f"store{len(made)}"
        made.append(fake_run(store, directory / "net.py", cwd=directory).profile)
    return made[0], made[1]


def side(profile: Profile) -> ChartedSide:
    report = line_report(profile, f"/store/{id(profile)}")
    lines = Side(report, profile.files, profile.manifest.environment)
    return ChartedSide(lines, roofline_chart(profile))


def change_of(base: Profile, new: Profile) -> RooflineChange:
    return roofline_change(side(base), side(new))


def lines_of(pair: RooflinePair) -> tuple[str, int | None, int | None]:
    base, new = pair.base, pair.new
    return pair.match, base.line if base else None, new.line if new else None


def test_lines_that_moved_are_followed(profiles: tuple[Profile, Profile]) -> None:
    found = {lines_of(pair) for pair in change_of(*profiles).lines}
    # The product and the activation moved down by two; the addition went.
    assert {("same", 5, 7), ("same", 6, 8), ("removed", 7, None)} <= found


def test_each_dot_is_in_one_pair(profiles: tuple[Profile, Profile]) -> None:
    change = change_of(*profiles)
    base, new = (roofline_chart(profile) for profile in profiles)
    assert base is not None
    assert new is not None
    for level in ("operators", "lines", "modules"):
        pairs: list[RooflinePair] = getattr(change, level)
        before = [pair.base for pair in pairs if pair.base]
        now = [pair.new for pair in pairs if pair.new]
        for found, dots in ((before, getattr(base, level).dots), (now, getattr(new, level).dots)):
            assert len(found) == len(dots) > 0
            assert all(dot in found for dot in dots)
        for pair in pairs:
            one_sided = {"added": pair.base is None, "removed": pair.new is None}
            assert one_sided.get(pair.match, pair.base is not None and pair.new is not None)
            assert (pair.device_ns is None) == (pair.match in one_sided)
    assert change.whole is not None
    assert (change.whole.base, change.whole.new) == (base.whole, new.whole)


def test_differences_are_of_means_a_step(profiles: tuple[Profile, Profile]) -> None:
    change = change_of(*profiles)
    assert change.change_kind == "predicted"
    steps = change.base.steps, change.new.steps
    (product,) = [pair for pair in change.lines if lines_of(pair) == ("same", 5, 7)]
    assert product.base is not None
    assert product.new is not None
    assert product.device_ns is not None
    before, now = product.base.device_ns / steps[0], product.new.device_ns / steps[1]
    assert product.device_ns.difference == pytest.approx(now - before)
    assert product.device_ns.ratio == pytest.approx(now / before)
    changes = [
        abs(pair.device_ns.difference)
        if pair.device_ns
        else (pair.base.device_ns / steps[0] if pair.base else 0)
        + (pair.new.device_ns / steps[1] if pair.new else 0)
        for pair in change.lines
    ]
    assert changes == sorted(changes, reverse=True)


def test_measured_times_are_not_taken_from_predicted_ones(
    profiles: tuple[Profile, Profile],
) -> None:
    base, new = profiles
    kind = base.manifest.time_kind
    try:
        base.manifest.time_kind = "measured"
        change = change_of(base, new)
    finally:
        base.manifest.time_kind = kind
    # Both sides are priced, so that what is predicted for them compares.
    assert change.change_kind == "predicted"
    assert "time_kinds_differ" in {note.code for note in change.quality}
    for pair in change.operators:
        if pair.base and pair.new:
            assert pair.device_ns is not None
            was = (pair.base.predicted_ns or 0) / change.base.steps
            now = (pair.new.predicted_ns or 0) / change.new.steps
            assert pair.device_ns.difference == pytest.approx(now - was)


def test_other_roofs_are_told(tmp_path: Path, profiles: tuple[Profile, Profile]) -> None:
    assert change_of(*profiles).remarks == []
    (tmp_path / "net.py").write_text(PROGRAM)
    options = ["--device", "trn1"]
    other = fake_run(tmp_path / "store", tmp_path / "net.py", options=options, cwd=tmp_path)
    change = change_of(other.profile, profiles[0])
    (remark,) = change.remarks
    assert change.base.core is not None
    assert change.base.core.startswith("trn1")
    assert change.base.core in remark
    assert change.new.core is not None
    assert change.new.core in remark


def test_a_baseline_of_which_no_work_is_known_has_no_dots(
    profiles: tuple[Profile, Profile],
) -> None:
    base, new = (side(profile) for profile in profiles)
    change = roofline_change(ChartedSide(base.side, None), new)
    (remark,) = change.remarks
    assert "sidelight open PROFILE --device" in remark
    assert change.base.core is None
    assert {pair.match for pair in change.lines} == {"added"}
    assert all(pair.device_ns is None for pair in change.operators)
    back = roofline_change(base, ChartedSide(new.side, None))
    assert {pair.match for pair in back.lines} == {"removed"}


def test_a_profile_moves_nothing_against_itself(profiles: tuple[Profile, Profile]) -> None:
    change = change_of(profiles[0], profiles[0])
    for pair in (*change.operators, *change.lines, *change.modules):
        assert pair.match == "same"
        assert pair.base == pair.new
        assert pair.device_ns is not None
        assert (pair.device_ns.difference, pair.device_ns.ratio) == (0, 1)
