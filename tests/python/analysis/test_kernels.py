"""Which operators of real programs are kernels: by a walk over the plain trace, and by hand."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kernel_oracle import NODE, kernels_of
from torch_programs import (
    PROGRAMS,
    attention_in_pieces,
    checkpoint,
    custom_function,
    double_backward,
    foreach_optimizer,
    fused_operators,
    fused_optimizer,
    linear_layer,
    loop_optimizer,
    momentum_optimizer,
    reentrant_checkpoint,
    rms_norm,
    views_and_copies,
)
from torch_runs import FILE, Run, at_line, operator_names, record, torch

from sidelight.analysis.kernels import KernelWalk, find_kernels
from sidelight.analysis.lines import line_report
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.hardware.setup import Setup

functional = torch.nn.functional


def found_in(run: Run) -> KernelWalk:
    return find_kernels(run.profile, Setup())


def kernels_by_line(run: Run) -> dict[int, Counter[tuple[str, bool]]]:
    """By line, what the kernels whose innermost line it is are called, and if they are backward."""
    profile = run.profile
    lines: dict[int, Counter[tuple[str, bool]]] = {}
    for kernel in found_in(run).kernels:
        stack = int(profile.events["stack"][kernel.row])
        frame = int(profile.stacks["frame"][stack]) if stack >= 0 else -1
        line = int(profile.frames["line"][frame]) if frame >= 0 else 0
        called = (kernel.operation.call.name, bool(profile.events["backward"][kernel.row]))
        lines.setdefault(line, Counter())[called] += 1
    return lines


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_kernels_are_those_of_a_plain_walk(program: Callable[[], None], tmp_path: Path) -> None:
    run = record(program, tmp_path)
    walk = found_in(run)
    ours = run.starts([kernel.row for kernel in walk.kernels])
    assert ours == kernels_of(run.events, run.base_ns)
    assert ours
    starts = [int(run.profile.events["start_ns"][kernel.row]) for kernel in walk.kernels]
    assert starts == sorted(starts)


def test_a_linear_layer_is_one_kernel(tmp_path: Path) -> None:
    run = record(linear_layer, tmp_path)
    assert {"aten::linear", "aten::addmm", "aten::t"} < set(operator_names(run.profile))
    (forward,) = [
        kernel
        for kernel in found_in(run).kernels
        if kernel.operation.work.matmuls and not kernel.is_backward
    ]
    assert forward.operation.work.flops == 2 * 4 * 8 * 16
    backward = kernels_by_line(run)[10] - Counter({(forward.operation.call.name, False): 1})
    # The input wants no gradient: one product for the weight's, one sum for the bias's.
    assert backward == {("aten::mm", True): 1, ("aten::sum", True): 1}


def test_what_was_fused_is_one_kernel_and_one_backward_on_its_line(tmp_path: Path) -> None:
    run = record(rms_norm, tmp_path)
    nodes = [name for name in operator_names(run.profile) if name.startswith(NODE)]
    assert len(nodes) > 5  # it was recorded in pieces
    assert kernels_by_line(run)[10] == {
        ("aten::rms_norm", False): 1,
        ("aten::rms_norm_backward", True): 1,
    }
    backward = [kernel for kernel in found_in(run).kernels if kernel.is_backward]
    assert backward[-1].operation.work.rule.startswith("rms_norm backward")
    assert run.profile.strings[int(run.profile.events["name"][backward[-1].row])].startswith(NODE)


def test_under_autocast_the_inner_call_and_its_casts_are_the_kernels(tmp_path: Path) -> None:
    def program() -> None:
        layer, source = torch.nn.Linear(8, 16), torch.randn(4, 8)
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16), at_line(10):
            layer(source)

    run = record(program, tmp_path)
    assert operator_names(run.profile).count("aten::linear") == 2  # it calls itself with the casts
    (line,) = (kernels for number, kernels in kernels_by_line(run).items() if number == 10)
    # Source, weight and bias are cast; then one product of what was cast.
    assert line == {("aten::_to_copy", False): 3, ("aten::linear", False): 1}
    (product,) = [kernel for kernel in found_in(run).kernels if kernel.operation.work.matmuls]
    assert product.operation.work.matmuls[0].dtype == "bfloat16"


def test_a_retained_graph_is_gone_through_twice(tmp_path: Path) -> None:
    def program() -> None:
        source = torch.randn(4, 32, requires_grad=True)
        with at_line(10):
            result = functional.rms_norm(source, (32,))
            other = functional.softmax(source, -1)
        loss = (result + other).sum()
        loss.backward(retain_graph=True)
        loss.backward()

    lines = kernels_by_line(record(program, tmp_path))
    assert lines[10]["aten::rms_norm_backward", True] == 2
    # One node only: its own kernel was recorded, once a pass.
    assert lines[10]["aten::_softmax_backward_data", True] == 2
    assert lines[10]["aten::softmax_backward", True] == 0


def test_fused_operators_forward_and_backward(tmp_path: Path) -> None:
    lines = kernels_by_line(record(fused_operators, tmp_path))
    attention = "aten::_scaled_dot_product_flash_attention_for_cpu_backward"
    assert lines[10] == {
        ("aten::scaled_dot_product_attention", False): 1,
        (attention, True): 1,
        ("aten::add_", True): 2,  # its one input is three: their gradients are added up
    }
    assert lines[11] == {
        ("aten::layer_norm", False): 1,
        ("aten::native_layer_norm_backward", True): 1,
    }
    assert lines[12] == {
        ("aten::softmax", False): 1,
        ("aten::_softmax_backward_data", True): 1,
    }
    assert lines[13]


def test_attention_in_pieces_is_one_kernel_each_way(tmp_path: Path) -> None:
    run = record(attention_in_pieces, tmp_path)
    assert "aten::_scaled_dot_product_attention_math" in operator_names(run.profile)
    name = "aten::scaled_dot_product_attention"
    assert kernels_by_line(run)[10] == {(name, False): 1, (f"{name}_backward", True): 1}
    forward, backward = [
        kernel for kernel in found_in(run).kernels if kernel.operation.call.name.startswith(name)
    ]
    # Two products forward and five backward, each of 2 x 8 (batch, heads) x 16 x 16 x 8; a fp32
    # product runs as bf16 unless it is told otherwise, backward too.
    assert forward.operation.work.flops == 2 * 2 * 8 * 16 * 16 * 8
    assert backward.operation.work.flops == 5 * 2 * 8 * 16 * 16 * 8
    assert {each.dtype for each in backward.operation.work.matmuls} == {"bfloat16"}
    exact = find_kernels(run.profile, Setup(auto_cast="none")).kernels
    assert {m.dtype for kernel in exact for m in kernel.operation.work.matmuls} == {"float32"}


def test_views_are_free_and_so_are_conversions_that_convert_nothing(tmp_path: Path) -> None:
    run = record(views_and_copies, tmp_path)
    lines = kernels_by_line(run)
    assert 10 not in lines
    assert 11 not in lines
    assert lines[12] == {("aten::_to_copy", False): 1, ("aten::clone", False): 1}


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # Each of two parameters: decay, lerp, mul, addcmul, sqrt, div, add, addcdiv.
        (loop_optimizer, {"aten::mul_": 4, "aten::sqrt": 2, "aten::addcdiv_": 2}),
        (foreach_optimizer, {"aten::_foreach_lerp_": 1, "aten::_foreach_addcdiv_": 1}),
        (fused_optimizer, {"aten::_fused_adamw_": 1}),
        (momentum_optimizer, {}),
    ],
    ids=["loop", "foreach", "fused", "momentum"],
)
def test_step_counters_are_no_work_of_the_device(
    program: Callable[[], None], expected: dict[str, int], tmp_path: Path
) -> None:
    run = record(program, tmp_path)
    walk = found_in(run)
    in_step = kernels_by_line(run)[20]
    for name, times in expected.items():
        assert in_step[name, False] == 2 * times
    for kernel in walk.kernels:
        if kernel.operation.call.name.startswith(("aten::add_", "aten::_foreach_add_")):
            assert any(tensor.shape for tensor in kernel.operation.call.tensors)
    if program is loop_optimizer:
        assert operator_names(run.profile).count("aten::item") >= 2  # each counter's value
    assert not walk.waits


def test_reading_a_value_waits_but_not_within_an_optimizer(tmp_path: Path) -> None:
    def program() -> None:
        loop_optimizer()
        with at_line(30):
            torch.randn(3).sum().item()
        torch.randn(3).nonzero()

    run = record(program, tmp_path)
    walk = found_in(run)
    names = [run.profile.strings[int(run.profile.events["name"][row])] for row in walk.waits]
    assert set(names) == {"aten::item", "aten::_local_scalar_dense", "aten::nonzero"}
    assert names.count("aten::item") == 1
    assert operator_names(run.profile).count("aten::item") > 1


def test_what_an_optimizer_calls_back_is_the_users(tmp_path: Path) -> None:
    def program() -> None:
        layer = torch.nn.Linear(8, 8)
        optimizer = torch.optim.LBFGS(layer.parameters(), max_iter=1)

        def closure() -> Any:
            with at_line(20):
                loss = layer(torch.ones(2, 8)).sum() * 3
            with at_line(21):
                loss.item()
            return loss

        with at_line(10):
            optimizer.step(closure)

    run = record(program, tmp_path)
    walk = found_in(run)
    assert kernels_by_line(run)[20]["aten::mul", False] == 1  # though it has no dimension
    stacks = run.profile.events["stack"][walk.waits]
    lines = run.profile.frames["line"][run.profile.stacks["frame"][stacks]]
    # The optimizer reads the loss too, which cannot be told from its counters.
    assert set(lines.tolist()) == {21}


def test_a_checkpoint_is_computed_twice_and_still_fused(tmp_path: Path) -> None:
    for program in (checkpoint, reentrant_checkpoint):
        directory = tmp_path / program.__name__
        directory.mkdir()
        calls: Counter[tuple[str, bool]] = Counter()
        for names in kernels_by_line(record(program, directory)).values():
            calls += names
        # Forward, again in the backward pass, and that pass itself.
        assert calls["aten::rms_norm", False] + calls["aten::rms_norm", True] == 2, program.__name__
        assert calls["aten::rms_norm_backward", True] == 1, program.__name__
        assert calls["aten::gelu", False] + calls["aten::gelu", True] == 2
        assert calls["aten::gelu_backward", True] == 1


def test_a_custom_function_owns_what_its_backward_runs(tmp_path: Path) -> None:
    lines = kernels_by_line(record(custom_function, tmp_path))
    assert lines[1] == {("aten::mul", False): 2}
    assert lines[2] == {("aten::mul", True): 3}


def test_the_backward_of_a_fused_backward_is_priced_in_pieces(tmp_path: Path) -> None:
    lines = kernels_by_line(record(double_backward, tmp_path))
    assert lines[10]["aten::rms_norm", False] == 1
    # Once by itself, and once more in the pass that differentiates it.
    assert lines[10]["aten::rms_norm_backward", True] == 2
    assert sum(lines[10].values()) > 10


def test_a_backward_pass_on_another_thread_is_of_its_forward_line(tmp_path: Path) -> None:
    def program() -> None:
        source = torch.randn(4, 32, requires_grad=True)
        with at_line(10):
            result = functional.rms_norm(source, (32,)).sum()
        thread = threading.Thread(target=result.backward)
        thread.start()
        thread.join()

    run = record(program, tmp_path)
    forward, backward = [
        kernel for kernel in found_in(run).kernels if "rms_norm" in kernel.operation.call.name
    ]
    assert (forward.is_backward, backward.is_backward) == (False, True)
    tracks = run.profile.events["track"]
    assert tracks[forward.row] != tracks[backward.row]
    assert kernels_by_line(run)[10]["aten::rms_norm_backward", True] == 1


def test_unknown_operators_are_priced_by_their_bytes_and_told(tmp_path: Path) -> None:
    library = torch.library.Library("sidelight_test", "DEF")
    library.define("mystery(Tensor x) -> Tensor")
    library.define("composed(Tensor x) -> Tensor")
    library.define("native(Tensor x) -> Tensor")

    def composed(source: Any) -> Any:
        with at_line(15):
            return source * 2

    def native(source: Any) -> Any:
        return torch.empty_like(source).view(-1)

    def mystery(source: Any) -> Any:
        return source

    library.impl("mystery", mystery, "CPU")
    library.impl("composed", composed, "CPU")
    library.impl("native", native, "CPU")

    def program() -> None:
        source = torch.ones(1000)
        with at_line(10):
            torch.ops.sidelight_test.mystery(source)
        with at_line(11):
            torch.ops.sidelight_test.composed(source)
        with at_line(12):
            torch.ops.sidelight_test.native(source)

    run = record(program, tmp_path)
    lines = kernels_by_line(run)
    assert lines[10] == {("sidelight_test::mystery", False): 1}
    # What it calls within a line of the user's own is still what it calls.
    assert lines[15] == {("aten::mul", False): 1}
    assert 11 not in lines
    # What it allocates it fills itself.
    assert lines[12] == {("sidelight_test::native", False): 1}
    unknown = [kernel for kernel in found_in(run).kernels if not kernel.is_known]
    assert [kernel.operation.work.read_bytes for kernel in unknown] == [4000, 4000]
    price(run.profile, PricingRequest())
    (note,) = [note for note in run.profile.manifest.quality if note.code == "priced_by_bytes"]
    assert note.count == 2
    assert "sidelight_test::mystery" in note.message


def test_without_shapes_nothing_has_a_price_and_it_is_said(tmp_path: Path) -> None:
    run = record(linear_layer, tmp_path, shapes=False)
    walk = price(run.profile, PricingRequest())
    assert not walk.kernels
    report = line_report(run.profile, "")
    assert report.predicted_ns is None
    of_line = {line.line: line for line in report.lines if line.file == FILE}
    assert of_line[10].predicted_ns is None
    assert of_line[10].flops is None
    (note,) = [note for note in run.profile.manifest.quality if note.code == "not_priced"]
    assert "record_shapes=True" in note.message
    assert "aten::addmm" in note.message or "aten::linear" in note.message


def test_without_a_stand_in_it_is_said_what_is_missing_and_why(tmp_path: Path) -> None:
    def program() -> None:
        torch.cat([torch.ones(3)] * 31)
        torch._foreach_add_([torch.ones(3) for _ in range(31)], 1.0)

    profile = record(program, tmp_path).profile
    price(profile, PricingRequest())
    notes = {note.code: note for note in profile.manifest.quality}
    for code, operator in (("not_priced", "cat"), ("priced_in_pieces", "_foreach_add_")):
        assert notes[code].severity == "warning"
        assert notes[code].count == 1
        assert f"aten::{operator}." in notes[code].message
        assert "no sizes of lists of more than 30 tensors" in notes[code].message
        assert "--target fake" in notes[code].message


def test_generated_code_is_told_to_have_no_price(tmp_path: Path) -> None:
    # As torch marks its call of what inductor made, whose kernels are no operators.
    def program() -> None:
        with (
            at_line(10),
            torch.profiler.record_function("## Call CompiledFxGraph fabc ##"),
        ):
            torch.ones(3, 3)

    run = record(program, tmp_path)
    price(run.profile, PricingRequest())
    codes = {note.code: note.count for note in run.profile.manifest.quality}
    assert codes["compiled_code_not_priced"] == 1
