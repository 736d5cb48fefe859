"""Markers of a profile: kept for everyone, and lost by nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sidelight.profile.errors import StoreError
from sidelight.profile.markers import (
    MARKERS_FILE,
    MOST_MARKERS,
    Marker,
    change_markers,
    read_markers,
)

EACH_SETS = 20

WRITER = """
import sys
from pathlib import Path
from sidelight.profile.markers import Marker, change_markers

for at_ns in range(int(sys.argv[3])):
    mine = Marker(name=sys.argv[2], at_ns=at_ns)
    change_markers(Path(sys.argv[1]), removed=[], added=[mine])
"""


def marker(name: str, at_ns: int) -> Marker:
    return Marker(name=name, at_ns=at_ns)


def test_markers_are_set_and_removed_by_time(tmp_path: Path) -> None:
    assert read_markers(tmp_path) == []
    late, early = marker("late", 9), marker("early", -3)
    assert change_markers(tmp_path, removed=[], added=[late, early, late]) == [early, late]
    assert read_markers(tmp_path) == [early, late]
    named = marker("loss", 9)
    assert change_markers(tmp_path, removed=[late], added=[named]) == [early, named]
    # What another has removed meanwhile is no error.
    assert change_markers(tmp_path, removed=[late, early], added=[]) == [named]
    assert [path.name for path in tmp_path.iterdir()] == [MARKERS_FILE]


def test_processes_that_set_markers_at_once_lose_none(tmp_path: Path) -> None:
    names = ["one", "two", "three"]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name, str(EACH_SETS)])
        for name in names
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    expected = {marker(name, at_ns) for name in names for at_ns in range(EACH_SETS)}
    assert set(read_markers(tmp_path)) == expected


@pytest.mark.parametrize(
    "content", [b"", b"{}", b'[{"name": "", "at_ns": 1}]', b'[{"name": "a", "at_ns": 1e99}]']
)
def test_damaged_markers_are_said_and_stay(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / MARKERS_FILE
    path.write_bytes(content)
    for ask in (
        lambda: read_markers(tmp_path),
        lambda: change_markers(tmp_path, removed=[], added=[marker("a", 1)]),
    ):
        with pytest.raises(StoreError) as refused:
            ask()
        assert refused.value.code == "markers_damaged"
        assert str(path) in refused.value.message
    assert path.read_bytes() == content


def test_a_link_out_of_the_profile_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text('[{"name": "theirs", "at_ns": 1}]')
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / MARKERS_FILE).symlink_to(elsewhere)
    with pytest.raises(StoreError, match="cannot be read"):
        read_markers(profile)


def test_a_profile_that_is_gone_gets_no_markers(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(StoreError, match="gone"):
        change_markers(gone, removed=[], added=[marker("a", 1)])
    assert not gone.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_profile_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="permission"):
            change_markers(tmp_path, removed=[], added=[marker("a", 1)])
    finally:
        tmp_path.chmod(0o700)


def test_there_is_an_end_to_them(tmp_path: Path) -> None:
    many = [marker("a", at_ns) for at_ns in range(MOST_MARKERS + 1)]
    assert len(change_markers(tmp_path, removed=[], added=many[1:])) == MOST_MARKERS
    with pytest.raises(StoreError, match="at most 10,000"):
        change_markers(tmp_path, removed=[], added=many[:1])
    assert len(read_markers(tmp_path)) == MOST_MARKERS
