"""Derived results: kept whole, or not at all, and nowhere but in the profile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sidelight.profile import derived
from sidelight.profile.derived import read_derived, write_derived
from sidelight.profile.manifest import Manifest
from sidelight.profile.model import Profile
from sidelight.profile.store import Store


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert read_derived(tmp_path, "results") is None
    for content in (b"", b"some results", bytes(range(256)) * 1000):
        write_derived(tmp_path, "results", content)
        assert read_derived(tmp_path, "results") == content
    assert os.listdir(tmp_path / "derived") == ["results"]
    assert read_derived(tmp_path, "others") is None


def test_damage_is_noticed_wherever_it_is(tmp_path: Path) -> None:
    write_derived(tmp_path, "results", b"some results")
    file = tmp_path / "derived" / "results"
    whole = file.read_bytes()
    for position in range(len(whole)):
        file.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        assert read_derived(tmp_path, "results") is None
        file.write_bytes(whole[:position])
        assert read_derived(tmp_path, "results") is None
    file.write_bytes(whole)
    assert read_derived(tmp_path, "results") == b"some results"


def test_another_version_is_as_good_as_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_derived(tmp_path, "results", b"some results")
    other = b"sidelight derived %d\n" % (derived.DERIVED_VERSION + 1)
    monkeypatch.setattr(derived, "_MAGIC", other)
    assert read_derived(tmp_path, "results") is None


@pytest.mark.parametrize(
    "name", ["../profile.json", "../../outside", "/tmp/outside", "..", ".", "", "a\0b", "x" * 999]
)
def test_names_do_not_lead_out_of_their_directory(tmp_path: Path, name: str) -> None:
    profile = tmp_path / "store" / "profile"
    profile.mkdir(parents=True)
    write_derived(profile, name, b"content")
    assert read_derived(profile, name) is None
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("link", ["derived", "derived/results", "derived/results.new"])
def test_links_do_not_lead_out_of_the_profile(tmp_path: Path, link: str) -> None:
    profile, outside = tmp_path / "profile", tmp_path / "outside"
    (profile / "derived").mkdir(parents=True)
    if link == "derived":
        (profile / "derived").rmdir()
        outside.mkdir()
    (profile / link).symlink_to(outside)
    write_derived(profile, "results", b"content")
    assert not outside.is_file()
    assert not outside.is_dir() or os.listdir(outside) == []


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    write_derived(tmp_path, "results", b"content")
    (tmp_path / "derived" / "results").unlink()
    os.mkfifo(tmp_path / "derived" / "results")
    assert read_derived(tmp_path, "results") is None


def test_a_store_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "derived").write_text("a file in its place")
    write_derived(tmp_path, "results", b"content")
    assert read_derived(tmp_path, "results") is None
    write_derived(tmp_path / "deleted", "results", b"content")
    assert not (tmp_path / "deleted").exists()


def test_a_write_that_fails_halfway_leaves_the_old_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_derived(tmp_path, "results", b"old")
    monkeypatch.setattr(os, "fsync", _disk_is_full)
    write_derived(tmp_path, "results", b"new")
    assert read_derived(tmp_path, "results") == b"old"
    assert os.listdir(tmp_path / "derived") == ["results"]


def _disk_is_full(descriptor: int) -> None:
    raise OSError(28, "No space left on device")


def test_results_are_stored_sized_and_deleted_with_their_profile(tmp_path: Path) -> None:
    store = Store(tmp_path)
    profile = Profile(Manifest(name="one", created="", format="test"))
    plain = store.add(profile)
    stored = store.add(profile, derived={"results": bytes(5000)})
    assert read_derived(stored.directory, "results") == bytes(5000)
    assert stored.size_bytes() - plain.size_bytes() > 5000
    store.delete(stored.id)
    assert not stored.directory.exists()
