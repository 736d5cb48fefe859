"""Every verb's ``--json``: one document on stdout, as the contract says, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from cli.contract import ERROR, PROFILES, Json, check, check_report
from cli.recorded import MODEL_PATH, TRAIN_PATH, training_profile
from cli.running import Run
from sidelight.profile.store import Store

TRACE = {
    "schemaVersion": 1,
    "traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "aten::mul", "pid": 1, "tid": 1, "ts": 1.0, "dur": 2.5}
    ],
}

SCRIPT = """
import os, sys
import torch
print("on stdout", flush=True)
os.system("echo of a child")
os.write(1, b"past Python\\n")
x = torch.ones(64, 64)
y = x @ x
sys.exit(int(sys.argv[1]))
"""


def test_lines(run: Run, store: Path) -> None:
    done = run("lines", "train", "--store", store, "--json")
    assert (done.status, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    check_report(document)
    assert document["steps"] == 4
    assert {line["file"] for line in document["lines"]} == {TRAIN_PATH, MODEL_PATH}
    by_line = {(line["file"], line["line"]): line for line in document["lines"]}
    assert by_line[MODEL_PATH, 27]["backward_ns"] == 4 * 540_000
    assert by_line[TRAIN_PATH, 8]["launched_ns"] == 4 * (540_000 + 121_000 + 602_000 + 40_400)


@pytest.mark.parametrize("asked", ["model.py", "project/model.py", MODEL_PATH])
def test_lines_of_one_file(run: Run, store: Path, asked: str) -> None:
    document = json.loads(run("lines", "train", "--store", store, "--json", "--file", asked).stdout)
    check_report(document, all_lines=False)
    assert {line["file"] for line in document["lines"]} == {MODEL_PATH}


def test_one_opened_trace(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps(TRACE))
    done = run("open", trace, "--json", "--store", tmp_path / "store", "--name", "mine")
    assert done.status == 0
    document = json.loads(done.stdout)
    check_report(document)
    assert document["name"] == "mine"
    assert document["device_time_ns"] == document["unattributed_ns"] == 2500
    assert Store(tmp_path / "store").resolve("mine").directory == Path(document["profile"])


def test_several_opened_traces(run: Run, tmp_path: Path) -> None:
    traces = [tmp_path / "a.json", tmp_path / "b.json"]
    for trace in traces:
        trace.write_text(json.dumps(TRACE))
    paths = [traces[0], tmp_path / "missing.json", traces[1]]
    done = run("open", *paths, "--json", "--store", tmp_path / "store")
    assert done.status == 3, "not every one could be read"
    document = json.loads(done.stdout)
    assert len(document["profiles"]) == 2
    for report in document["profiles"]:
        check_report(report)
    (error,) = document["errors"]
    assert error["path"] == str(paths[1])
    assert set(error) == {"path", "code", "message"}


@pytest.mark.parametrize("status", [0, 3])
def test_a_profiled_script(tmp_path: Path, status: int) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "sidelight", "profile", "--json", "--target", "cpu"]
    done = subprocess.run(
        [*command, "--python", sys.executable, "script.py", str(status)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == (1 if status else 0)
    document = json.loads(done.stdout)
    check_report(document)
    assert document["script_exit"] == status
    assert document["name"] == "script"
    for words in ("on stdout", "of a child", "past Python"):
        assert words in done.stderr
    (entry,) = Store(tmp_path / ".sidelight").list()
    assert str(entry.directory) == document["profile"]


def test_the_list_of_profiles(run: Run, store: Path) -> None:
    Store(store).add(training_profile("ranked", rank=1, world_size=2))
    done = run("profiles", "--store", store, "--json")
    assert (done.status, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    check(document, PROFILES)
    assert [entry["name"] for entry in document["profiles"]] == ["ranked", "train"]
    assert document["profiles"][0]["rank"] == 1
    report = json.loads(run("lines", "train", "--store", store, "--json").stdout)
    assert document["profiles"][1]["device_time_ns"] == report["device_time_ns"]
    assert document["profiles"][1]["profile"] == report["profile"]


def test_deleting_and_pruning_list_what_is_left(run: Run, store: Path) -> None:
    for name in ("second", "third"):
        Store(store).add(training_profile(name))
    document = json.loads(run("profiles", "--store", store, "--json", "--delete", "train").stdout)
    assert [entry["name"] for entry in document["profiles"]] == ["third", "second"]
    document = json.loads(run("profiles", "--store", store, "--json", "--prune", "1").stdout)
    assert [entry["name"] for entry in document["profiles"]] == ["third"]


def test_an_empty_store(run: Run, tmp_path: Path) -> None:
    document = json.loads(run("profiles", "--store", tmp_path / "none", "--json").stdout)
    assert document == {"profiles": []}


def test_errors_are_documents(run: Run, store: Path) -> None:
    done = run("lines", "missing", "--store", store, "--json")
    assert (done.status, done.stderr) == (3, "")
    check(json.loads(done.stdout), ERROR)


def test_wrong_usage_is_a_document_too(run: Run) -> None:
    done = run("lines", "--json")
    assert done.status == 2
    assert "usage: sidelight lines" in done.stderr
    document = json.loads(done.stdout)
    check(document, ERROR)
    assert document["error"]["code"] == "usage"


SPOILED: dict[str, Callable[[Json], object]] = {
    "a field is missing": lambda document: document.pop("span_ns"),
    "a field is unknown": lambda document: document.update(extra=1),
    "a type is wrong": lambda document: document.update(steps=1.5),
    "self is not the sum of its parts": lambda document: document["lines"][0].update(self_ns=0),
    "forward and backward": lambda document: document["lines"][0].update(backward_ns=1),
    "order": lambda document: document["lines"].reverse(),
    "a line comes twice": lambda document: document["lines"].append(document["lines"][-1]),
    "an operator is missing": lambda document: document["lines"][0]["ops"].pop(0),
    "unattributed": lambda document: document.update(unattributed_ns=0),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_the_check_itself_finds_faults(run: Run, store: Path, fault: str) -> None:
    document = json.loads(run("lines", "train", "--store", store, "--json").stdout)
    SPOILED[fault](document)
    with pytest.raises((jsonschema.ValidationError, AssertionError)):
        check_report(document)
