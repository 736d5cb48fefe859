"""The store: what is put in comes out, under every name it has, and deleting is safe."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from cli.recorded import training_profile
from sidelight.profile.errors import ProfileNotFoundError, StoreError
from sidelight.profile.manifest import SCHEMA_VERSION, Manifest, SourceFile
from sidelight.profile.model import Profile
from sidelight.profile.store import Store, StoredProfile
from sidelight.profile.tables import Category, Table

PARTS = ["events", "frames", "stacks", "launches", "steps", "strings", "tracks", "files"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def assert_same(left: Profile, right: Profile) -> None:
    for part in PARTS:
        mine, other = getattr(left, part), getattr(right, part)
        if isinstance(mine, Table):
            assert list(mine) == list(other)
            for column in mine:
                assert mine[column].dtype == other[column].dtype
                np.testing.assert_array_equal(mine[column], other[column])
        else:
            assert mine == other


def test_a_profile_comes_back_as_it_was(store: Store) -> None:
    profile = training_profile("first", environment={"A": "b"})
    stored = store.add(profile)
    loaded = store.load("first")
    assert_same(profile, loaded)
    before, after = profile.manifest, loaded.manifest
    assert all(
        getattr(before, name) == getattr(after, name)
        for name in Manifest.__struct_fields__
        if name != "created"
    )
    assert stored.manifest.created.endswith("Z")
    assert stored.manifest.steps == 4
    events = profile.events
    assert stored.manifest.device_time_ns == events["device_ns"][events["step"] >= 0].sum()


def test_source_texts_come_back_exactly(store: Store) -> None:
    profile = training_profile()
    profile.files = [
        SourceFile("/a.py", "x = 1\r\ny = '日本\udc80'\n\ttab\x00"),
        SourceFile("/b", None),
        SourceFile("/c.py", ""),
    ]
    store.add(profile)
    assert store.load("train").files == profile.files


def test_a_name_that_is_no_unicode_is_stored_readably(store: Store) -> None:
    store.add(training_profile(command=["b\udcffad.py"]))
    assert store.load("train").manifest.command == ["b?ad.py"]


def test_an_unattributed_profile_has_no_device_time_yet(store: Store) -> None:
    profile = training_profile()
    attributed = {"parent", "stack", "backward", "launch", "operator", "step", "device_ns"}
    profile.events = Table(
        {name: profile.events[name] for name in profile.events if name not in attributed}
    )
    assert store.add(profile).manifest.device_time_ns is None


def test_opening_a_manifest_reads_no_table(store: Store) -> None:
    stored = store.add(training_profile())
    for table in stored.directory.glob("*.npz"):
        table.unlink()
    profile = store.load("train")
    assert profile.manifest.name == "train"
    assert "train" in repr(profile)
    assert profile != store.load("train")
    with pytest.raises(StoreError, match=r"events\.npz is missing"):
        _ = profile.events


def test_a_part_is_read_once_and_can_be_replaced(store: Store) -> None:
    store.add(training_profile())
    profile = store.load("train")
    assert profile.events is profile.events
    profile.strings = ["mine"]
    assert profile.strings == ["mine"]


def test_a_table_opens_as_a_data_frame(store: Store) -> None:
    store.add(training_profile())
    profile = store.load("train")
    for name in ("events", "frames", "stacks", "launches", "steps"):
        table: Table = getattr(profile, name)
        frame: Any = table.to_pandas()  # pandas carries no types of its own
        assert list(frame.columns) == list(table)
        assert list(frame.dtypes) == [table[column].dtype for column in table]
        assert len(frame) == len(table) > 0
    events: Any = profile.events.to_pandas()
    operators = events[events.category == Category.OPERATOR]
    assert operators["device_ns"].sum() == profile.events["device_ns"].sum() > 0


def test_references(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    older, newer = store.add(training_profile("same")), store.add(training_profile("same"))
    other = store.add(training_profile("odd#name"))
    assert store.resolve("same").directory == newer.directory
    assert store.resolve(older.id).directory == older.directory
    assert store.resolve(str(older.directory)).directory == older.directory
    assert store.resolve("odd#name").directory == other.directory
    monkeypatch.chdir(older.directory)
    assert store.resolve(".").directory == older.directory
    assert [profile.id for profile in store.list()] == [other.id, newer.id, older.id]


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "none",
        "..",
        "../tmp",
        "same#0",
        "same#",
        "#0",
        "same#x",
        "/",
        "a\0b",
        f"same#{'9' * 5000}",
    ],
)
def test_references_to_nothing(store: Store, reference: str) -> None:
    store.add(training_profile("same"))
    with pytest.raises(ProfileNotFoundError) as caught:
        store.resolve(reference)
    assert caught.value.code == "profile_not_found"


def test_a_reference_to_a_trace_says_how_to_read_it(store: Store, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text("{}")
    with pytest.raises(ProfileNotFoundError, match="sidelight open"):
        store.resolve(str(trace))


def ranks(store: Store, *numbers: int, name: str = "run", port: str = "1") -> dict[int, str]:
    return {
        rank: store.add(
            training_profile(name, rank=rank, world_size=4, environment={"MASTER_PORT": port})
        ).id
        for rank in numbers
    }


def test_ranks_share_a_name(store: Store) -> None:
    first = ranks(store, 1, 0, 2, 3)
    second = ranks(store, 3, 2, 0, 1)
    assert store.resolve("run").id == second[0]
    assert store.resolve("run#3").id == second[3]
    third = ranks(store, 3, 2, port="2")
    assert store.resolve("run").id == third[2], "the lowest rank that was recorded"
    with pytest.raises(ProfileNotFoundError, match="no rank 0"):
        store.resolve("run#0")
    assert len({*first.values(), *second.values(), *third.values()}) == 10


def test_one_that_knows_of_no_ranks_says_how_it_is_called(store: Store) -> None:
    store.add(training_profile("single"))
    with pytest.raises(ProfileNotFoundError, match="It knows of no ranks: call it single"):
        store.resolve("single#0")


def test_pruning_keeps_runs_whole(store: Store) -> None:
    single = store.add(training_profile("single"))
    first = ranks(store, 0, 1)
    second = ranks(store, 1, 0, 2)
    assert store.prune(9) == []
    assert {profile.id for profile in store.prune(2)} == {single.id}
    assert {profile.id for profile in store.prune(1)} == set(first.values())
    assert {profile.id for profile in store.list()} == set(second.values())
    store.prune(0)
    assert store.list() == []
    assert store.size_bytes() == 0


def test_deleting(store: Store) -> None:
    kept, deleted = store.add(training_profile("kept")), store.add(training_profile("deleted"))
    store.delete("deleted")
    assert not deleted.directory.exists()
    assert [profile.id for profile in store.list()] == [kept.id]
    assert os.listdir(store.directory / "tmp") == []
    with pytest.raises(ProfileNotFoundError):
        store.delete("deleted")


def test_deleting_stays_inside_the_store(store: Store, tmp_path: Path) -> None:
    elsewhere = Store(tmp_path / "elsewhere").add(training_profile())
    with pytest.raises(StoreError, match="is not in the store"):
        store.delete(str(elsewhere.directory))
    assert elsewhere.directory.exists()


def test_what_was_taken_in_later_is_newer(store: Store) -> None:
    """However fast one follows another."""
    with store.staging() as staging:
        staged = [
            staging.add(Profile(Manifest(name="n", created="", format="f"))) for _ in range(30)
        ]
        taken = [store.adopt(profile).id for profile in staged]
    assert [profile.id for profile in store.list()] == taken[::-1]


def test_changing_a_manifest(store: Store) -> None:
    stored = store.add(training_profile(script_exit=None))
    assert store.rename("train", "better").manifest.name == "better"
    store.update_manifest("better", script_exit=3, stopped_by="terminate")
    manifest = store.load(stored.id).manifest
    assert (manifest.script_exit, manifest.stopped_by) == (3, "terminate")
    assert manifest.created == stored.manifest.created


def test_sizes(store: Store) -> None:
    stored = store.add(training_profile())
    files = [path for path in stored.directory.rglob("*") if path.is_file()]
    assert stored.size_bytes() == sum(len(path.read_bytes()) for path in files) > 10_000
    assert store.size_bytes() == stored.size_bytes()


def test_the_store_keeps_itself_out_of_version_control(store: Store) -> None:
    store.add(training_profile())
    assert (store.directory / ".gitignore").read_text() == "*\n"


def test_a_store_that_is_not_there_is_empty_and_stays_so(store: Store) -> None:
    assert store.list() == store.problems() == []
    assert not store.directory.exists()


@pytest.mark.parametrize(("schema", "word"), [(SCHEMA_VERSION + 1, "newer"), (0, "older")])
def test_other_schema_versions(store: Store, schema: int, word: str) -> None:
    stored = store.add(training_profile())
    path = stored.directory / "profile.json"
    path.write_text(json.dumps({"schema": schema, "everything": "else"}))
    with pytest.raises(StoreError, match=f"stored by an? {word} version") as caught:
        store.load(stored.id)
    assert caught.value.code == "schema_unknown"
    assert store.list() == []
    assert [problem.code for problem in store.problems()] == ["schema_unknown"]


@pytest.mark.parametrize("damage", ["missing", "empty", "garbage", "truncated", "directory"])
@pytest.mark.parametrize("part", PARTS)
def test_damaged_parts(store: Store, part: str, damage: str) -> None:
    stored = store.add(training_profile())
    (path,) = stored.directory.glob(f"{part}.*")
    content = path.read_bytes()
    path.unlink()
    if damage == "directory":
        path.mkdir()
    elif damage != "missing":
        broken = {"empty": b"", "garbage": b"\x80garbage" * 9, "truncated": content[:-2]}[damage]
        path.write_bytes(broken)
    with pytest.raises(StoreError, match=path.name) as caught:
        getattr(store.load("train"), part)
    assert caught.value.code == "profile_damaged"
    store.delete(stored.id)
    assert store.problems() == []


@pytest.mark.parametrize("instead", ["pipe", "/dev/zero"])
@pytest.mark.parametrize("part", ["profile.json", "strings.json", "events.npz", "sources/0.py"])
def test_a_part_that_never_ends_is_damaged(store: Store, part: str, instead: str) -> None:
    stored = store.add(training_profile())
    path = stored.directory / part
    path.unlink()
    if instead == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(instead)
    with pytest.raises(StoreError) as caught:
        _read_all(stored)
    assert caught.value.code == "profile_damaged"


@pytest.mark.parametrize(
    "content",
    [
        b'{"schema":1,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"schema":1' + b"0" * 5_000 + b"}",
        b'{"schema":1,"name":"","created":"","format":"","steps":1' + b"0" * 400 + b"}",
    ],
    ids=["deep", "schema", "steps"],
)
def test_a_manifest_made_to_break_readers_breaks_only_itself(store: Store, content: bytes) -> None:
    good, bad = store.add(training_profile("good")), store.add(training_profile("bad"))
    (bad.directory / "profile.json").write_bytes(content)
    assert [profile.id for profile in store.list()] == [good.id]
    assert [problem.code for problem in store.problems()] == ["profile_damaged"]


@pytest.mark.parametrize("name", [".gitignore", "profiles/{id}/profile.json"])
def test_a_link_in_the_way_of_a_change_is_not_followed(
    store: Store, tmp_path: Path, name: str
) -> None:
    stored = store.add(training_profile())
    path = store.directory / name.format(id=stored.id)
    outside = tmp_path / "outside"
    outside.write_text("precious")
    path.with_name(f"{path.name}.new").symlink_to(outside)
    if path.name == ".gitignore":
        path.unlink()
    store.rename(stored.id, "another")
    store.add(training_profile())
    assert outside.read_text() == "precious"
    assert not path.is_symlink()


def test_a_source_stays_inside_its_profile(store: Store) -> None:
    stored = store.add(training_profile())
    (store.directory / "secret").write_text("secret")
    for name in ("../../secret", "/etc/hostname", "a\0b"):
        files = [{"path": "/a.py", "snapshot": name}]
        (stored.directory / "files.json").write_text(json.dumps(files))
        with pytest.raises(StoreError, match=r"files\.json cannot be read") as caught:
            _ = store.load("train").files
        assert stored.id in caught.value.message.rpartition("--delete")[2]


def test_a_source_that_is_gone_names_its_profile(store: Store) -> None:
    stored = store.add(training_profile())
    next((stored.directory / "sources").iterdir()).unlink()
    with pytest.raises(StoreError, match="is missing") as caught:
        _ = store.load("train").files
    assert f"--delete {stored.id}`" in caught.value.message


def test_a_flipped_bit_in_a_table_is_noticed(store: Store) -> None:
    stored = store.add(training_profile())
    path = stored.directory / "events.npz"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(StoreError):
        _ = stored.load().events


@pytest.mark.parametrize(
    ("offset", "value"),
    [
        *((6, version) for version in (99, 255)),
        *((8, flag) for flag in (1, 1 << 5, 1 << 6)),  # a password, a patch, strong encryption
        *((10, method) for method in (1, 8, 12, 14, 99)),  # of compression
    ],
)
def test_a_table_whose_archive_is_of_another_kind_is_damaged(
    store: Store, offset: int, value: int
) -> None:
    """A byte of the first column's entry in the archive's directory is another."""
    stored = store.add(training_profile())
    path = stored.directory / "events.npz"
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + offset] = value
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"events\.npz") as caught:
        _ = stored.load().events
    assert caught.value.code == "profile_damaged"


def test_a_profile_that_is_deleted_while_it_is_open_is_not_called_damaged(store: Store) -> None:
    stored = store.add(training_profile())
    profile = stored.load()
    _ = profile.steps
    store.delete(stored.id)
    for part in ("events", "files", "strings"):
        with pytest.raises(StoreError, match="deleted or moved") as caught:
            getattr(profile, part)
        assert caught.value.code == "profile_not_found"


def test_a_column_in_the_place_of_a_table_is_damaged(store: Store) -> None:
    stored = store.add(training_profile())
    with (stored.directory / "events.npz").open("wb") as file:
        np.save(file, np.arange(9))
    with pytest.raises(StoreError, match=r"events\.npz") as caught:
        _ = stored.load().events
    assert caught.value.code == "profile_damaged"


def test_a_table_without_a_column_is_damaged(store: Store) -> None:
    profile = training_profile()
    profile.steps = Table({"start_ns": profile.steps["start_ns"]})
    stored = store.add(profile)
    with pytest.raises(StoreError):
        _ = stored.load().steps


@pytest.mark.parametrize("name", ["stacks", "launches"])
def test_a_tree_that_runs_in_a_circle_is_damaged(store: Store, name: str) -> None:
    profile = training_profile()
    parent = getattr(profile, name)["parent"]
    parent[0] = len(parent) - 1
    stored = store.add(profile)
    with pytest.raises(StoreError, match=rf"{name}\.npz"):
        getattr(stored.load(), name)


def test_a_manifest_that_is_damaged_is_reported_and_can_be_deleted(store: Store) -> None:
    good, bad = store.add(training_profile("good")), store.add(training_profile("bad"))
    (bad.directory / "profile.json").write_text("{")
    (problem,) = store.problems()
    assert bad.id in problem.message
    assert [profile.id for profile in store.list()] == [good.id]
    store.delete(bad.id)
    assert store.problems() == []


def test_the_run_directory_goes_with_the_run(store: Store) -> None:
    with store.run_directory() as run:
        (run / "trace.json").write_text("{}")
        assert run.parent == store.directory / "tmp"
    assert not run.exists()
    with pytest.raises(ValueError, match="mine"), store.run_directory() as run:
        raise ValueError("mine")
    assert not run.exists()


def test_manifests_of_a_later_minor_version_keep_what_is_known(store: Store) -> None:
    stored = store.add(training_profile())
    path = stored.directory / "profile.json"
    manifest = msgspec.json.decode(path.read_bytes())
    path.write_bytes(msgspec.json.encode({**manifest, "new": 1}))
    assert store.load("train").manifest.name == "train"


def test_a_profile_directory_can_be_moved_and_opened_by_path(store: Store, tmp_path: Path) -> None:
    stored = store.add(training_profile())
    shutil.move(stored.directory, tmp_path / "mailed")
    assert len(store.load(str(tmp_path / "mailed")).events) > 0


def _read_all(stored: StoredProfile) -> None:
    profile = stored.load()
    _ = profile.strings, profile.events, profile.files
