"""The store when writers are killed, many, or out of room."""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from cli.recorded import training_profile
from sidelight.profile import scratch
from sidelight.profile.errors import StoreError
from sidelight.profile.scratch import Scratch
from sidelight.profile.store import Store
from support.disks import small_disk

KILLS = 15
WRITERS, PROFILES_EACH = 4, 5

WRITE_FOREVER = """
import sys
from cli.recorded import training_profile
from sidelight.profile.store import Store
store, profile = Store(sys.argv[1]), training_profile("big", steps=200)
print("ready", flush=True)
while True:
    store.add(profile)
    print("stored", flush=True)
    if len(store.list()) > 3:
        store.prune(2)
"""


def start_writer(store: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITE_FOREVER, str(store)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        stdout=subprocess.PIPE,
        text=True,
    )


def read_everything(store: Store) -> int:
    """Open each part of each profile; how many there are."""
    assert store.problems() == []
    for stored in store.list():
        profile = stored.load()
        assert len(profile.events["name"]) > 1000
        assert len(profile.strings)
        assert len(profile.files) == 2
        assert len(profile.stacks)
        assert len(profile.frames)
        assert len(profile.steps) == 200
        assert len(profile.launches)
        assert profile.tracks
    return len(store.list())


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_kill_at_any_point_leaves_whole_profiles(tmp_path: Path) -> None:
    store, moment = Store(tmp_path), random.Random(2)
    kills = interrupted = 0
    while kills < KILLS or interrupted < 3:
        with start_writer(tmp_path) as writer:
            assert writer.stdout
            assert writer.stdout.readline() == "ready\n"
            assert writer.stdout.readline() == "stored\n"
            # An add takes a few times this long: the kill falls anywhere in one or a later one.
            time.sleep(moment.uniform(0, 0.15))
            writer.kill()
            left = len(os.listdir(tmp_path / "tmp")) if (tmp_path / "tmp").exists() else 0
            read_everything(store)
        kills += 1
        interrupted += left > 0
    store.add(training_profile("last", steps=200))
    assert os.listdir(tmp_path / "tmp") == [], "the next writer tidied up"
    assert read_everything(store) > 0


def add_several(store: str, number: int) -> None:
    for _ in range(PROFILES_EACH):
        Store(store).add(training_profile(f"writer-{number}", steps=200))


def test_many_writers_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [
        context.Process(target=add_several, args=(str(tmp_path), number))
        for number in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        read_everything(Store(tmp_path))
        Store(tmp_path).clean_up()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert read_everything(Store(tmp_path)) == WRITERS * PROFILES_EACH
    assert os.listdir(tmp_path / "tmp") == []


def rename_often(store: str, reference: str, field: str) -> None:
    for number in range(20):
        Store(store).update_manifest(reference, **{field: f"{field} {number}"})


def test_two_changes_of_one_manifest_both_last(tmp_path: Path) -> None:
    stored = Store(tmp_path).add(training_profile())
    context = multiprocessing.get_context("fork")
    changes = [
        context.Process(target=rename_often, args=(str(tmp_path), stored.id, field))
        for field in ("name", "host")
    ]
    for change in changes:
        change.start()
    for change in changes:
        change.join()
        assert change.exitcode == 0
    manifest = Store(tmp_path).resolve(stored.id).manifest
    assert (manifest.name, manifest.host) == ("name 19", "host 19")


@pytest.fixture
def disk(tmp_path: Path) -> Generator[Path]:
    with small_disk(tmp_path / "disk", 256) as mounted:
        yield mounted


def test_a_full_disk(disk: Path) -> None:
    store = Store(disk)
    stored = store.add(training_profile("small"))
    with pytest.raises(StoreError, match="no room left") as caught:
        store.add(training_profile("too big", steps=400))
    assert caught.value.code == "disk_full"
    assert [profile.id for profile in store.list()] == [stored.id]
    assert os.listdir(disk / "tmp") == []
    (disk / "rest").write_bytes(b"x" * free_bytes(disk))
    store.delete(stored.id)
    assert store.list() == [], "deleting works where nothing can be written"


def test_a_full_disk_is_told_of_the_store_and_not_of_a_place_within(disk: Path) -> None:
    store = Store(disk)
    with (
        store.staging() as staging,
        pytest.raises(StoreError, match=f"write in {re.escape(str(disk))}[.] "),
    ):
        staging.add(training_profile("too big", steps=400))
    assert os.listdir(disk / "tmp") == []


def free_bytes(disk: Path) -> int:
    state = os.statvfs(disk)
    return state.f_bavail * state.f_bsize


def add_with_small_files_only(store: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
    with pytest.raises(StoreError) as caught:
        Store(store).add(training_profile(steps=400))
    assert caught.value.code == "disk_full"


def test_a_limit_on_file_sizes(tmp_path: Path) -> None:
    process = multiprocessing.get_context("fork").Process(
        target=add_with_small_files_only, args=(str(tmp_path),)
    )
    process.start()
    process.join()
    assert process.exitcode == 0
    assert Store(tmp_path).list() == []
    assert os.listdir(tmp_path / "tmp") == []


@pytest.mark.parametrize("blocked", ["", "profiles", "tmp"])
def test_a_file_in_place_of_a_directory(tmp_path: Path, blocked: str) -> None:
    root = tmp_path / "store"
    (root / blocked).parent.mkdir(exist_ok=True)
    (root / blocked).write_text("in the way")
    store = Store(root)
    with pytest.raises(StoreError, match="in the place of a directory"):
        store.add(training_profile())
    with pytest.raises(StoreError, match="in the place of a directory"), store.run_directory():
        pass


def test_a_place_where_nothing_can_be_written() -> None:
    with pytest.raises(StoreError, match="cannot be used: ") as caught:
        Store("/proc/sidelight").add(training_profile())
    assert caught.value.code == "store_unusable"


def abandoned(root: Path, name: str, age_s: float = 0) -> Path:
    directory = root / name
    directory.mkdir(parents=True)
    (directory / "trace.json").write_text("{}")
    changed = time.time() - age_s
    os.utime(directory / "trace.json", (changed, changed))
    os.utime(directory, (changed, changed))
    return directory


def own_name(tmp_path: Path) -> str:
    with Scratch(tmp_path / "own").directory() as directory:
        return directory.name


def test_what_a_live_process_writes_is_left_alone(tmp_path: Path) -> None:
    with Scratch(tmp_path).directory() as directory:
        Scratch(tmp_path).clean_up()
        assert directory.exists()


def test_a_process_id_that_was_used_again_does_not_protect(tmp_path: Path) -> None:
    pid, start, host, _ = own_name(tmp_path).split("-")
    stale = abandoned(tmp_path / "tmp", f"{pid}-{int(start) - 1}-{host}-00000000")
    live = abandoned(tmp_path / "tmp", f"{pid}-{start}-{host}-00000000")
    Scratch(tmp_path / "tmp").clean_up()
    assert not stale.exists()
    assert live.exists()


def test_a_dead_process_nobody_waited_for_does_not_protect(tmp_path: Path) -> None:
    *_, host, _ = own_name(tmp_path).split("-")
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    start = scratch._process_start(process.pid)  # pyright: ignore[reportPrivateUsage]
    stale = abandoned(tmp_path / "tmp", f"{process.pid}-{start}-{host}-00000000")
    Scratch(tmp_path / "tmp").clean_up()
    assert stale.exists()
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    Scratch(tmp_path / "tmp").clean_up()
    assert not stale.exists()
    process.communicate()


def test_other_hosts_have_a_day(tmp_path: Path) -> None:
    fresh = abandoned(tmp_path / "tmp", "1-1-ffffffff-00000000")
    old = abandoned(tmp_path / "tmp", "1-1-ffffffff-11111111", 90_000)
    Scratch(tmp_path / "tmp").clean_up()
    assert fresh.exists()
    assert not old.exists()


@pytest.mark.parametrize("is_link", [False, True])
def test_what_has_no_name_of_ours_stays(tmp_path: Path, is_link: bool) -> None:
    """The store may share a place with somebody's ``tmp``, or come with one that leads anywhere."""
    theirs, root = tmp_path / "theirs", tmp_path / "store" / "tmp"
    root.parent.mkdir()
    if is_link:
        root.symlink_to(theirs)
    else:
        theirs = root
    precious = abandoned(theirs, "thesis", 1_000_000)
    Store(tmp_path / "store").add(training_profile())
    assert (precious / "trace.json").exists()


def test_hosts_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch._host.cache_clear()  # pyright: ignore[reportPrivateUsage]
    here = own_name(tmp_path)
    monkeypatch.setattr(socket, "gethostname", lambda: "another")
    scratch._host.cache_clear()  # pyright: ignore[reportPrivateUsage]
    there = own_name(tmp_path)
    scratch._host.cache_clear()  # pyright: ignore[reportPrivateUsage]
    assert here.split("-")[2] != there.split("-")[2]


def test_one_that_vanishes_does_not_end_the_tidying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = abandoned(tmp_path / "tmp", "1-1-ffffffff-00000000", 90_000)
    # Another process removes the first one after they were listed.
    listed = [tmp_path / "tmp" / "vanished", stale]

    def list_both(_: Path) -> list[Path]:
        return listed

    monkeypatch.setattr(Path, "iterdir", list_both)
    Scratch(tmp_path / "tmp").clean_up()
    assert not stale.exists()
