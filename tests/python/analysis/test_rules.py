"""One small profile for each rule that random ones seldom show, with its numbers by hand."""

from __future__ import annotations

from typing import Any

import pytest
from oracle import NODE, Oracle
from profiles import Event, make_profile
from test_oracle import check_conservation, check_report, check_rows

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.report import LineReport, LineStats
from sidelight.profile.tables import Category

MAIN, OTHER_THREAD, ENGINE, STREAM = range(4)
TRAIN_10, TRAIN_11, TRAIN_12, MODEL_20, MODEL_21, LAMBDA_21 = range(6)


def line(frame: int, start_ns: int, end_ns: int, *, track: int = MAIN, entry: int = 1) -> Event:
    return Event(
        Category.LINE, start_ns, end_ns - start_ns, "line", track, frame=frame, entry=entry
    )


def operator(name: str, start_ns: int, end_ns: int, *, track: int = MAIN, **more: int) -> Event:
    return Event(Category.OPERATOR, start_ns, end_ns - start_ns, name, track, **more)


def kernel(start_ns: int, end_ns: int, **ids: int) -> Event:
    return Event(Category.DEVICE, start_ns, end_ns - start_ns, "kernel", STREAM, **ids)


def report_of(*events: Event, steps: Any = ((0, 1000),)) -> tuple[LineReport, dict[int, LineStats]]:
    """The report, checked against the oracle, and its lines by number."""
    profile = make_profile(events, steps)
    oracle = Oracle(profile)
    attribute(profile)
    check_rows(profile, oracle)
    report = line_report(profile, "directory")
    check_conservation(report)
    check_report(report, oracle.numbers())
    return report, {stats.line: stats for stats in report.lines}


def test_an_empty_profile_has_no_numbers() -> None:
    report, lines = report_of()
    assert (report.events, report.device_time_ns, report.span_ns, lines) == (0, 0, 0, {})


def test_an_operator_does_not_count_what_is_nested_in_it() -> None:
    report, lines = report_of(
        line(TRAIN_10, 0, 100),
        operator("outer", 10, 90),
        Event(Category.ANNOTATION, 15, 70, "transparent"),
        operator("inner", 20, 50),
    )
    assert {share.name: share.self_ns for share in lines[10].ops} == {"outer": 50, "inner": 30}
    assert (report.device_time_ns, report.device_busy_ns, report.span_ns) == (80, 80, 80)


def test_operators_that_overlap_take_their_union_off_the_one_around_them() -> None:
    report, lines = report_of(
        line(TRAIN_10, 0, 100),
        operator("outer", 0, 100),
        operator("early", 10, 40),
        operator("late", 30, 60),
    )
    shares = {share.name: share.self_ns for share in lines[10].ops}
    assert shares == {"outer": 50, "early": 30, "late": 30}
    assert (report.device_time_ns, report.device_busy_ns) == (110, 100)


def test_a_recursive_line_counts_an_event_once() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 100),
        operator("outer", 0, 10),
        line(MODEL_20, 20, 90),
        line(TRAIN_10, 30, 80),
        operator("inner", 40, 60),
    )
    assert (lines[10].self_ns, lines[10].total_ns, lines[10].count) == (30, 30, 2)
    assert (lines[20].self_ns, lines[20].total_ns, lines[20].host_ns) == (0, 20, 20)


def test_backward_goes_to_the_forward_line_with_its_chain() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 30),
        line(MODEL_20, 5, 25),
        operator("aten::mm", 10, 20, sequence_nr=7),
        line(TRAIN_11, 40, 100),
        operator(NODE + "MmBackward0", 50, 80, sequence_nr=7, forward_thread=MAIN + 1),
        operator(NODE + "AccumulateGrad", 80, 90),
    )
    assert (lines[20].forward_ns, lines[20].backward_ns, lines[20].total_ns) == (10, 30, 40)
    assert (lines[10].self_ns, lines[10].total_ns) == (0, 40)
    assert (lines[11].self_ns, lines[11].backward_ns, lines[11].launched_ns) == (10, 10, 30)
    assert lines[11].total_ns == 10


def test_the_same_sequence_number_on_another_thread_is_another_operator() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 30),
        operator("aten::mm", 10, 20, sequence_nr=7),
        line(MODEL_20, 0, 30, track=OTHER_THREAD),
        operator("aten::mm", 15, 20, track=OTHER_THREAD, sequence_nr=7),
        line(TRAIN_11, 40, 100),
        operator(NODE + "MmBackward0", 50, 80, sequence_nr=7, forward_thread=MAIN + 1),
    )
    assert (lines[10].backward_ns, lines[20].backward_ns) == (30, 0)


def test_a_function_in_another_nodes_row_has_its_own_forward() -> None:
    """A write into a view: CopySlices calls the write's own function."""
    first, second = {"sequence_nr": 7, "forward_thread": 1}, {"sequence_nr": 8, "forward_thread": 1}
    _, lines = report_of(
        line(TRAIN_10, 0, 10),
        operator("aten::mm", 0, 10, sequence_nr=7),
        line(TRAIN_12, 10, 20),
        operator("aten::add", 10, 20, sequence_nr=8),
        line(TRAIN_11, 30, 100),
        operator(NODE + "CopySlices", 30, 50, **second),
        operator("MmBackward0", 35, 50, **first),
        operator("aten::mm", 40, 50),
    )
    assert (lines[10].backward_ns, lines[12].backward_ns) == (15, 5)


def test_a_node_beyond_the_last_number_is_of_the_operator_before() -> None:
    """One operator may make several nodes; the next operator's number is beyond them all."""
    _, lines = report_of(
        line(TRAIN_10, 0, 10),
        operator("aten::_foreach_mul", 0, 10, sequence_nr=7),
        line(TRAIN_12, 10, 20),
        operator("aten::add", 10, 20, sequence_nr=10),
        line(TRAIN_11, 30, 100),
        operator(NODE + "MulBackward0", 30, 50, sequence_nr=9, forward_thread=1),
        operator(NODE + "AddBackward0", 60, 70, sequence_nr=10, forward_thread=1),
    )
    assert (lines[10].backward_ns, lines[12].backward_ns) == (20, 10)


def test_a_node_with_hooks_has_the_number_of_its_function() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 10),
        operator("aten::tanh", 0, 10, sequence_nr=7),
        line(TRAIN_11, 30, 100),
        operator(NODE + "TanhBackward0", 30, 60),
        line(TRAIN_12, 32, 40),
        operator("aten::mul", 33, 37),
        operator("TanhBackward0", 40, 60, sequence_nr=7, forward_thread=1),
    )
    assert (lines[10].backward_ns, lines[11].self_ns) == (22, 0)
    assert (lines[12].backward_ns, lines[10].total_ns) == (4, 36)


def test_an_operator_that_is_all_there_is_in_one_of_its_name_does_not_count_again() -> None:
    report, _ = report_of(
        operator("aten::sum", 0, 10),
        operator("aten::sum", 2, 9),
        operator("aten::fill_", 3, 5),
        operator("aten::mul", 10, 30),
        operator("aten::mul", 11, 15),
        operator("aten::mul", 16, 20),
    )
    counts = {share.name: share.count for share in report.unattributed_ops}
    assert counts == {"aten::sum": 1, "aten::fill_": 1, "aten::mul": 3}


def test_double_backward_goes_to_the_first_forward() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 10),
        operator("aten::mm", 0, 10, sequence_nr=7),
        line(TRAIN_11, 20, 50),
        operator(NODE + "MmBackward0", 20, 50, sequence_nr=7, forward_thread=1),
        operator("aten::mm", 30, 40, sequence_nr=8),
        line(TRAIN_12, 60, 100),
        operator(NODE + "MmBackward0", 70, 90, sequence_nr=8, forward_thread=1),
    )
    assert (lines[10].forward_ns, lines[10].backward_ns) == (10, 30 + 20)
    assert (lines[11].launched_ns, lines[12].launched_ns) == (30, 20)


def test_a_backward_pass_started_inside_another_is_launched_by_both_lines() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 10),
        operator("aten::mm", 0, 10, sequence_nr=7),
        line(TRAIN_11, 20, 100),
        operator(NODE + "MyFunctionBackward", 20, 90),
        line(MODEL_20, 30, 80),
        operator(NODE + "MmBackward0", 40, 70, sequence_nr=7, forward_thread=1),
    )
    assert lines[10].backward_ns == 30
    assert lines[20].launched_ns == 30
    assert lines[11].launched_ns == 30
    assert (lines[11].self_ns, lines[11].total_ns) == (20, 20)


def test_a_hook_is_not_in_the_total_of_the_backward_line() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 100),
        line(TRAIN_11, 10, 90),
        operator(NODE + "AccumulateGrad", 20, 60),
        line(MODEL_20, 30, 50),
        operator("aten::clamp", 35, 45),
    )
    assert (lines[20].self_ns, lines[20].backward_ns) == (10, 10)
    assert (lines[11].self_ns, lines[11].total_ns, lines[11].launched_ns) == (20, 20, 10)
    assert lines[10].total_ns == 30


def test_a_node_on_the_engines_thread_belongs_to_the_line_that_waits() -> None:
    _, lines = report_of(
        # This thread computes, so it does not wait.
        line(TRAIN_10, 0, 100, track=OTHER_THREAD),
        operator("aten::mm", 10, 90, track=OTHER_THREAD),
        # This one's line has ended when the node starts, in a caller that goes on.
        line(TRAIN_11, 0, 100),
        line(TRAIN_12, 10, 50),
        operator(NODE + "AccumulateGrad", 50, 60, track=ENGINE),
        operator(NODE + "AccumulateGrad", 49, 50, track=ENGINE),
    )
    assert (lines[11].backward_ns, lines[12].backward_ns, lines[10].backward_ns) == (10, 1, 0)


def test_of_two_waiting_lines_the_forwards_thread_is_preferred() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 100),
        line(TRAIN_11, 1, 100, track=OTHER_THREAD),
        operator(NODE + "MmBackward0", 50, 60, track=ENGINE, sequence_nr=7, forward_thread=2),
        operator(NODE + "AccumulateGrad", 70, 80, track=ENGINE),
    )
    assert (lines[11].self_ns, lines[10].self_ns) == (10, 10)


@pytest.mark.parametrize("thread", [MAIN, ENGINE])
def test_gradients_that_return_after_the_nodes_are_the_backward_lines(thread: int) -> None:
    report, lines = report_of(
        line(TRAIN_10, 0, 20),
        operator("aten::mm", 5, 15, sequence_nr=7),
        line(TRAIN_11, 20, 100),
        operator(NODE + "MmBackward0", 30, 50, track=thread, sequence_nr=7, forward_thread=1),
        operator("torch.distributed.ddp.reducer::copy_bucket_to_grad", 60, 90, track=thread),
        operator("aten::copy_", 65, 85, track=thread),
    )
    assert report.unattributed_ns == 0
    assert (lines[11].self_ns, lines[11].backward_ns, lines[11].launched_ns) == (30, 30, 20)
    assert (lines[10].forward_ns, lines[10].backward_ns) == (10, 20)


def test_a_kernel_belongs_to_what_launched_it() -> None:
    report, lines = report_of(
        line(TRAIN_10, 0, 50),
        operator("aten::mm", 10, 40, external_id=1),
        line(TRAIN_11, 60, 100),
        operator("aten::add", 65, 90),
        Event(Category.RUNTIME, 70, 5, "launch", correlation_id=5),
        Event(Category.RUNTIME, 80, 5, "wait without a number"),
        kernel(200, 300, external_id=1, correlation_id=9),
        kernel(300, 320, external_id=1, correlation_id=5),
        kernel(320, 321, external_id=0, correlation_id=0),
        kernel(330, 332),
    )
    assert {share.name: share.self_ns for share in lines[10].ops} == {"aten::mm": 100}
    assert {share.name: share.self_ns for share in lines[11].ops} == {"aten::add": 20}
    assert report.unattributed_ns == 3
    assert (report.device_busy_ns, report.span_ns) == (123, 132)


def test_of_kernels_within_one_another_the_innermost_count() -> None:
    report, _ = report_of(
        operator("aten::mm", 0, 10, external_id=1),
        kernel(100, 200, external_id=1),
        kernel(110, 130, external_id=1),
        kernel(120, 150, external_id=1),
        kernel(125, 128, external_id=1),
        kernel(160, 160, external_id=1),
    )
    # The second and the third only overlap, but each holds the fourth, and the first holds all.
    assert report.device_time_ns == 3
    assert [(share.self_ns, share.count) for share in report.unattributed_ops] == [(3, 2)]
    notes = {note.code: note.count for note in report.quality}
    assert notes == {"nested_device_rows": 3, "no_synchronize": 1}


def call(start_ns: int, end_ns: int, **ids: int) -> Event:
    return Event(Category.DEVICE_RUNTIME, start_ns, end_ns - start_ns, "nrt_execute", MAIN, **ids)


def test_calls_of_the_runtime_are_device_time_where_nothing_finer_is() -> None:
    report, lines = report_of(
        line(TRAIN_10, 0, 50),
        operator("aten::mm", 10, 40),
        call(15, 35),
        call(20, 30),
        call(45, 48),
        call(60, 64),
    )
    assert {share.name: share.self_ns for share in lines[10].ops} == {
        "aten::mm": 10,
        "nrt_execute": 3,
    }
    assert (report.device_time_ns, report.unattributed_ns, report.device_busy_ns) == (17, 4, 17)
    notes = {note.code: note.count for note in report.quality}
    assert notes == {"coarse_device_rows": 1, "nested_device_rows": 1}


def test_calls_of_the_runtime_only_join_device_rows_where_there_are_some() -> None:
    coarse = Event(Category.DEVICE_COARSE, 100, 30, "dispatch", STREAM, correlation_id=5)
    for device_row in (kernel(100, 130, correlation_id=5), coarse):
        report, lines = report_of(
            line(TRAIN_10, 0, 50),
            operator("aten::mm", 10, 40),
            call(15, 35, correlation_id=5),
            device_row,
        )
        assert {share.name: share.self_ns for share in lines[10].ops} == {"aten::mm": 30}
        assert report.device_time_ns == 30


def test_a_kernel_is_of_the_step_that_launched_it() -> None:
    steps = ((0, 100), (100, 200), (300, 400))
    report, lines = report_of(
        line(TRAIN_10, 90, 100),
        operator("aten::mm", 90, 95, external_id=1),
        line(TRAIN_11, 210, 330),
        operator("aten::add", 220, 250, external_id=2),
        kernel(250, 260, external_id=1),
        kernel(310, 350, external_id=2),
        steps=steps,
    )
    assert (report.device_time_ns, report.steps) == (10, 3)
    assert (lines[10].self_ns, lines[10].count, lines[10].host_ns) == (10, 1, 10)
    assert 11 not in lines


def test_entries_and_host_time_count_in_recorded_steps_only() -> None:
    _, lines = report_of(
        line(TRAIN_10, 0, 20),
        line(TRAIN_10, 90, 130),
        operator("aten::mm", 110, 120),
        line(MODEL_21, 140, 150),
        line(LAMBDA_21, 150, 160, entry=0),
        operator("aten::add", 152, 153),
        steps=((100, 155),),
    )
    assert (lines[10].count, lines[10].host_ns, lines[10].self_ns) == (0, 30, 10)
    assert (lines[21].count, lines[21].host_ns, lines[21].self_ns) == (1, 15, 1)


def test_function_calls_are_user_code_only_where_no_lines_are() -> None:
    call = Event(Category.FUNCTION, 0, 50, "f", frame=MODEL_20, entry=1)
    add = operator("aten::add", 10, 20)
    _, with_calls = report_of(call, add)
    assert (with_calls[20].self_ns, with_calls[20].count, with_calls[20].host_ns) == (10, 1, None)
    _, with_lines = report_of(call, add, line(TRAIN_10, 0, 60))
    assert (with_lines[10].self_ns, list(with_lines)) == (10, [10])


def test_the_line_that_calls_a_step_counts_in_that_step() -> None:
    events = (
        line(TRAIN_10, 0, 95),  # the loop, entered before the first step that is left out
        line(TRAIN_11, 8, 28),
        operator("aten::mm", 12, 20),
        line(TRAIN_11, 28, 48),
        operator("aten::mm", 32, 40),
        line(TRAIN_11, 48, 68),
        operator("aten::mm", 52, 60),
    )
    profile = make_profile(events, ((30, 50), (50, 95)))
    profile.manifest.steps_from = "module"
    profile.manifest.step_before_ns = 10
    counts = {each.line: each.count for each in line_report(attribute(profile), "d").lines}
    assert counts == {10: 0, 11: 2}

    profile = make_profile(events, ((10, 30), (30, 50), (50, 95)))
    profile.manifest.steps_from = "module"
    counts = {each.line: each.count for each in line_report(attribute(profile), "d").lines}
    assert counts == {10: 1, 11: 3}
