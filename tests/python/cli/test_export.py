"""``sidelight export``: what it writes, what it says, and what keeps it from that."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.recorded import training_profile
from cli.running import Run
from export.exported_profiles import predicted
from sidelight.jobs.export import EXPORT_FORMATS, WITHOUT_TIMES
from sidelight.profile.manifest import Manifest
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from support.document import Document
from support.tool import TIMEOUT_S
from support.waiting import until


def export_command(store: Path, output: Path, export_format: str = "chrome") -> list[str]:
    return [
        *(sys.executable, "-m", "sidelight", "export", "train", "--format", export_format),
        *("--store", str(store), "-o", str(output)),
    ]


@pytest.mark.parametrize("export_format", EXPORT_FORMATS)
def test_the_document(run: Run, store: Path, tmp_path: Path, export_format: str) -> None:
    path = tmp_path / "out.file"
    done = run("export", "train", "--format", export_format, "--store", store, "-o", path, "--json")
    assert done.status == 0
    stored = Store(store).resolve("train")
    assert json.loads(done.stdout) == {
        "profile": str(stored.directory),
        "format": export_format,
        "path": str(path),
        "bytes": path.stat().st_size,
        "events": len(stored.load().events),
    }
    assert done.stderr == ""


@pytest.mark.parametrize("export_format", EXPORT_FORMATS)
def test_what_a_person_reads(run: Run, store: Path, tmp_path: Path, export_format: str) -> None:
    path = tmp_path / "out.file"
    done = run("export", "train", "--format", export_format, "--store", store, "-o", path)
    assert done.status == 0
    assert str(path) in done.stdout
    assert f"{len(Store(store).resolve('train').load().events):,} events" in done.stdout


def test_a_chrome_trace_is_opened_with_the_same_lines(
    run: Run, store: Path, tmp_path: Path
) -> None:
    path = tmp_path / "trace.json"
    assert run("export", "train", "--format", "chrome", "--store", store, "-o", path).status == 0
    before: Document = json.loads(run("lines", "train", "--store", store, "--json").stdout)
    after: Document = json.loads(run("open", path, "--store", store, "--json").stdout)
    assert after["lines"] == before["lines"]
    assert after["device_time_ns"] == before["device_time_ns"]
    assert after["steps"] == before["steps"]


def test_a_relative_path_is_of_the_working_directory(
    run: Run, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("export", "train", "--format", "csv", "--store", store, "-o", "a.csv", "--json")
    assert json.loads(done.stdout)["path"] == str(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").is_file()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--format", "csv"],
        ["-o", "x"],
        ["--format", "pdf", "-o", "x"],
        ["--format", "csv", "-o", ""],
        ["--format", "csv", "-o", "x", "--from", "-1"],
        ["--format", "csv", "-o", "x", "--from", "5", "--to", "5"],
        *(["--format", name, "-o", "x", "--from", "5"] for name in WITHOUT_TIMES),
    ],
)
def test_wrong_usage(
    run: Run, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", "train", "--store", store, *arguments).status == 2
    assert not (tmp_path / "x").exists()


def test_a_profile_that_is_not_there(run: Run, store: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    done = run("export", "other", "--format", "csv", "--store", store, "-o", path, "--json")
    assert done.status == 3
    assert json.loads(done.stdout)["error"]["code"] == "profile_not_found"
    assert not path.exists()


def test_a_place_in_the_profile_itself(run: Run, store: Path) -> None:
    directory = Store(store).resolve("train").directory
    before = (directory / "events.npz").read_bytes()
    path = directory / "events.npz"
    done = run("export", "train", "--format", "csv", "--store", store, "-o", path, "--json")
    assert done.status == 3
    assert json.loads(done.stdout)["error"]["code"] == "not_writable"
    assert path.read_bytes() == before


def test_names_in_the_profile_choose_no_path(run: Run, tmp_path: Path) -> None:
    store, here = tmp_path / "store", tmp_path / "here"
    here.mkdir()
    profile = training_profile("../../evil")
    profile.strings = ["../../evil.json" for _ in profile.strings]
    directory = Store(store).add(profile).directory
    path = here / "a.json"
    done = run("export", directory, "--format", "chrome", "--store", store, "-o", path)
    assert done.status == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["here", "store"]
    assert [each.name for each in here.iterdir()] == ["a.json"]


@pytest.mark.parametrize("export_format", ["chrome", "csv"])
def test_a_profile_without_events(run: Run, tmp_path: Path, export_format: str) -> None:
    store, path = tmp_path / "store", tmp_path / "x"
    Store(store).add(Profile(Manifest(name="figures", created="", format="nxdi_report")))
    where = ("--store", store, "-o", path, "--json")
    done = run("export", "figures", "--format", export_format, *where)
    assert done.status == 3
    assert json.loads(done.stdout)["error"]["code"] == "no_events"
    assert not path.exists()


def test_predicted_times_are_not_predicted_again_without_what_was_recorded(
    run: Run, tmp_path: Path
) -> None:
    store, path = tmp_path / "store", tmp_path / "trace.json"
    profile = predicted(tmp_path)
    Store(store).add(profile)
    run("export", profile.manifest.name, "--format", "chrome", "--store", store, "-o", path)
    same = run("open", path, "--store", store, "--json")
    assert json.loads(same.stdout)["time_kind"] == "predicted"
    other = run("open", path, "--device", "trn1", "--store", store, "--json")
    assert other.status == 3
    assert json.loads(other.stdout)["error"]["code"] == "cannot_price"


def test_a_full_disk_leaves_the_old_file(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "out" / "trace.json"
    path.parent.mkdir()
    path.write_bytes(b"old")

    def no_large_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = subprocess.run(
        [*export_command(store, path), "--json"],
        preexec_fn=no_large_files,
        capture_output=True,
        check=False,
        timeout=TIMEOUT_S,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["error"]["code"] == "disk_full"
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_an_interrupt_leaves_nothing_half(tmp_path: Path) -> None:
    store, path = tmp_path / "store", tmp_path / "out" / "trace.json"
    path.parent.mkdir()
    Store(store).add(training_profile(steps=4_000))
    process = subprocess.Popen(
        export_command(store, path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    until(lambda: any(path.parent.iterdir()) or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=TIMEOUT_S)
    # It may have been done by then: what counts is that the file is whole, or not there.
    done = [(status, True) for status in (0, 1, -signal.SIGINT)]
    assert (process.returncode, path.exists()) in [(1, False), *done]
    if path.exists():
        json.loads(path.read_text("utf-8"))
    assert list(path.parent.iterdir()) == [path][: path.exists()]
