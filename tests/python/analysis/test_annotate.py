"""Annotations: the report's own numbers, with scopes and shapes as a plain walk finds them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from profiles import FILES, Event, Steps, make_profile, recordings
from test_oracle import BOUNDED
from test_real_traces import TRACES

from sidelight.analysis.annotate import annotate
from sidelight.analysis.annotations import Annotations
from sidelight.analysis.attribution import attribute
from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.idle.gaps import idle_gaps
from sidelight.analysis.lines import line_report
from sidelight.ingest import read
from sidelight.profile.manifest import SourceFile
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

TEXTS = {
    FILES[0]: "\n" * 8 + "def outer():\n    a = (\n1)\n    def inner(): return 1\n\nlast = 1\n",
    FILES[1]: "\n" * 17 + "class Block:\n    @decorated\n    def forward(self):\n        x = 1\n",
}
"""Sources for the frames of the made profiles: lines 10 to 12, and 20 and 21."""

SCOPES = {
    FILES[0]: [("outer", 9, 12), ("outer.inner", 12, 12)],
    FILES[1]: [("Block", 18, 21), ("Block.forward", 19, 21)],
}
"""First and last lines, decorators included."""


def with_sources(profile: Profile) -> Profile:
    profile.files = [SourceFile(file.path, TEXTS[file.path]) for file in profile.files]
    return profile


@BOUNDED
@given(recordings())
def test_scopes_and_lines_are_as_a_plain_walk_says(recording: tuple[list[Event], Steps]) -> None:
    profile = with_sources(attribute(make_profile(*recording)))
    annotations = annotate(profile)
    check_against_report(annotations, profile)
    found = {
        (file.file, scope.name): scope.total_ns
        for file in annotations.files
        for scope in file.scopes
    }
    assert found == scope_times(profile)


@pytest.mark.skipif(not TRACES, reason="the folder of public traces is not here")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_real_traces_keep_their_numbers(path: Path) -> None:
    profile = attribute(read(path))
    check_against_report(annotate(profile), profile)


def check_against_report(annotations: Annotations, profile: Profile) -> None:
    report = line_report(profile, "")
    lines = [line for file in annotations.files for line in file.lines]
    own_order = sorted(report.lines, key=lambda line: (line.file, line.line))
    assert sorted((line.stats for line in lines), key=lambda s: (s.file, s.line)) == own_order
    for file in annotations.files:
        numbers = [line.stats.line for line in file.lines]
        assert numbers == sorted(numbers)
    for line in lines:
        shares = [(detail.name, detail.self_ns, detail.count) for detail in line.ops]
        assert shares == [(op.name, op.self_ns, op.count) for op in line.stats.ops[:8]]
    assert annotations.device_time_ns == report.device_time_ns
    assert annotations.unattributed_ns == report.unattributed_ns
    gaps = idle_gaps(profile.events, profile.steps)
    on_lines = profile.events["stack"][gaps.row] >= 0
    # Lines are annotated where they have time: gaps before rows of no duration may be on others.
    assert sum(line.idle_before_ns for line in lines) <= gaps.duration_ns[on_lines].sum()


def scope_times(profile: Profile) -> Counter[tuple[str, str]]:
    """Device time by file and scope, from one event to the next."""
    events = profile.events
    counted = counted_rows(events)
    times: Counter[tuple[str, str]] = Counter()
    for event in range(len(events)):
        if not counted[event] or events["step"][event] < 0:
            continue
        inside: set[tuple[str, str]] = set()
        stack = int(events["stack"][event])
        while stack >= 0:
            frame = int(profile.stacks["frame"][stack])
            path = profile.files[int(profile.frames["file"][frame])].path
            line = int(profile.frames["line"][frame])
            inside |= {(path, name) for name, first, last in SCOPES[path] if first <= line <= last}
            stack = int(profile.stacks["parent"][stack])
        for scope in inside:
            times[scope] += int(events["device_ns"][event])
    return +times


def kernel_lines(signatures: list[tuple[int, object]]) -> Profile:
    """One line whose operator ran once for each duration and signature."""
    line = Event(Category.LINE, 0, 1000, "line", frame=0, entry=1)
    operators = [
        Event(Category.OPERATOR, 100 * number + 1, duration_ns)
        for number, (duration_ns, _) in enumerate(signatures)
    ]
    profile = make_profile([line, *operators], [(0, 1000)])
    profile.strings = [*profile.strings, *(json.dumps(signature) for _, signature in signatures)]
    first = len(profile.strings) - len(signatures)
    numbers = np.array([-1, *range(first, len(profile.strings))], np.int32)
    profile.events = profile.events.with_columns({"signature": numbers})
    return attribute(profile)


def test_shapes_are_those_of_the_signature_that_cost_most() -> None:
    small = {"Input Dims": [[2]], "Input type": ["float"]}
    large = {"Input Dims": [[64, 64]], "Input type": ["float"]}
    profile = kernel_lines([(40, large), (30, small)])
    [line] = annotate(profile).files[0].lines
    assert [(op.self_ns, op.count, op.shapes) for op in line.ops] == [(70, 2, ["float32 [64, 64]"])]


def test_calls_of_one_signature_are_summed() -> None:
    small = {"Input Dims": [[2]], "Input type": ["float"]}
    large = {"Input Dims": [[64, 64]], "Input type": ["float"]}
    profile = kernel_lines([(40, large), (30, small), (30, small)])
    # The same JSON is one string in a real profile.
    profile.events["signature"][3] = profile.events["signature"][2]
    [line] = annotate(profile).files[0].lines
    assert line.ops[0].shapes == ["float32 [2]"]


def test_the_last_line_of_a_statement_and_the_idle_time_before_it() -> None:
    def lines(start_ns: int, frame: int) -> list[Event]:
        return [
            Event(Category.LINE, start_ns, 100, "line", frame=frame, entry=1),
            Event(Category.OPERATOR, start_ns + 10, 80),
        ]

    profile = with_sources(attribute(make_profile([*lines(0, 0), *lines(200, 2)], [(0, 400)])))
    [file] = annotate(profile).files
    assert file.text == TEXTS[FILES[0]]
    found = [(line.stats.line, line.end_line, line.idle_before_ns) for line in file.lines]
    assert found == [(10, 11, 0), (12, 12, 120)]


@settings(BOUNDED, max_examples=20)
@given(recordings())
def test_a_file_without_text_has_lines_and_no_scopes(
    recording: tuple[list[Event], Steps],
) -> None:
    profile = attribute(make_profile(*recording))
    for file in annotate(profile).files:
        assert file.text is None
        assert file.scopes == []
        assert all(line.end_line == line.stats.line for line in file.lines)


def test_the_headline_is_the_command_lines() -> None:
    profile = kernel_lines([(40, {})])
    assert annotate(profile).headline == "made: 40 ns of device time a step, measured on its device"
    changes = {"name": "run", "rank": 3, "world_size": 8, "device": "cpu"}
    profile.manifest = msgspec.structs.replace(profile.manifest, **changes)
    assert annotate(profile).headline == (
        "run#3 (rank 3 of 8): 40 ns of device time a step, measured on the CPU"
    )
