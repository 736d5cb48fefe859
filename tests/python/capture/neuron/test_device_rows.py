"""What is recorded on a chip, recorded here: device rows, by the clock of the plug-in.

The plug-in's log is what it truly did: names, durations and threads, none of them read from a
trace.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cli.contract import check_report
from sidelight.profile.tables import Category
from support.document import broken_invariants, quality_codes
from support.expectations import mismatches, read_expectations
from support.neuron_package import duration_ns
from support.neuron_runs import NEURON, NeuronRun, neuron_run


@pytest.fixture(scope="module", params=[True, False], ids=["correlated", "uncorrelated"])
def lines(
    request: pytest.FixtureRequest, site: Path, tmp_path_factory: pytest.TempPathFactory
) -> NeuronRun:
    """A run of ``lines.py``; with the rows that correlated device time adds, and without."""
    without = {} if request.param else {"NEURON_PLUGIN_WITHOUT": "correlate_device_time"}
    run = neuron_run(site, tmp_path_factory.mktemp("lines"), "lines.py", **without)
    assert ("correlate_device_time" in run.log.configurations[0]) == request.param
    return run


def test_device_time_is_what_the_device_did(lines: NeuronRun) -> None:
    document = lines.document
    check_report({**document})
    assert broken_invariants(document) == []
    assert (document["target"], document["device"]) == ("neuron", "neuron")
    assert (document["time_kind"], document["attribution"]) == ("measured", "exact")
    assert document["predicted_ns"] is None
    assert len(lines.log.recorded(1)) == len(lines.log.work) > 10
    assert document["device_time_ns"] == duration_ns(lines.log.recorded(1))
    assert document["unattributed_ns"] == 0


def test_every_line_has_its_own(lines: NeuronRun) -> None:
    assert mismatches(lines.document, read_expectations(NEURON / "lines.py")) == []


def test_backward_is_what_the_device_was_given_by_autograds_thread(lines: NeuronRun) -> None:
    (main,) = {each["thread"] for each in lines.log.recorded(1) if each["name"] == "aten::relu"}
    elsewhere = [each for each in lines.log.recorded(1) if each["thread"] != main]
    backward_ns = sum(line["backward_ns"] for line in lines.document["lines"])
    assert backward_ns == duration_ns(elsewhere) > 0


def test_rows_that_nest_count_once_and_that_is_said(lines: NeuronRun) -> None:
    correlated = "correlate_device_time" in lines.log.configurations[0]
    work = len(lines.log.recorded(1))
    nested = {note["count"] for note in lines.notes("nested_device_rows")}
    assert nested == ({work} if correlated else set())
    category = lines.profile.events["category"]
    rows = {kind: np.count_nonzero(category == kind) for kind in set(category.tolist())}
    assert rows[Category.DEVICE] == work * (2 if correlated else 1)
    for kind in (Category.DEVICE_COARSE, Category.DEVICE_RUNTIME):
        assert rows.get(kind, 0) == (work if correlated else 0)


def test_steps_hold_the_work_that_was_submitted_in_them(site: Path, tmp_path: Path) -> None:
    boundaries = tmp_path / "boundaries"
    options = ["--warmup", "2", "--steps", "3"]
    run = neuron_run(site, tmp_path, "training.py", boundaries, options=options)
    document = run.document
    assert (document["steps"], document["warmup"]) == (3, 2)
    assert broken_invariants(document) == []
    ends: list[int] = json.loads(boundaries.read_text())
    # zero_grad, between a boundary and the next step, gives the device nothing to do.
    assert document["device_time_ns"] == duration_ns(run.log.work[ends[1] : ends[4]])
    assert "no_warmup" not in quality_codes(document)


def test_auto_takes_the_device_and_says_so(site: Path, tmp_path: Path) -> None:
    run = neuron_run(site, tmp_path, "lines.py", options=["--target", "auto"])
    assert run.document["target"] == "neuron"
    assert run.document["device_time_ns"] == duration_ns(run.log.recorded(1))
    (note,) = run.notes("target_chosen")
    assert note["message"].startswith("Target neuron was chosen: torch finds 2 NeuronCores")


def test_auto_finds_a_device_that_is_imported_late(site: Path, tmp_path: Path) -> None:
    script = tmp_path / "late.py"
    script.write_text("import torch, torch_neuronx\ntorch.ones(4, device='neuron') + 1\n")
    options = ["--target", "auto"]
    run = neuron_run(site, tmp_path, script, options=options, TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    assert run.document["target"] == "neuron"
    assert run.document["device_time_ns"] == duration_ns(run.log.recorded(1)) > 0


def test_a_prediction_stands_beside_what_was_measured(site: Path, tmp_path: Path) -> None:
    run = neuron_run(site, tmp_path, "lines.py", options=["--device", "trn2"])
    document = run.document
    check_report({**document})
    assert document["time_kind"] == "measured"
    assert document["device_time_ns"] == duration_ns(run.log.recorded(1))
    assert document["predicted_ns"]
    assert {line["time_kind"] for line in document["lines"]} == {"measured"}


def test_the_runtime_is_told_what_to_record(lines: NeuronRun) -> None:
    (configuration,) = lines.log.configurations
    assert configuration["device"] == configuration["runtime"] == "true"
    assert "cpu_util" not in configuration
    (directory,) = lines.log.directories
    assert str(directory).startswith(configuration["profile_output_dir"])


def test_nothing_is_said_on_the_programs_output(lines: NeuronRun) -> None:
    assert lines.stderr.startswith("2048.0 [[64.0"), "the program's own"
    assert len(lines.stderr.splitlines()) == 1, lines.stderr


def test_the_drivers_spans_count_where_there_is_nothing_finer(site: Path, tmp_path: Path) -> None:
    run = neuron_run(site, tmp_path, "lines.py", NEURON_PLUGIN_ROWS="driver")
    work = run.log.recorded(1)
    around_ns = 100 + 200  # what the device does before and after each piece of work
    assert run.document["device_time_ns"] == duration_ns(work) + len(work) * around_ns
    assert mismatches(run.document, read_expectations(NEURON / "lines.py")) == []
    (note,) = run.notes("coarse_device_rows")
    assert "overstated" in note["message"]


def test_without_a_profiling_interface_the_host_is_recorded(site: Path, tmp_path: Path) -> None:
    run = neuron_run(site, tmp_path, "lines.py", NEURON_PLUGIN_WITHOUT="profiling")
    assert (run.document["target"], run.document["device"]) == ("neuron", "cpu")
    assert broken_invariants(run.document) == []
    assert run.log.configurations == []
    assert quality_codes(run.document) >= {"neuron_profiler_unusable", "no_device_rows"}
    assert run.profile.manifest.runtime_files == []
