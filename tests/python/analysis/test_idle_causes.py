"""Why the device was idle: on random profiles as a walk says, and on small ones worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from engine_oracle import Execution, Work
from engine_profiles import execution_rows, make_core_profile, work_rows
from hypothesis import given, strategies as st
from idle_oracle import COMPILER, ITEM, LOADER, WAIT, IdleOracle, Reason
from profiles import FILES, HOST_TRACKS, Event, Steps, make_profile, recordings
from test_oracle import BOUNDED

from sidelight.analysis.attribution import attribute
from sidelight.analysis.idle.causes import IdleTime
from sidelight.analysis.idle.report import idle_time
from sidelight.analysis.lines import line_report
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import Track, TrackEngine
from sidelight.profile.tables import FLOW_COLUMNS, Category, Table

_NAMES = {
    Category.ANNOTATION: (LOADER, COMPILER, "other"),
    Category.RUNTIME: (WAIT, "launch", "launch"),
    Category.DEVICE_RUNTIME: (WAIT, "launch", "launch"),
    Category.OPERATOR: (ITEM, "aten::mul", "aten::mul"),
}


@st.composite
def _recordings_with_causes(draw: st.DrawFn) -> tuple[list[Event], Steps]:
    """Recordings in which rows of the host have names that tell of causes."""
    events, steps = draw(recordings())
    named: list[Event] = []
    for event in events:
        names = _NAMES.get(event.category, ())
        is_plain = event.name in ("other", "aten::mul") and event.track < HOST_TRACKS
        name = draw(st.sampled_from(names)) if names and is_plain else event.name
        named.append(replace(event, name=name))
    return named, steps


def reasons_of(found: IdleTime | None) -> Counter[Reason]:
    reasons: Counter[Reason] = Counter()
    for cause in found.causes if found else ():
        assert cause.duration_ns == sum(line.duration_ns for line in cause.lines)
        assert cause.count == sum(line.count for line in cause.lines)
        for line in cause.lines:
            place = None if line.file is None or line.line is None else (line.file, line.line)
            reasons[cause.cause, place] += line.duration_ns
    return reasons


@BOUNDED
@given(_recordings_with_causes())
def test_causes_are_as_a_walk_over_every_instant_says(
    recording: tuple[list[Event], Steps],
) -> None:
    profile = make_profile(*recording)
    expected = IdleOracle(profile).reasons()
    assert reasons_of(idle_time(attribute(profile))) == expected


@BOUNDED
@given(_recordings_with_causes())
def test_idle_time_is_all_that_the_device_was_not_busy(
    recording: tuple[list[Event], Steps],
) -> None:
    profile = attribute(make_profile(*recording))
    found, report = idle_time(profile), line_report(profile, "")
    if found is None:
        assert report.device_busy_ns == 0
        return
    assert (found.span_ns, found.device_busy_ns) == (report.span_ns, report.device_busy_ns)
    assert sum(cause.duration_ns for cause in found.causes) == found.idle_ns
    assert found.idle_ns + found.between_steps_ns == found.span_ns - found.device_busy_ns
    assert found.idle_ns >= 0 <= found.between_steps_ns


LINE = Category.LINE
A, B, C = (0, 10), (0, 11), (0, 12)
"""File and line of the frames 0 to 2 of made profiles."""


def of_line(frame: int, start_ns: int, end_ns: int) -> Event:
    return Event(LINE, start_ns, end_ns - start_ns, "line", frame=frame, entry=1)


def kernel(number: int, launched_ns: int, start_ns: int, end_ns: int) -> list[Event]:
    """A kernel, and its launch that is over at an instant."""
    return [
        Event(Category.RUNTIME, launched_ns - 1, 1, "launch", correlation_id=number),
        Event(Category.DEVICE, start_ns, end_ns - start_ns, "k", 3, correlation_id=number),
    ]


def causes_of(*events: Event | list[Event], steps: Steps = ((0, 1000),)) -> dict[Reason, int]:
    rows = [row for each in events for row in (each if isinstance(each, list) else [each])]
    return dict(reasons_of(idle_time(attribute(make_profile(rows, steps)))))


def test_a_cpu_waits_for_nobody_between_its_operators() -> None:
    rows = [
        of_line(0, 0, 120),
        Event(Category.OPERATOR, 10, 30, "aten::mul"),
        of_line(1, 120, 500),
        Event(Category.RUNTIME, 130, 20, WAIT),
        Event(Category.OPERATOR, 160, 40, "aten::add"),
        Event(Category.ANNOTATION, 210, 50, LOADER),
        Event(Category.OPERATOR, 300, 10, "aten::sum"),
    ]
    profile = make_profile(rows, ((0, 1000),))
    profile.manifest.device = "cpu"
    found = idle_time(attribute(profile))
    # 40 to 160, 200 to 210 and 260 to 300 are the program's own; from 210 to 260 it fetches.
    assert dict(reasons_of(found)) == {
        ("between_operators", place(A)): 80,
        ("between_operators", place(B)): 90,
        ("data_loader", place(B)): 50,
    }
    assert found is not None
    (own, _) = found.causes
    assert (
        own.lines[0].evidence == "`aten::add` began 120 ns after the operator before it had ended."
    )


def test_a_late_launch_is_of_the_lines_that_the_host_was_in() -> None:
    found = causes_of(
        kernel(1, 5, 10, 100), of_line(0, 0, 120), of_line(1, 120, 190), kernel(2, 180, 200, 210)
    )
    # From 100 on the host is in the first line until 120, then in the second; launched at 180.
    assert found == {("host_late", place(A)): 20, ("host_late", place(B)): 80}


def test_a_wait_is_charged_with_what_the_host_had_stood_still_for_and_no_more() -> None:
    wait = Event(Category.RUNTIME, 70, 35, WAIT)
    found = causes_of(
        kernel(1, 5, 10, 100),
        of_line(0, 60, 110),
        wait,
        of_line(1, 110, 190),
        kernel(2, 180, 180, 210),
    )
    # 5 ns in the wait, and 30 more: it had waited from 70 to 100.
    assert found == {("synchronize", place(A)): 35, ("host_late", place(B)): 45}


def test_a_wait_that_was_over_before_the_device_ran_out_of_work_is_no_cause() -> None:
    found = causes_of(
        kernel(1, 5, 10, 100),
        Event(Category.RUNTIME, 20, 30, WAIT),
        of_line(1, 55, 190),
        kernel(2, 180, 180, 210),
    )
    assert found == {("host_late", place(B)): 80}


def test_work_that_was_launched_before_tells_nothing() -> None:
    found = causes_of(kernel(1, 5, 10, 100), of_line(2, 15, 30), kernel(2, 20, 130, 140))
    assert found == {("unknown", place(C)): 30}


def test_work_of_which_no_launch_is_known_tells_nothing() -> None:
    lonely = Event(Category.DEVICE, 130, 10, "k", 3)
    assert causes_of(kernel(1, 5, 10, 100), lonely) == {("unknown", None): 30}


def test_what_lies_between_steps_has_no_cause() -> None:
    events = [*kernel(1, 5, 10, 100), of_line(0, 0, 400), *kernel(2, 380, 380, 390)]
    found = idle_time(attribute(make_profile(events, [(0, 150), (350, 500)])))
    assert found is not None
    assert reasons_of(found) == {("host_late", place(A)): 50 + 30}
    assert (found.idle_ns, found.between_steps_ns, found.gaps) == (80, 200, 1)


def place(frame: tuple[int, int]) -> tuple[str, int]:
    return FILES[frame[0]], frame[1]


def core(
    rows: list[tuple[TrackEngine, int, int]], flows: list[tuple[int, int]], waits: int = -1
) -> IdleTime:
    """A core's rows as ``(engine, start, end)``; the row ``waits`` is one that only waits."""
    builder = ProfileBuilder()
    stack = builder.stacks.code((-1, builder.frame("/src/k.py", 3, "k")))
    for number, (engine, start_ns, end_ns) in enumerate(rows):
        track = Track("device", engine, "nc0", engine, engine)
        builder.add_rows(
            {
                "track": [builder.tracks.code(track)],
                "category": [Category.OTHER if number == waits else Category.ENGINE_WORK],
                "name": [builder.strings.code(engine.upper())],
                "start_ns": [start_ns],
                "duration_ns": [end_ns - start_ns],
            },
            origins=[[stack]],
        )
    profile = builder.build(new_manifest("core", "test", []), "it")
    starts = {int(start): row for row, start in enumerate(profile.events["start_ns"])}
    ends = {rows[source][1]: rows[target][1] for source, target in flows}
    arrows = sorted((starts[source], starts[target]) for source, target in ends.items())
    profile.flows = Table.of(
        FLOW_COLUMNS,
        {
            "source": [s for s, _ in arrows],
            "target": [t for _, t in arrows],
            "kind": [0] * len(arrows),
        },
    )
    found = idle_time(attribute(profile))
    assert found is not None
    return found


def test_an_instruction_that_waited_for_a_transfer() -> None:
    found = core([("dma", 0, 10), ("tensor", 30, 40)], [(0, 1)])
    assert reasons_of(found) == {("dma_wait", ("/src/k.py", 3)): 20}
    assert found.causes[0].lines[0].evidence == (
        "`TENSOR` could not start before `DMA` had moved its data."
    )


def test_an_instruction_that_waited_for_a_collective() -> None:
    found = core([("collective", 0, 10), ("vector", 30, 40)], [(0, 1)])
    assert reasons_of(found) == {("collective_wait", ("/src/k.py", 3)): 20}


def test_a_gap_in_which_a_collective_is_under_way() -> None:
    found = core([("tensor", 0, 10), ("collective", 15, 25), ("tensor", 40, 50)], [], waits=1)
    assert reasons_of(found) == {
        ("collective_wait", ("/src/k.py", 3)): 10,
        ("unknown", ("/src/k.py", 3)): 20,
    }


def test_transfers_and_collectives_while_nothing_computes() -> None:
    found = core(
        [("tensor", 0, 10), ("dma", 5, 40), ("collective", 20, 30), ("tensor", 40, 50)], []
    )
    assert (found.idle_ns, found.device_busy_ns, found.waiting_ns) == (0, 50, 30)
    assert [(each.cause, each.duration_ns, each.count) for each in found.waiting] == [
        ("dma_wait", 20, 2),
        ("collective_wait", 10, 1),
    ]


@BOUNDED
@given(st.lists(work_rows, min_size=1, max_size=12), st.lists(execution_rows, max_size=3))
def test_waiting_is_as_a_walk_over_every_instant_says(
    work: list[Work], executions: list[Execution]
) -> None:
    # On queues of their own no execution lies in another, which would not count.
    executions = [replace(each, queue=str(queue)) for queue, each in enumerate(executions)]
    profile = make_core_profile(work, executions)
    profile.manifest.device = "neuron"
    found = idle_time(attribute(profile))

    def instants(rows: Iterable[Work | Execution]) -> set[int]:
        return {t for row in rows for t in range(row.start_ns, row.start_ns + row.duration_ns)}

    moving = instants(row for row in work if row.engine == "dma")
    computing = instants(row for row in work if row.engine != "dma")
    alone = (moving - computing) & (instants(executions) if executions else moving)
    assert (found.waiting_ns if found else 0) == len(alone)
    assert [each.cause for each in found.waiting] == ["dma_wait"] * bool(alone) if found else True
