"""Device time of NeuronCores: what lines, contexts and rows have, against a walk by nanosecond."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from engine_oracle import Chain, Execution, Line, Work, plain_execution_shares, plain_shares
from engine_profiles import CALLER, CORES, A, B, C, execution_rows, make_core_profile, work_rows
from hypothesis import given, settings, strategies as st

from sidelight.analysis import engine_busy, engine_time, parts, whole_parts
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.report import LineReport
from sidelight.analysis.source_lines import SourceLines
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.profile.manifest import Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import (
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    ORIGIN_COLUMNS,
    STACK_COLUMNS,
    Category,
    Table,
)

rows_at_once = st.integers(1, 9)
"""How many rows are gone through at a time: the numbers must not tell."""


def report_of(profile: Profile, at_once: int = 1000) -> LineReport:
    with (
        patch.object(engine_time, "ROWS_AT_ONCE", at_once),
        patch.object(engine_busy, "ORIGINS_AT_ONCE", at_once),
        patch.object(parts, "ROWS_AT_ONCE", at_once),
        patch.object(whole_parts, "MEMBERS_AT_ONCE", at_once),
    ):
        return line_report(attribute(profile), "/p")


def self_ns(report: LineReport) -> dict[Line, int]:
    return {(line.file, line.line): line.self_ns for line in report.lines if line.self_ns}


def by_chain(profile: Profile) -> dict[Chain | None, int]:
    """Device time by calling context, as all of the analysis sums it."""
    divided = parts.parts_of(profile, np.arange(len(profile.events)))
    lines = SourceLines(profile)
    found: defaultdict[Chain | None, int] = defaultdict(int)
    for stack, device_ns in zip(divided.stack.tolist(), divided.device_ns.tolist(), strict=True):
        found[tuple(reversed(lines.chain(stack))) or None] += device_ns
    return {chain: device_ns for chain, device_ns in found.items() if device_ns}


@settings(deadline=None)
@given(st.lists(work_rows, min_size=1, max_size=9), rows_at_once)
def test_lines_have_what_a_plain_walk_gives_them(work: list[Work], at_once: int) -> None:
    earliest_ns = min(row.start_ns for row in work)
    exact_by_line: defaultdict[Line | None, Fraction] = defaultdict(Fraction)
    exact_by_chain: defaultdict[Chain | None, Fraction] = defaultdict(Fraction)
    exact_by_row: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (number, chain), part in plain_shares(work).items():
        exact_by_line[chain[-1] if chain else None] += part
        exact_by_chain[chain] += part
        exact_by_row[number] += part

    profile = make_core_profile(work)
    report = report_of(profile, at_once)
    found = self_ns(report)
    total_ns = sum(exact_by_line.values())
    assert report.device_time_ns == total_ns
    assert report.unattributed_ns == exact_by_line[None]
    assert report.attributed_ns + report.unattributed_ns == report.device_time_ns
    for line, exact in exact_by_line.items():
        if line is not None:
            assert abs(found.get(line, 0) - exact) < 1
    # Of equal fractions the first line, by file and number as the reader met them, is rounded up.
    lost = {line: exact % 1 for line, exact in exact_by_line.items() if line is not None}
    for line, part in lost.items():
        rounded_up = found.get(line, 0) > exact_by_line[line]
        if rounded_up and part:
            assert not any(
                other > part and found.get(each, 0) < exact_by_line[each]
                for each, other in lost.items()
            )
    for chain, device_ns in by_chain(profile).items():
        assert abs(device_ns - exact_by_chain[chain]) < 3
    events = profile.events
    for number, row in enumerate(work):
        if sum(other == row for other in work) == 1:
            (event,) = _events_like(profile, row, earliest_ns)
            # A row may have a part of several lines, each rounded at both of its ends.
            assert abs(events["device_ns"][event] - exact_by_row[number]) <= 2 * 3
    assert report.device_busy_ns <= report.span_ns
    assert report.attribution == ("apportioned" if total_ns else "exact")


def _events_like(profile: Profile, row: Work, earliest_ns: int) -> list[int]:
    events = profile.events
    contexts: defaultdict[int, set[Chain]] = defaultdict(set)
    lines = SourceLines(profile)
    for event, stack in zip(
        profile.origins["event"].tolist(), profile.origins["stack"].tolist(), strict=True
    ):
        contexts[event].add(tuple(reversed(lines.chain(stack))))
    numbers: list[int] = events["track"].tolist()
    tracks = [profile.tracks[number] for number in numbers]
    return [
        event
        for event in range(len(events))
        if events["start_ns"][event] == row.start_ns - earliest_ns
        and events["duration_ns"][event] == row.duration_ns
        and (tracks[event].pid, tracks[event].engine) == (row.core, row.engine)
        and profile.strings[events["name"][event]] == row.name
        and contexts[event] == set(row.chains)
    ][:1]


@settings(deadline=None)
@given(
    st.lists(work_rows, max_size=7),
    st.lists(execution_rows, min_size=1, max_size=4),
    rows_at_once,
)
def test_executions_are_divided_and_never_longer(
    work: list[Work], executions: list[Execution], at_once: int
) -> None:
    profile = make_core_profile(work, executions)
    report = report_of(profile, at_once)
    events = profile.events
    counted = np.flatnonzero(events["device_ns"])
    assert (events["category"][counted] == Category.DEVICE).all()
    assert report.device_time_ns == events["duration_ns"][counted].sum()
    assert report.attributed_ns + report.unattributed_ns == report.device_time_ns

    earliest_ns = min(row.start_ns for row in (*work, *executions))
    exact_by_chain: defaultdict[Chain | None, Fraction] = defaultdict(Fraction)
    divided = 0
    for event in counted.tolist():
        execution = Execution(
            profile.tracks[events["track"][event]].pid,
            int(events["start_ns"][event]) + earliest_ns,
            int(events["duration_ns"][event]),
        )
        shares = plain_execution_shares(work, execution)
        divided += bool(shares)
        for (_, chain), part in shares.items():
            exact_by_chain[chain] += part
    exact_by_line: defaultdict[Line | None, Fraction] = defaultdict(Fraction)
    for chain, part in exact_by_chain.items():
        exact_by_line[chain[-1] if chain else None] += part
    found = self_ns(report)
    for line, exact in exact_by_line.items():
        assert line is not None
        assert abs(found.get(line, 0) - exact) < len(executions)
    assert report.attributed_ns == sum(exact_by_line.values())
    kinds = {0: "exact", len(counted): "apportioned"}
    assert report.attribution == kinds.get(divided, "mixed")


@settings(deadline=None)
@given(st.lists(work_rows, min_size=1, max_size=9))
def test_parts_of_rows_and_operators_add_up(work: list[Work]) -> None:
    profile = make_core_profile(work)
    report = report_of(profile)
    events, shares = profile.events, profile.shares
    for event in np.unique(shares["event"]):
        assert shares["device_ns"][shares["event"] == event].sum() == events["device_ns"][event]
    for line in report.lines:
        assert sum(operator.self_ns for operator in line.ops) == line.self_ns <= line.total_ns
    assert sum(operator.self_ns for operator in report.unattributed_ops) == report.unattributed_ns


def test_an_instant_is_split_over_lines_and_not_over_rows() -> None:
    work = [
        Work(CORES[0], "tensor", 0, 10, ((A,),)),
        Work(CORES[0], "vector", 0, 10, ((A,),)),
        Work(CORES[0], "dma", 0, 10, ((B,),)),
    ]
    assert self_ns(report_of(make_core_profile(work))) == {A: 5, B: 5}


def test_what_names_no_line_counts_only_where_nothing_else_runs() -> None:
    work = [Work(CORES[0], "tensor", 0, 10, ((A,),)), Work(CORES[0], "dma", 4, 10, ())]
    report = report_of(make_core_profile(work))
    assert (report.device_time_ns, report.unattributed_ns) == (14, 4)
    assert [(line.self_ns, line.attribution) for line in report.lines] == [(10, "apportioned")]


def test_two_contexts_of_a_line_share_its_part() -> None:
    work = [
        Work(CORES[0], "tensor", 0, 12, ((A,),)),
        Work(CORES[0], "vector", 0, 12, ((CALLER, A),)),
        Work(CORES[0], "dma", 0, 12, ((C,),)),
    ]
    profile = make_core_profile(work)
    report = report_of(profile)
    assert self_ns(report) == {A: 6, C: 6}
    assert by_chain(profile) == {(A,): 3, (CALLER, A): 3, (C,): 6}
    assert {(line.file, line.line): line.total_ns for line in report.lines}[CALLER] == 3


def test_cores_are_told_apart_and_physical_cores_are_not() -> None:
    both = [Work(core, "tensor", 0, 10, ((A,),)) for core in CORES]
    assert report_of(make_core_profile(both)).device_time_ns == 20
    one = [Work(CORES[0], engine, 0, 10, ((A,),)) for engine in ("tensor", "vector")]
    assert report_of(make_core_profile(one)).device_time_ns == 10


def test_a_row_that_gets_nothing_is_still_busy() -> None:
    work = [Work(CORES[0], "tensor", 0, 10, ((A,),)), Work(CORES[0], "dma", 8, 1, ())]
    profile = make_core_profile(work)
    report = report_of(profile)
    assert (report.device_busy_ns, report.span_ns) == (10, 10)
    dma = [operator for operator in report.unattributed_ops if operator.count]
    assert [(operator.self_ns, operator.count) for operator in dma] == [(0, 1)]


def test_what_an_execution_waits_stays_with_the_execution() -> None:
    work = [Work(CORES[0], "tensor", 10, 10, ((A,),)), Work(CORES[0], "dma", 18, 20, ((B,),))]
    report = report_of(make_core_profile(work, [Execution(CORES[0], 0, 30)]))
    # 10 to 18 is A's, 18 to 20 both's, 20 to 30 B's; after that the execution is over.
    assert self_ns(report) == {B: 11, A: 9}
    assert (report.device_time_ns, report.unattributed_ns) == (30, 10)
    assert report.attribution == "apportioned"


def test_another_core_says_nothing_of_an_execution() -> None:
    work = [Work(CORES[1], "tensor", 0, 10, ((A,),))]
    report = report_of(make_core_profile(work, [Execution(CORES[0], 0, 30)]))
    assert (report.device_time_ns, report.unattributed_ns) == (30, 30)
    assert report.attribution == "exact"


def test_an_execution_that_is_over_has_nothing_of_what_runs_on() -> None:
    work = [
        Work(CORES[0], "tensor", 0, 12, ((A,),)),
        Work(CORES[0], "tensor", 12, 18, ((A,),)),
        Work(CORES[0], "dma", 1, 6, ((B,),)),
    ]
    executions = [Execution(CORES[0], 0, 30, "0"), Execution(CORES[0], 5, 5, "1")]
    report = report_of(make_core_profile(work, executions))
    # B has half of 1 to 7 in the long one, and half of 5 to 7 in the short one.
    assert self_ns(report) == {A: 27 + 4, B: 3 + 1}
    assert report.device_time_ns == 35


def test_lines_say_whether_their_own_time_is_apportioned() -> None:
    work = [Work(CORES[0], "tensor", 0, 10, ((A,),))]
    executions = [Execution(CORES[0], 0, 10), Execution(CORES[0], 50, 10)]
    profile = make_core_profile(work, executions)
    event = int(np.flatnonzero(profile.events["start_ns"] == 50)[0])
    stack = int(profile.origins["stack"][0])
    # The file itself names a caller's line for the execution that no instruction is known of.
    profile.frames = Table.of(
        FRAME_COLUMNS, {"file": [0, 0], "line": [A[1], 99], "function": [0, 0]}
    )
    profile.stacks = Table.of(STACK_COLUMNS, {"parent": [-1, -1], "frame": [0, 1]})
    events = profile.origins["event"].tolist()
    origins = sorted([*zip(events, [stack] * len(events), strict=True), (event, 1)])
    profile.origins = Table.of(
        ORIGIN_COLUMNS, {"event": [e for e, _ in origins], "stack": [s for _, s in origins]}
    )
    report = report_of(profile)
    assert report.attribution == "mixed"
    assert {line.line: (line.self_ns, line.attribution) for line in report.lines} == {
        A[1]: (10, "apportioned"),
        99: (10, "exact"),
    }


def test_more_lines_at_once_than_share_a_nanosecond_evenly() -> None:
    lines: list[Line] = [("/src/many.py", number) for number in range(1, 24)]
    work = [Work(CORES[0], "tensor", 0, 100, ((line,),)) for line in lines]
    found = self_ns(report_of(make_core_profile(work)))
    # 100 = 23 x 4 + 8: of equals the first ones get more.
    assert [found[line] for line in lines] == [5] * 8 + [4] * 15


@pytest.mark.parametrize("at_once", [1, 2, 1000])
def test_engines_are_busy_for_all_the_lines_of_a_row(at_once: int) -> None:
    work = [
        Work(CORES[0], "tensor", 0, 10, ((A,), (CALLER, A), (B,), (C,))),
        Work(CORES[0], "tensor", 2, 5, ((A,),)),
        Work(CORES[0], "dma", 0, 7, ((B,),)),
        Work(CORES[0], "dma", 0, 30, ()),
    ]
    report = report_of(make_core_profile(work), at_once)
    engines = {(line.file, line.line): line.engines for line in report.lines}
    # 10 = 3 x 3 + 1, by the order in which the file has the lines; nothing is shared with others.
    assert engines == {
        A: {"Tensor": 4 + 5},
        B: {"Tensor": 3, "DMA": 7},
        C: {"Tensor": 3},
        CALLER: None,
    }


def test_work_counts_under_the_compilers_operator() -> None:
    profile = make_core_profile([Work(CORES[0], "tensor", 0, 10, ((A,),), "dot.1")])
    builder_track = Track("device", "HLO", CORES[0], "hlo")
    profile.tracks.append(builder_track)
    profile.strings += ["aten::mm"]
    columns = {name: np.append(profile.events[name], -1) for name in profile.events}
    for name, value in {
        "track": 1,
        "category": Category.COMPILED_OPERATOR,
        "name": len(profile.strings) - 1,
        "start_ns": 0,
        "duration_ns": 30,
        "forward_thread": 0,
        "entry": 0,
    }.items():
        columns[name][1] = value
    columns["external_id"][:] = 2**60
    profile.events = Table.of(EVENT_COLUMNS, columns)
    report = report_of(profile)
    assert report.device_time_ns == 10
    assert [(each.name, each.self_ns) for each in report.lines[0].ops] == [("aten::mm", 10)]


def test_details_of_a_row_of_several_lines_name_them_all() -> None:
    work = [
        Work(CORES[0], "tensor", 0, 9, ((CALLER, A), (B,))),
        Work(CORES[0], "vector", 0, 9, ((CALLER, A),)),
    ]
    profile = attribute(make_core_profile(work))
    shared = int(profile.shares["event"][0])
    details = TimelineIndex(profile).event(shared)
    # Of 9 ns A has 5 and B 4, and A's are half the other row's.
    assert [(place.file, place.line) for place in details.places] == [B, A, CALLER]
    assert details.owners == 2
    b_ns, a_ns, caller_ns = (place.device_time_ns for place in details.places)
    assert (b_ns, caller_ns) == (4, None)
    assert a_ns in (2, 3)
    assert details.device_time_ns == 4 + a_ns
    assert details.places[0].device_time_text == "4 ns"
    assert details.unattributed_time_text is None
    alone = next(event for event in range(2) if event != shared)
    details = TimelineIndex(profile).event(alone)
    assert [(place.file, place.line) for place in details.places] == [A, CALLER]
    assert details.owners == 1
    assert [place.device_time_ns for place in details.places] == [None, None]
    assert details.device_time_ns == 5 - a_ns


def test_details_of_an_execution_tell_what_of_it_is_on_no_line() -> None:
    work = [Work(CORES[0], "tensor", 2, 5, ((A,),))]
    profile = attribute(make_core_profile(work, [Execution(CORES[0], 0, 20)]))
    execution = int(np.flatnonzero(profile.events["device_ns"] == 20)[0])
    details = TimelineIndex(profile).event(execution)
    assert [(place.file, place.line, place.device_time_ns) for place in details.places] == [(*A, 5)]
    assert details.unattributed_time_text == "15 ns"
    instruction = TimelineIndex(profile).event(1 - execution)
    assert instruction.device_time_ns is None
    assert [place.device_time_ns for place in instruction.places] == [None]


def test_where_a_line_is_on_the_timeline() -> None:
    work = [
        Work(CORES[0], "tensor", 0, 10, ((A,), (B,))),
        Work(CORES[0], "tensor", 100, 40, ((B,),)),
    ]
    index = TimelineIndex(attribute(make_core_profile(work)))
    span = index.line(*B)
    assert span is not None
    assert (span.event, span.executions) == (1, 2)
    span = index.line(*A)
    assert span is not None
    assert (span.event, span.executions) == (0, 1)


def test_days_of_time_add_up_as_well() -> None:
    day_ns = 86_400 * 10**9
    work = [
        Work(CORES[0], "tensor", 0, 7 * day_ns, ((A,),)),
        Work(CORES[0], "vector", 0, 7 * day_ns + 1, ((B,),)),
        Work(CORES[0], "dma", 0, 7 * day_ns, ((C,), (CALLER, A))),
        # Readers believe in such rows only where others begin meanwhile.
        *(Work(CORES[0], "vector", at * day_ns // 2, 1, ((A,),)) for at in range(14)),
        Work(CORES[0], "vector", 7 * day_ns - 9, 1, ((A,),)),
    ]
    report = report_of(make_core_profile(work))
    found = self_ns(report)
    assert sum(found.values()) == report.device_time_ns == 7 * day_ns + 1
    for line in (A, B, C):
        assert abs(found[line] - 7 * day_ns / 3) <= 2
