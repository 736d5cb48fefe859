"""A script with sessions of its own, as AWS's tutorial writes them, on the device."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from support.document import broken_invariants, line_of
from support.neuron_package import duration_ns, program_environment
from support.neuron_runs import NEURON, NeuronRun, neuron_run
from support.tool import run

SCRIPT = NEURON / "own_session.py"
LINES = SCRIPT.read_text().splitlines()


@pytest.fixture(scope="module")
def profiled(site: Path, tmp_path_factory: pytest.TempPathFactory) -> NeuronRun:
    return neuron_run(site, tmp_path_factory.mktemp("profiled"), SCRIPT.name, "out")


def line_number(text: str) -> int:
    return next(number for number, line in enumerate(LINES, 1) if text in line)


def test_its_cycles_are_the_profile(profiled: NeuronRun) -> None:
    document = profiled.document
    assert broken_invariants(document) == []
    assert (document["target"], document["device"]) == ("neuron", "neuron")
    assert document["steps"] == 4, "two cycles of two active steps"
    # The first recording is ours, which gave way when the script prepared its own.
    assert {work["recording"] for work in profiled.log.work} == {0, 1, 2, 3}
    assert document["device_time_ns"] == duration_ns(profiled.log.recorded(2, 3)) > 0
    assert document["unattributed_ns"] == 0
    product = line_of(document, SCRIPT, line_number("(x @ w)"))
    assert product is not None
    assert {op["name"]: op["count"] for op in product["ops"]} == {
        "aten::mm": 8,
        "aten::relu": 4,
        "aten::sum": 4,
        "aten::threshold_backward": 4,
    }


def test_its_own_settings_reach_the_runtime(profiled: NeuronRun) -> None:
    _, *theirs = profiled.log.configurations
    assert theirs == [theirs[0]] * 2
    assert theirs[0] == {
        "device": "true",
        "runtime": "true",
        "cpu_util": "true",
        "max_events_per_nc": "10000",
        "capture_enabled_for_nc": "0",
        "profile_output_dir": "out",
        "precache_node_info": "true",
    }


def test_its_table_is_as_by_hand(site: Path, profiled: NeuronRun, tmp_path: Path) -> None:
    environment = program_environment(site, tmp_path / "log")
    by_hand = run([sys.executable, SCRIPT, "out"], cwd=tmp_path, environment=environment)
    assert by_hand.status == 0
    columns = r"^ *(aten::\w+) .* (\d+) *$"
    shown = [re.findall(columns, text, re.M) for text in (by_hand.stdout, profiled.stderr)]
    assert shown[0] == shown[1] != []


def test_the_place_of_its_files_is_kept(profiled: NeuronRun) -> None:
    directories = profiled.log.directories[1:]
    (folder,) = {directory.parent for directory in directories}
    manifest = profiled.profile.manifest
    assert manifest.runtime_files == [str(folder)]
    for directory in directories:
        assert {file.name for file in directory.iterdir()} == {
            "neff_5f2c8a9d01e3_vnc_0.neff",
            "profile_nc_0_session_0.ntff",
            "ntrace.pb",
            "trace_info.pb",
            "cpu_util.pb",
            "trace.json",
        }
        rows = json.loads((directory / "trace.json").read_text())["traceEvents"]
        names = {row["name"] for row in rows}
        assert "aten::mm" in names
        assert not [name for name in names if name.startswith("sidelight")]
    (note,) = profiled.notes("runtime_files_kept")
    assert f"`sidelight open --run-explorer {folder}`" in note["message"]


def test_files_in_the_runtimes_own_place_are_found(site: Path, tmp_path: Path) -> None:
    run = neuron_run(site, tmp_path, SCRIPT.name, "")
    assert "profile_output_dir" not in run.log.configurations[-1]
    (folder,) = (tmp_path / "output").iterdir()
    assert run.profile.manifest.runtime_files == [str(folder)]
