"""Attribution and the per-line report against the oracle, on random profiles."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from capture_files import recordable, write_recording
from hypothesis import HealthCheck, Phase, assume, given, settings, strategies as st
from oracle import Launch, Line, LineNumbers, Numbers, Oracle
from profiles import Event, Steps, make_profile, recordings

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.report import LineReport
from sidelight.ingest import read
from sidelight.profile.model import Profile

# Shrinking is worth its time; explaining, which traces every line of the oracle, is not.
BOUNDED = settings(
    max_examples=200,
    deadline=None,
    report_multiple_bugs=False,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow],
)


@BOUNDED
@given(recordings(), st.sampled_from(["optimizer", "module"]), st.none() | st.integers(0, 40))
def test_every_row_and_every_line_is_as_the_oracle_says(
    recording: tuple[list[Event], Steps],
    steps_from: Literal["optimizer", "module"],
    step_before_ns: int | None,
) -> None:
    profile = make_profile(*recording)
    profile.manifest.steps_from = steps_from
    profile.manifest.step_before_ns = step_before_ns
    oracle = Oracle(profile)
    attribute(profile)
    check_rows(profile, oracle)
    report = line_report(profile, "directory")
    check_conservation(report)
    check_report(report, oracle.numbers())


@settings(BOUNDED, max_examples=100)
@given(recordings())
def test_a_recording_read_from_its_files_is_as_the_oracle_says(
    recording: tuple[list[Event], Steps],
) -> None:
    events, steps = recordable(recording[0]), recording[1]
    assume(events)
    numbers = Oracle(make_profile(events, steps)).numbers()
    with TemporaryDirectory() as directory:
        write_recording(Path(directory), events, steps)
        profile = attribute(read(Path(directory)))
    report = line_report(profile, "directory")
    check_conservation(report)
    check_report(report, numbers)


def check_rows(profile: Profile, oracle: Oracle) -> None:
    """Every attribution column of every row."""
    events = profile.events
    for row in oracle.rows:
        parent = oracle.parent(row)
        cause = oracle.cause(row)
        is_known = cause is not None
        assert events["parent"][row.index] == (parent.index if parent else -1), row
        assert chain_of(profile, int(events["stack"][row.index])) == oracle.chain(cause), row
        assert events["backward"][row.index] == (is_known and oracle.is_backward(cause)), row
        assert launch_of(profile, int(events["launch"][row.index])) == oracle.launch(cause), row
        assert events["step"][row.index] == oracle.step(row), row
        assert events["device_ns"][row.index] == len(oracle.device_instants(row) or ()), row
        assert events["host_ns"][row.index] == oracle.host_ns(row), row
        operator = int(events["operator"][row.index])
        assert oracle.rows[operator].name == oracle.operator_name(row), row


def chain_of(profile: Profile, stack: int) -> tuple[Line, ...]:
    """The lines of a node of the calling-context tree, innermost first."""
    if stack < 0:
        return ()
    frame = int(profile.stacks["frame"][stack])
    file = profile.files[int(profile.frames["file"][frame])].path
    line = int(profile.frames["line"][frame])
    return ((file, line), *chain_of(profile, int(profile.stacks["parent"][stack])))


def launch_of(profile: Profile, launch: int) -> Launch | None:
    if launch < 0:
        return None
    launches = profile.launches
    return Launch(
        chain_of(profile, int(launches["stack"][launch])),
        launch_of(profile, int(launches["parent"][launch])),
    )


def check_conservation(report: LineReport) -> None:
    """What must add up in every profile, to the nanosecond."""
    assert report.attributed_ns == sum(line.self_ns for line in report.lines)
    assert report.attributed_ns + report.unattributed_ns == report.device_time_ns
    assert report.unattributed_ns == sum(share.self_ns for share in report.unattributed_ops)
    for line in report.lines:
        assert line.self_ns == line.forward_ns + line.backward_ns
        assert line.self_ns == sum(share.self_ns for share in line.ops)
        assert line.self_ns <= line.total_ns


def check_report(report: LineReport, numbers: Numbers) -> None:
    """Every number of the report."""
    assert report.device_time_ns == numbers.device_time_ns
    assert report.device_busy_ns == numbers.device_busy_ns
    assert report.span_ns == numbers.span_ns
    assert report.unattributed_ns == numbers.unattributed_ns
    expected = {
        line: figures
        for line, figures in numbers.lines.items()
        if figures.total_ns or figures.launched_ns
    }
    assert {(line.file, line.line) for line in report.lines} == set(expected)
    for line in report.lines:
        figures = expected[line.file, line.line]
        host_ns = line.host_ns if line.host_ns is not None else 0
        assert figures == LineNumbers(
            forward_ns=line.forward_ns,
            backward_ns=line.backward_ns,
            total_ns=line.total_ns,
            launched_ns=line.launched_ns,
            count=line.count,
            host_ns=host_ns,
            ops_ns=Counter({share.name: share.self_ns for share in line.ops}),
            ops_count=Counter({share.name: share.count for share in line.ops}),
        ), line
