"""A workspace folder: its store, and what of it is shown."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from sidelight.analysis.annotations import Annotations
from sidelight.profile.errors import SidelightError, StoreError
from sidelight.profile.runs import group_into_runs, lowest_rank
from sidelight.profile.store import Store
from sidelight.profile.stored_manifest import MANIFEST_FILE, StoredManifest
from sidelight.profile.stored_profile import StoredProfile
from sidelight.server.file_index import FileIndex
from sidelight.server.selection import Selection, StoreContents, Wanted

# File systems tell times in ticks: a change within this time of the last look may look like none.
_TICK_NS = 2_000_000_000


@dataclass(frozen=True)
class Loaded:
    """A profile whose numbers are at hand."""

    annotations: Annotations
    files: FileIndex


@dataclass(frozen=True)
class Shown:
    """What a folder shows.

    Attributes:
        directory: The profile's.
        manifest: What is known of it beside its numbers; None where that cannot be read.
        loaded: Its numbers; None while they are being loaded, or cannot be.
        problem: A sentence on what cannot be shown: this profile, or a newer one.
    """

    directory: Path
    manifest: StoredManifest | None
    loaded: Loaded | None = None
    problem: str | None = None

    @property
    def loading(self) -> bool:
        """Whether numbers are to follow."""
        return self.loaded is None and self.manifest is not None


class Folder:
    """One folder of the workspace.

    Args:
        uri: The folder, as the client calls it.
        name: Its name, for people.
        path: Where it is.
        store: Its store; it need not exist yet.
    """

    def __init__(self, uri: str, name: str, path: Path, store: Path) -> None:
        self.uri = uri
        self.name = name
        self.path = path
        self.store = Store(store)
        self.contents = StoreContents()
        self.selection = Selection()
        self.wanted = Wanted()
        self.shown: Shown | None = None
        self.loading: asyncio.Task[None] | None = None
        self._seen: object = None
        self._seen_at_ns = 0

    def look(self, *, closely: bool = False) -> bool:
        """Look at the store; costs two questions to the file system where nothing happened.

        Args:
            closely: Read it even so: that a profile which is not shown was renamed shows nowhere
                else.

        Returns:
            Whether it holds something else than before.
        """
        stamps = (
            _changed_ns(self.store.directory / "profiles"),
            _changed_ns(self.shown.directory / MANIFEST_FILE) if self.shown else 0,
        )
        settled = self._seen_at_ns > max(stamps) + _TICK_NS
        if stamps == self._seen and settled and not closely:
            return False
        self._seen, self._seen_at_ns = stamps, time.time_ns()
        before = self.contents
        self.contents = _read(self.store)
        return _identity(before) != _identity(self.contents)

    def manifest(self, directory: Path) -> StoredManifest | None:
        """What is known of the profile of that directory; None where that cannot be read."""
        for profile in self.contents.profiles:
            if profile.directory == directory:
                return profile.manifest
        return None

    def reference(self, directory: Path) -> str:
        """What the command line knows a profile by: its name where that means it, else its id."""
        manifest = self.manifest(directory)
        if manifest is None:
            return directory.name
        name = manifest.name
        named = [profile for profile in self.contents.profiles if profile.manifest.name == name]
        meant = lowest_rank(group_into_runs(named)[0])
        return name if meant.directory == directory else directory.name


def _changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _read(store: Store) -> StoreContents:
    profiles: list[StoredProfile] = []
    problems: dict[Path, str] = {}
    try:
        entries = store.entries()
    except StoreError as error:
        return StoreContents(problems={store.directory: error.message})
    for entry in entries:
        try:
            _ = entry.manifest
        except SidelightError as error:
            if entry.directory.is_dir():  # not deleted meanwhile
                problems[entry.directory] = error.message
        else:
            profiles.append(entry)
    return StoreContents(profiles, problems)


def _identity(contents: StoreContents) -> object:
    return [(item.directory, item.manifest) for item in contents.profiles], contents.problems
