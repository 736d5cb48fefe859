"""Target ``neuron-xla``: the runtime's part is played by a script that reads its variables."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from cli.contract import ERROR, check
from cli.running import Outcome, Run
from ingest.explorer.system_sample import SystemRows
from sidelight.profile.store import Store
from support.explorer_tables import write_tables

RECORDED = """\
import os, pathlib, sys
names = ("NEURON_", "XLA_")
for name, value in sorted(os.environ.items()):
    if name.startswith(names):
        print(f"{name}={value}")
folder = pathlib.Path(os.environ["NEURON_RT_INSPECT_OUTPUT_DIR"], f"i-0_pid_{os.getpid()}", "1")
folder.mkdir(parents=True)
(folder / "ntrace.pb").write_bytes(b"recorded")
sys.exit(int(sys.argv[1]))
"""

VARIABLES = {
    "NEURON_RT_INSPECT_ENABLE": "1",
    "NEURON_RT_INSPECT_SYSTEM_PROFILE": "1",
    "NEURON_RT_INSPECT_DEVICE_PROFILE": "1",
    "NEURON_FRAMEWORK_DEBUG": "1",
    "XLA_IR_DEBUG": "1",
    "XLA_HLO_DEBUG": "1",
}


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in (*VARIABLES, "NEURON_RT_INSPECT_OUTPUT_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "train.py").write_text(RECORDED)
    return tmp_path


def profile(run: Run, *arguments: str) -> Outcome:
    return run("profile", "--target", "neuron-xla", "--python", sys.executable, *arguments)


def seen(done: Outcome) -> dict[str, str]:
    return dict(line.split("=", 1) for line in done.stdout.splitlines())


def test_the_session_is_kept_and_found_by_what_is_said(run: Run, directory: Path) -> None:
    done = profile(run, "train.py", "0")
    assert done.status == 1, "there is no profile"
    (session,) = (directory / ".sidelight" / "sessions").iterdir()
    assert seen(done) == {**VARIABLES, "NEURON_RT_INSPECT_OUTPUT_DIR": str(session)}
    assert [file.read_bytes() for file in session.glob("i-0_pid_*/1/ntrace.pb")] == [b"recorded"]
    assert "train.py ended with status 0" in done.stderr
    assert f"neuron-explorer view --ingest-only -d {session} --data-path" in done.stderr
    assert (directory / ".sidelight" / ".gitignore").read_text() == "*\n"
    assert not any((directory / ".sidelight" / "profiles").iterdir())


def test_a_watcher_is_told_where_it_is(run: Run, directory: Path) -> None:
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as progress:
        assert profile(run, "--progress-fd", str(writing), "train.py", "0").status == 1
        os.close(writing)
        last = [json.loads(line) for line in progress][-1]
    (session,) = (directory / ".sidelight" / "sessions").iterdir()
    assert last == {"stage": "kept", "recording": str(session)}


def test_a_failing_script_keeps_what_was_recorded(run: Run) -> None:
    done = profile(run, "--json", "train.py", "3")
    assert done.status == 1
    document = json.loads(done.stdout)
    check(document, ERROR)
    assert document["error"]["code"] == "session_not_read"
    assert document["error"]["message"].startswith("train.py ended with status 3;")
    assert "NEURON_RT_INSPECT_ENABLE=1" in done.stderr, "the script's own output"


def test_what_the_user_has_set_stays(
    run: Run, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEURON_RT_INSPECT_OUTPUT_DIR", "mine")
    monkeypatch.setenv("NEURON_RT_INSPECT_DEVICE_PROFILE", "session")
    (directory / "mine" / "i-0_pid_1").mkdir(parents=True)
    done = profile(run, "train.py", "0")
    assert seen(done)["NEURON_RT_INSPECT_DEVICE_PROFILE"] == "session"
    assert f"-d {directory / 'mine'} --data-path" in done.stderr
    assert len(list((directory / "mine").iterdir())) == 2
    assert not (directory / ".sidelight").exists()


def test_a_variable_that_is_empty_is_set(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEURON_RT_INSPECT_ENABLE", "")
    monkeypatch.setenv("XLA_IR_DEBUG", "")
    assert seen(profile(run, "train.py", "0")).items() >= VARIABLES.items()


def test_a_run_that_is_not_on_the_device_says_so(run: Run, directory: Path) -> None:
    (directory / "plain.py").write_text("print(1)\n")
    done = profile(run, "--json", "plain.py")
    assert done.status == 1
    assert json.loads(done.stdout)["error"]["code"] == "nothing_recorded"
    assert not any((directory / ".sidelight" / "sessions").iterdir())


def test_recording_that_is_switched_off_is_refused(
    run: Run, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEURON_RT_INSPECT_ENABLE", "0")
    done = profile(run, "train.py", "0")
    assert done.status == 1
    assert done.stdout == "", "the script was not run"
    assert "Unset the variable" in done.stderr


@pytest.mark.parametrize("options", ["--device trn2", "--until captured"])
def test_what_the_runtime_does_not_know_is_wrong_usage(run: Run, options: str) -> None:
    done = profile(run, *options.split(), "train.py", "0")
    assert done.status == 2
    assert done.stdout == ""


def test_a_session_that_can_be_read_is_a_profile(
    run: Run, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where tables lie in it, as where the script itself has had them made."""
    rows = SystemRows(1)
    rows.host("train.py(7): step", 0, 90)
    rows.host("aten::mm", 10, 20)
    rows.work("aten::mm", 15, 80, "100")
    rows.execution(20, 60, "100", 0)
    monkeypatch.setenv(
        "TABLES", str(write_tables(directory / "tables", {"SystemProfileEvents": rows.rows}))
    )
    copying = 'import shutil\nshutil.copytree(os.environ["TABLES"], folder / "tables")\n'
    (directory / "train.py").write_text(RECORDED.replace("sys.exit", f"{copying}sys.exit"))
    done = profile(run, "--json", "train.py", "0")
    assert done.status == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["target"], document["device"]) == ("neuron-xla", "neuron")
    assert (document["name"], document["script_exit"]) == ("train", 0)
    (line,) = document["lines"]
    assert (line["line"], line["self_ns"]) == (7, 40)
    assert "compile_cache_older" not in {note["code"] for note in document["quality"]}
    (session,) = (directory / ".sidelight" / "sessions").iterdir()
    assert Store(directory / ".sidelight").resolve("train").manifest.runtime_files == [str(session)]


def test_programs_from_an_older_cache_are_suspected_where_nothing_names_the_source(
    run: Run, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = SystemRows(1)
    rows.execution(20, 60, "100", 0)
    write_tables(directory / "tables", {"SystemProfileEvents": rows.rows})
    monkeypatch.setenv("TABLES", str(directory / "tables"))
    copying = 'import shutil\nshutil.copytree(os.environ["TABLES"], folder / "tables")\n'
    (directory / "train.py").write_text(RECORDED.replace("sys.exit", f"{copying}sys.exit"))
    document = json.loads(profile(run, "--json", "train.py", "0").stdout)
    (note,) = [each for each in document["quality"] if each["code"] == "compile_cache_older"]
    assert "NEURON_FRAMEWORK_DEBUG" in note["message"]
    assert document["unattributed_ns"] == document["device_time_ns"] == 40
