"""What is kept of a large timeline: there before the tables are read, and what they would say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cli.recorded import training_profile
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.analysis.timelines.kept import KEPT_FROM_EVENTS
from sidelight.jobs import first_look, reading_worker
from sidelight.jobs.first_look import KEPT_AS
from sidelight.jobs.timeline_queries import TimelineQueries
from sidelight.profile.derived import read_derived, write_derived
from sidelight.profile.manifest import Manifest, Track
from sidelight.profile.model import Profile
from sidelight.profile.store import Store, StoredProfile
from sidelight.profile.tables import ATTRIBUTION_COLUMNS, EVENT_COLUMNS, Category, Table
from support.disks import small_disk

EVENTS = KEPT_FROM_EVENTS + 1


def large_profile() -> Profile:
    """Kernels one after another on a stream, with gaps, most of them short."""
    random = np.random.default_rng(7)
    length_ns = random.integers(1, 2_000, EVENTS) ** 2
    start_ns = np.cumsum(length_ns) - length_ns
    given = {
        "track": np.zeros(EVENTS),
        "category": np.full(EVENTS, int(Category.DEVICE)),
        "name": np.arange(EVENTS) % 3,
        "start_ns": start_ns,
        "duration_ns": length_ns // 2,
        "device_ns": length_ns // 2,
        "operator": np.arange(EVENTS),
    }
    columns = {
        name: given.get(name, np.full(EVENTS, -1)).astype(kind)
        for name, kind in {**EVENT_COLUMNS, **ATTRIBUTION_COLUMNS}.items()
    }
    return Profile(
        Manifest(name="large", created="", format="made", line_level="none"),
        strings=["matmul", "add", "copy"],
        tracks=[Track("device", "stream", "0", "1")],
        events=Table(columns),
    )


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> StoredProfile:
    stored = Store(tmp_path_factory.mktemp("kept")).add(large_profile())
    with TimelineQueries(stored.directory) as queries:
        queries.timeline()
    return stored


@pytest.mark.parametrize("width", [300, 731, 1200, 2000, 5000, 40_000])
def test_what_is_kept_is_what_the_index_says(stored: StoredProfile, width: int) -> None:
    index = TimelineIndex(stored.load())
    overview = index.overview(stored.manifest)
    margin_ns = (overview.end_ns - overview.start_ns) // 100
    whole = (overview.start_ns - margin_ns, overview.end_ns + margin_ns)
    content = read_derived(stored.directory, KEPT_AS)
    assert content is not None
    with TimelineQueries(stored.directory) as queries:
        assert queries.timeline() == overview
        assert queries.window(*whole, width) == index.window(*whole, width)
        part = (overview.start_ns + 1, overview.end_ns)
        assert queries.window(*part, width) == index.window(*part, width)


def test_the_first_answers_need_no_table(tmp_path: Path, stored: StoredProfile) -> None:
    index = TimelineIndex(stored.load())
    overview = index.overview(stored.manifest)
    bare = Store(tmp_path).add(large_profile())
    content = read_derived(stored.directory, KEPT_AS)
    assert content is not None
    write_derived(bare.directory, KEPT_AS, content)
    (bare.directory / "events.npz").unlink()
    with TimelineQueries(bare.directory) as queries:
        assert queries.timeline().tracks == overview.tracks
        whole = (overview.start_ns - 10, overview.end_ns + 10)
        assert queries.window(*whole, 1000).count == index.window(*whole, 1000).count > 100


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"overview": 1, "windows": []}'])
def test_what_is_damaged_is_made_anew(stored: StoredProfile, content: bytes) -> None:
    before = read_derived(stored.directory, KEPT_AS)
    assert before is not None
    write_derived(stored.directory, KEPT_AS, content)
    with TimelineQueries(stored.directory) as queries:
        assert queries.timeline().events == EVENTS
    assert read_derived(stored.directory, KEPT_AS) == before


def test_nothing_is_kept_of_a_small_one(tmp_path: Path) -> None:
    small = Store(tmp_path).add(training_profile())
    with TimelineQueries(small.directory) as queries:
        queries.timeline()
    assert read_derived(small.directory, KEPT_AS) is None


def read_into(store: Path, profile: StoredProfile) -> StoredProfile:
    """The profile, read into another store as the process that reads does it."""
    directories, unread = reading_worker.read_recordings(
        str(profile.directory), str(store), "renamed", None, None, progress=lambda _: None
    )
    assert not unread
    return StoredProfile(Path(directories[0]))


def test_a_profile_is_stored_with_its_first_look(tmp_path: Path, stored: StoredProfile) -> None:
    read = read_into(tmp_path, stored)
    kept = first_look.kept_first_look(read)
    assert kept is not None
    assert kept.overview.events == EVENTS
    index = TimelineIndex(stored.load())
    (read.directory / "events.npz").unlink()
    with TimelineQueries(read.directory) as queries:
        overview = queries.timeline()
        whole = (overview.start_ns, overview.end_ns + 1)
        assert overview.name == "renamed"
        assert queries.window(*whole, 1200) == index.window(*whole, 1200)
    assert read.size_bytes() > sum(path.stat().st_size for path in read.directory.glob("*.*"))


def test_a_fault_in_the_first_look_does_not_lose_a_profile(
    tmp_path: Path, stored: StoredProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(stored: StoredProfile, profile: Profile) -> None:
        raise MemoryError

    monkeypatch.setattr(reading_worker, "keep_first_look", fail)
    read = read_into(tmp_path, stored)
    assert first_look.kept_first_look(read) is None
    with TimelineQueries(read.directory) as queries:
        assert queries.timeline().events == EVENTS
    assert first_look.kept_first_look(read) is not None


def test_a_disk_that_is_full_before_the_first_look_is_kept(
    tmp_path: Path, stored: StoredProfile
) -> None:
    kept = read_derived(stored.directory, KEPT_AS)
    assert kept is not None
    room = stored.size_bytes() - len(kept) // 2
    with small_disk(tmp_path / "disk", room // 1024) as disk:
        read = read_into(disk, stored)
        assert first_look.kept_first_look(read) is None
        assert len(read.load().events) == EVENTS
        assert not list(read.directory.rglob("*.new"))
