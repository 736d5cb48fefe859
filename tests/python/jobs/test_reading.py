"""Reading into the store, with the real reader and the real attribution."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sidelight.jobs.reading import read_into_store
from sidelight.jobs.worker import CancelledError
from sidelight.profile.errors import StoreError, UnreadableInputError
from sidelight.profile.store import Store, StoredProfile


def write_trace(path: Path, operators: int = 3) -> Path:
    """A trace of operators of 1 µs each, side by side."""
    events = [
        {"ph": "X", "cat": "cpu_op", "name": "aten::mul", "pid": 1, "tid": 1, "ts": 2.0 * number}
        | {"dur": 1.0, "args": {"External id": number + 1}}
        for number in range(operators)
    ]
    content = {"schemaVersion": 1, "baseTimeNanoseconds": 0, "traceEvents": events}
    path.write_text(json.dumps(content))
    return path


def test_a_trace_becomes_a_profile(tmp_path: Path) -> None:
    seen: list[float] = []
    store = Store(tmp_path / "store")
    trace = write_trace(tmp_path / "trace.json")
    stored = read_into_store(trace, store, name="mine", on_progress=seen.append)
    assert stored.directory == store.resolve("mine").directory
    assert stored.manifest.device_time_ns == 3000
    assert seen == sorted(seen)
    assert all(0 <= part <= 1 for part in seen)


def test_what_cannot_be_read_or_stored(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    with pytest.raises(UnreadableInputError):
        read_into_store(tmp_path / "missing.json", store)
    assert not (tmp_path / "store").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        read_into_store(write_trace(tmp_path / "trace.json"), Store(tmp_path / "file"))


def test_cancelled_reading_leaves_nothing(tmp_path: Path) -> None:
    store, cancel = Store(tmp_path / "store"), threading.Event()
    trace = write_trace(tmp_path / "trace.json", 100_000)
    with pytest.raises(CancelledError):
        read_into_store(trace, store, on_progress=lambda part: cancel.set(), cancel=cancel)
    assert store.list() == []
    scratch = tmp_path / "store" / "tmp"
    assert not scratch.exists() or os.listdir(scratch) == []


def write_ranks(folder: Path, operators: int) -> Path:
    """Traces of three ranks, of which one holds no event."""
    folder.mkdir()
    write_trace(folder / "rank0.json", operators)
    write_trace(folder / "rank1.json", operators)
    metadata = {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}}
    (folder / "rank2.json").write_text(json.dumps({"traceEvents": [metadata]}))
    return folder


def test_ranks_share_a_name_and_what_is_missing_is_said(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    first = read_into_store(write_ranks(tmp_path / "run", 2), store)
    names = [(each.manifest.name, each.manifest.rank) for each in store.list()]
    assert sorted(names) == [("run", 0), ("run", 1)]
    assert first.directory == store.resolve("run").directory == store.resolve("run#0").directory
    manifest = StoredProfile(first.directory).manifest
    (missing,) = [note for note in manifest.quality if note.code == "recordings_not_read"]
    assert "rank2.json" in missing.message
    assert "ranks_by_order" in {note.code for note in manifest.quality}


def test_unrelated_traces_of_one_folder_keep_names_and_ranks_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    folder.mkdir()
    for name in ("before", "after"):
        path = folder / f"{name}.json"
        write_trace(path, 2)
        trace = json.loads(path.read_text())
        trace["distributedInfo"] = {"rank": 0, "world_size": 1}
        path.write_text(json.dumps(trace))
    store = Store(tmp_path / "store")
    read_into_store(folder, store)
    manifests = [StoredProfile(each.directory).manifest for each in store.list()]
    assert {(each.name, each.rank, each.world_size) for each in manifests} == {
        ("before", 0, 1),
        ("after", 0, 1),
    }
    codes = {note.code for each in manifests for note in each.quality}
    assert "ranks_by_order" not in codes


def test_ranks_that_were_read_before_a_cancel_are_not_stored_either(tmp_path: Path) -> None:
    store, cancel = Store(tmp_path / "store"), threading.Event()

    def give_up_late(part: float) -> None:
        if part > 0.4:  # the first of three has been stored where it waits for the others
            cancel.set()

    with pytest.raises(CancelledError):
        read_into_store(
            write_ranks(tmp_path / "run", 50_000), store, on_progress=give_up_late, cancel=cancel
        )
    assert store.list() == []
    assert os.listdir(tmp_path / "store" / "tmp") == []


def test_the_reading_process_alone_loads_what_is_heavy(tmp_path: Path) -> None:
    trace = write_trace(tmp_path / "trace.json")
    code = (
        "import sys\n"
        "from sidelight.jobs.reading import read_into_store\n"
        "from sidelight.profile.store import Store\n"
        f"stored = read_into_store({str(trace)!r}, Store({str(tmp_path / 'store')!r}))\n"
        "heavy = {'numpy', 'pandas', 'torch'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "print(stored.id)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == Store(tmp_path / "store").list()[0].id
