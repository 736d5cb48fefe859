"""Running Neuron Explorer, whose part is played by a small program that does as its pages say."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from cli.running import Run
from ingest.explorer.system_sample import EPOCH_NS, INSTANCE
from sidelight.cli import main
from sidelight.jobs.child import CancelledError
from sidelight.jobs.explorer import ExplorerError, tables_made_of
from sidelight.jobs.reading import read_into_store
from sidelight.profile.store import Store
from support.explorer_program import write_explorer, write_session
from traces import chrome


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts the program on the path; returns the file in which it notes its arguments."""
    log = write_explorer(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{log.parent}{os.pathsep}{os.environ['PATH']}")
    return log


def test_its_tables_are_joined_with_the_trace(tmp_path: Path, log: Path, run: Run) -> None:
    session = write_session(tmp_path / "session of mine")
    done = run("open", session, "--run-explorer", "--json", "--store", tmp_path / "store")
    assert done.status == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["device_time_ns"] == 50_000
    (line,) = document["lines"]
    assert (Path(line["file"]).name, line["line"], line["self_ns"]) == ("train.py", 3, 50_000)
    codes = {note["code"] for note in document["quality"]}
    assert "joined_by_sequence_id" in codes
    assert "runtime_files_not_read" not in codes
    assert f"INFO processing {session}" in done.stderr
    arguments = json.loads(log.read_text())
    assert arguments[2:4] == ["-d", str(session)]
    assert arguments[-2:] == ["--display-name", "session-of-mine"]
    scratch = tmp_path / "store" / "tmp"
    assert os.listdir(scratch) == [], "what it wrote is gone"


def test_what_a_stored_run_has_left_is_joined_with_its_lines(
    tmp_path: Path, log: Path, run: Run
) -> None:
    """As after ``--target neuron``: the run's own profile knows lines that no trace beside has."""
    store = Store(tmp_path / "store")
    session = write_session(tmp_path / "session")
    trace = session / f"{INSTANCE}_pid_42" / "1766072157" / "trace.json"
    events = json.loads(trace.read_text())["traceEvents"]
    events[0] |= {"cat": "cpu_op", "name": "sidelight:0"}
    captured = chrome.write_capture(
        tmp_path / "captured",
        {"trace.json": events},
        files=[{"path": str(tmp_path / "loop.py")}],
        frames=[[0, 8, "train"]],
        labels=[[0, 1]],
        target="neuron",
        device="neuron",
    )
    chrome.write(captured / "trace.json", events, base_ns=EPOCH_NS)
    stored = read_into_store(captured, store, name="run")
    assert stored.manifest.line_level == "line"
    session.rename(stored.directory / "neuron")
    done = run(
        *("open", stored.directory / "neuron", "--run-explorer", "--json"),
        *("--store", store.directory),
    )
    assert done.status == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["device_time_ns"] == 50_000
    (line,) = document["lines"]
    assert (Path(line["file"]).name, line["line"], line["self_ns"]) == ("loop.py", 8, 50_000)
    assert document["target"] == "neuron"


def test_without_being_asked_it_is_not_run_but_offered(tmp_path: Path, log: Path, run: Run) -> None:
    session = write_session(tmp_path / "session")
    (session / f"{INSTANCE}_pid_42" / "1766072157" / "trace.json").unlink()
    done = run("open", session, "--store", tmp_path / "store")
    assert done.status == 3
    assert f"`sidelight open --run-explorer {session}`" in done.stderr
    assert not log.exists()


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("FATA Missing --display-name", "Run it by hand as its help says"),
        ("FATA NTFF version 9 unsupported version", "Install the tools of the SDK"),
        ("ERROR could not find NEFF for profile.ntff", "Copy it from the compile cache"),
        ("something else altogether", "Open it without --run-explorer"),
    ],
)
def test_its_faults_are_explained(tmp_path: Path, log: Path, says: str, words: str) -> None:
    log.with_name("says").write_text(says)
    session = write_session(tmp_path / "session")
    with (
        pytest.raises(ExplorerError) as raised,
        tables_made_of(session, Store(tmp_path / "store")),
    ):
        pass
    assert raised.value.code == "explorer_failed"
    assert str(session) in raised.value.message
    assert says in raised.value.message
    assert words in raised.value.message


def test_it_is_ended_when_nobody_waits_any_more(tmp_path: Path, log: Path) -> None:
    log.with_name("says").write_text("sleep")
    cancel = threading.Event()
    with (
        pytest.raises(CancelledError),
        tables_made_of(
            write_session(tmp_path / "session"),
            Store(tmp_path / "store"),
            on_line=lambda line: cancel.set(),
            cancel=cancel,
        ),
    ):
        pass


def test_where_it_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    session = write_session(tmp_path / "session")
    store = tmp_path / "store"
    assert main(["open", str(session), "--run-explorer", "--store", str(store)]) == 3
    assert "There is no neuron-explorer on the path" in capsys.readouterr().err
    assert not store.exists()


def test_a_capture_without_its_program(tmp_path: Path, log: Path) -> None:
    ntff = tmp_path / "17_vnc_0.ntff"
    ntff.write_bytes(b"x")
    with pytest.raises(ExplorerError) as raised, tables_made_of(ntff, Store(tmp_path / "store")):
        pass
    assert raised.value.code == "no_neff"
    (tmp_path / "neff_17.neff").write_bytes(b"x")
    with tables_made_of(ntff, Store(tmp_path / "store")) as tables:
        assert (tables / "profiles" / "global").is_dir()
    assert json.loads(log.read_text())[2:6] == [
        *("-n", str(tmp_path / "neff_17.neff")),
        *("-s", str(ntff)),
    ]


def test_ranks_arrive_together_or_not_at_all(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "ranks"
    for rank in range(3):
        session = folder / f"{INSTANCE}_pid_{40 + rank}" / "1"
        session.mkdir(parents=True)
        operator = chrome.operator("aten::mm", 0, 1 + rank, pid=40 + rank)
        chrome.write(session / "trace.json", [operator], base_ns=EPOCH_NS)
    (folder / f"{INSTANCE}_pid_43" / "1").mkdir(parents=True)
    (folder / f"{INSTANCE}_pid_43" / "1" / "ntrace.pb").write_bytes(b"?")
    done = run("open", folder, "--json", "--store", tmp_path / "store", "--name", "eight")
    assert done.status == 0, "something could be read of it"
    document = json.loads(done.stdout)
    assert [each["device_time_ns"] for each in document["profiles"]] == [1000, 2000, 3000]
    (error,) = document["errors"]
    assert error["code"] == "needs_neuron_explorer"
    store = Store(tmp_path / "store")
    assert [
        store.resolve(name).manifest.rank for name in ("eight", "eight#0", "eight#1", "eight#2")
    ] == [0, 0, 1, 2]
    assert {entry.manifest.world_size for entry in store.list()} == {3}
