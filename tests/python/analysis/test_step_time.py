"""What steps' time goes to: as a walk over every instant says, and worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from engine_oracle import Execution, Work
from engine_profiles import CORES, execution_rows, make_core_profile, work_rows
from hypothesis import given, strategies as st
from idle_oracle import ITEM, WAIT, IdleOracle
from oracle import Oracle
from profiles import Event, Steps, make_profile, recordings
from test_oracle import BOUNDED

from sidelight.analysis.attribution import attribute
from sidelight.analysis.step_time.breakdown import StepParts, StepTime, TimeParts, step_time
from sidelight.profile.tables import STEP_COLUMNS, Category, Table

_KERNELS = ("kernel_a", "Memcpy HtoD (Pageable -> Device)", "ncclDevKernel_AllReduce_Sum_f32")
_NAMES = {
    Category.RUNTIME: (WAIT, "launch"),
    Category.OPERATOR: (ITEM, "aten::mul"),
    Category.DEVICE: _KERNELS,
    Category.DEVICE_COARSE: _KERNELS,
}


@st.composite
def _recordings_with_kinds(draw: st.DrawFn) -> tuple[list[Event], Steps]:
    events, steps = draw(recordings())
    plain = ("other", "aten::mul", "kernel_a", "kernel_b")
    return [
        replace(event, name=draw(st.sampled_from(_NAMES[event.category])))
        if event.name in plain and event.category in _NAMES
        else event
        for event in events
    ], steps


def kind_of(name: str) -> str:
    return "collectives" if "nccl" in name else "dma" if "Memcpy" in name else "compute"


@BOUNDED
@given(_recordings_with_kinds())
def test_steps_are_divided_as_a_walk_over_every_instant_says(
    recording: tuple[list[Event], Steps],
) -> None:
    profile = make_profile(*recording)
    oracle, waits = Oracle(profile), IdleOracle(profile)
    busy: dict[str, set[int]] = {"compute": set(), "collectives": set(), "dma": set()}
    on_cpu = oracle.device_level() == Category.OPERATOR
    for row in oracle.rows:
        instants = oracle.device_instants(row)
        if instants and (not on_cpu or oracle.step(row) >= 0):
            busy["compute" if on_cpu else kind_of(row.name)] |= instants
    working: set[int] = set()
    calls = (Category.RUNTIME, Category.DEVICE_RUNTIME)
    threads = {row.track for row in oracle.rows if row.on_host}
    for thread in threads:
        rows = [row for row in oracle.rows if row.track == thread]
        works = [row.instants for row in rows if oracle.encloses(row) or row.category in calls]
        waiting = [row.instants for row in rows if waits.is_wait(row)]
        working |= set[int]().union(*works) - set[int]().union(*waiting)
    is_recorded = any(
        row.on_host and (oracle.encloses(row) or row.category in calls) for row in oracle.rows
    )

    found = step_time(attribute(profile))
    steps = [step for step in oracle.steps if step[1] > step[0]]
    assert (found is None) == (not steps or not oracle.rows)
    for of_step, (start, end) in zip(found.steps if found else [], oracle.steps, strict=False):
        left = set(range(start, end))
        expected = {"duration_ns": len(left), "start_ns": start}
        for part, instants in (*busy.items(), ("host", working)):
            expected[f"{part}_ns"] = len(left & instants)
            left -= instants
        expected["idle_ns"] = len(left)
        told = msgspec.structs.asdict(of_step)
        assert told == {**expected, "host_ns": expected["host_ns"] if is_recorded else None}
    if found:
        assert_adds_up(found)


def assert_adds_up(found: StepTime) -> None:
    for parts in (found.total, *found.steps):
        assert parts.duration_ns == parts.device_ns + (parts.host_ns or 0) + parts.idle_ns
    for name, total in msgspec.structs.asdict(found.total).items():
        known = [getattr(step, name) for step in found.steps]
        assert total == (None if None in known else sum(known))
        mean = getattr(found.mean, name)
        assert mean == (None if total is None else total / len(found.steps))


@BOUNDED
@given(st.lists(work_rows, min_size=1, max_size=12), st.lists(execution_rows, max_size=3))
def test_a_core_is_divided_as_a_walk_says(work: list[Work], executions: list[Execution]) -> None:
    # On queues of their own no execution lies in another, which would not count.
    executions = [replace(each, queue=str(queue)) for queue, each in enumerate(executions)]
    profile = make_core_profile(work, executions)
    profile.manifest.device = "neuron"
    zero = min(row.start_ns for row in (*work, *executions))
    found = step_time(attribute(profile))
    if found is None:
        return
    start, end = int(profile.steps["start_ns"][0]), int(profile.steps["end_ns"][0])

    def instants(rows: list[Work] | list[Execution]) -> set[int]:
        spans = (range(row.start_ns - zero, row.start_ns - zero + row.duration_ns) for row in rows)
        return {instant for span in spans for instant in span if start <= instant < end}

    moving = instants([row for row in work if row.engine == "dma"])
    computing = instants([row for row in work if row.engine != "dma"])
    running = instants(executions) - moving
    assert (found.total.compute_ns, found.total.dma_ns) == (
        len(computing | running),
        len(moving - computing),
    )
    assert (found.total.collectives_ns, found.total.host_ns) == (0, None)
    assert_adds_up(found)


def test_what_a_library_exchanges_on_the_hosts_threads_is_a_collective() -> None:
    events = [
        Event(Category.OPERATOR, 0, 30),
        Event(Category.ANNOTATION, 20, 50, "gloo:all_reduce", 1),
        Event(Category.ANNOTATION, 60, 30, "gloo:all_reduce", 1),
        Event(Category.ANNOTATION, 90, 5, "my region", 1),
    ]
    found = step_time(attribute(make_profile(events, [(0, 100)])))
    assert found is not None
    assert found.total == TimeParts(
        duration_ns=100, compute_ns=30, collectives_ns=60, dma_ns=0, host_ns=0, idle_ns=10
    )


def test_executions_alone_do_not_tell_what_they_did() -> None:
    profile = make_core_profile(
        [], [Execution(CORES[0], 0, 10, "0"), Execution(CORES[0], 15, 5, "0")]
    )
    profile.manifest.device = "neuron"
    profile.steps = Table.of(STEP_COLUMNS, {"start_ns": [0], "end_ns": [20]})
    found = step_time(attribute(profile))
    assert found is not None
    parts = TimeParts(
        duration_ns=20, compute_ns=15, collectives_ns=None, dma_ns=None, host_ns=None, idle_ns=5
    )
    assert found.total == parts
    assert found.steps == [StepParts(start_ns=0, **msgspec.structs.asdict(parts))]
