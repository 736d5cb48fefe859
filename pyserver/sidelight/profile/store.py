"""The store: where profiles live on disk, and how they are found again.

::

    .sidelight/
      .gitignore                    "*": profiles are not for version control
      profiles/<id>/                one profile; ids sort by the time they were stored
        derived/                    results kept with it (sidelight.profile.derived)
      sessions/<id>/                what a Neuron runtime recorded by itself
      tmp/<owner>-<random>/         work in progress (sidelight.profile.scratch)

A profile is built in ``tmp/`` and arrives by one rename, so that whoever looks sees all of it or
nothing, and any number of processes may write at once.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from sidelight.profile.derived import write_derived
from sidelight.profile.durable import locked, plain_errors, replace_file, sync_directory
from sidelight.profile.errors import ProfileNotFoundError, StoreError
from sidelight.profile.json_files import encode_json
from sidelight.profile.runs import group_into_runs, lowest_rank, of_rank
from sidelight.profile.scratch import Scratch
from sidelight.profile.stored_manifest import MANIFEST_FILE
from sidelight.profile.stored_profile import StoredProfile

# serialization brings numpy, which whoever only handles directories need not wait for.
if TYPE_CHECKING:
    from sidelight.profile.model import Profile

__all__ = ["Store", "StoredProfile"]

_RANK = re.compile(r"[0-9]{1,9}")


class Store:
    """The profiles below one directory.

    A *reference* to a profile is its directory, its id or its name. A name that was used again
    means the newest. Where the ranks of one run share a name, the name means rank 0 (the lowest
    recorded), and ``NAME#RANK`` another rank of that run.

    Args:
        directory: The store; made when something is first written.
        within: The store that it is a part of, which errors name; None for one by itself.
    """

    def __init__(self, directory: Path | str, *, within: Store | None = None) -> None:
        self.directory = Path(directory).absolute()
        self._told_as = within.directory if within else self.directory
        self._profiles = self.directory / "profiles"
        self._scratch = Scratch(self.directory / "tmp")
        self._latest = datetime.min.replace(tzinfo=timezone.utc)

    def add(self, profile: Profile, *, derived: Mapping[str, bytes] | None = None) -> StoredProfile:
        """Store a profile. Its ``created`` becomes the time of storing; nothing is overwritten.

        Args:
            profile: What to store.
            derived: Results to keep with it, by name (:mod:`sidelight.profile.derived`).

        Raises:
            StoreError: The disk is full, or the store cannot be written.
        """
        from sidelight.profile.serialization import write_profile

        with plain_errors(self._told_as):
            self.prepare()
            with self._scratch.directory() as building:
                now = datetime.now(timezone.utc)
                write_profile(building, profile, created=_iso(now))
                for name, content in (derived or {}).items():
                    write_derived(building, name, content)
                for directory in (building / "sources", building):
                    sync_directory(directory)
                return StoredProfile(self._publish(building, now))

    def adopt(self, profile: StoredProfile) -> StoredProfile:
        """Take a profile out of another store on the same disk into this one, at once.

        Raises:
            StoreError: It cannot be moved.
        """
        with plain_errors(self._told_as):
            self.prepare()
            return StoredProfile(self._publish(profile.directory, datetime.now(timezone.utc)))

    def resolve(self, reference: str) -> StoredProfile:
        """Find the profile that a reference means.

        Raises:
            ProfileNotFoundError: There is none.
        """
        # os.path's answer, unlike Path's, is no even where the reference cannot be a path.
        if os.path.isfile(Path(reference, MANIFEST_FILE)):
            return StoredProfile(Path(reference).resolve())
        for entry in self.entries():  # damaged ones too: they can be deleted
            if entry.id == reference:
                return entry
        profiles = self.list()
        named = [profile for profile in profiles if profile.manifest.name == reference]
        if named:
            return lowest_rank(group_into_runs(named)[0])
        name, _, rank = reference.rpartition("#")
        ranked = [profile for profile in profiles if profile.manifest.name == name]
        if ranked and _RANK.fullmatch(rank):
            return of_rank(group_into_runs(ranked)[0], name, int(rank))
        raise self._not_found(reference)

    def load(self, reference: str) -> Profile:
        """Open a profile; its tables are read when they are looked at.

        Raises:
            ProfileNotFoundError: There is none.
            StoreError: It is damaged, or of another schema version.
        """
        return self.resolve(reference).load()

    def entries(self) -> Sequence[StoredProfile]:
        """All profiles, newest first; those that cannot be read too.

        Raises:
            StoreError: The store itself cannot be read.
        """
        with plain_errors(self._told_as):
            try:
                paths = [path for path in self._profiles.iterdir() if path.is_dir()]
            except FileNotFoundError:
                return []
        return [StoredProfile(path) for path in sorted(paths, reverse=True)]

    def list(self) -> Sequence[StoredProfile]:
        """All profiles that can be read, newest first.

        Raises:
            StoreError: The store itself cannot be read.
        """
        return [entry for entry in self.entries() if _problem(entry) is None]

    def problems(self) -> Sequence[StoreError]:
        """What is wrong with the profiles that :meth:`list` leaves out.

        Raises:
            StoreError: The store itself cannot be read.
        """
        return [problem for entry in self.entries() if (problem := _problem(entry))]

    def delete(self, reference: str) -> StoredProfile:
        """Remove a profile of this store, whole at once.

        Returns:
            What it was; only its id and directory's name are of use.

        Raises:
            ProfileNotFoundError: There is none.
            StoreError: It is not in this store, or cannot be removed.
        """
        profile = self.resolve(reference)
        if profile.directory.parent.resolve() != self._profiles.resolve():
            raise StoreError(
                "not_in_store",
                f"{profile.directory} is not in the store {self.directory}. "
                "Name its own store with `--store DIR`, or remove the directory by hand.",
            )
        with plain_errors(self._told_as):
            try:
                self._scratch.remove(profile.directory)
            except FileNotFoundError:
                raise self._not_found(reference) from None
            sync_directory(self._profiles)
        return profile

    def prune(self, keep: int) -> Sequence[StoredProfile]:
        """Remove all but the newest runs; the ranks of one run count as one and stay together.

        Args:
            keep: How many runs stay, 0 or more.

        Returns:
            What was removed, newest first. Damaged profiles are left for a person to look at.

        Raises:
            StoreError: One cannot be removed.
        """
        removed: list[StoredProfile] = []
        for run in group_into_runs(self.list())[keep:]:
            for profile in run:
                with plain_errors(self._told_as):
                    try:
                        self._scratch.remove(profile.directory)
                    except FileNotFoundError:
                        continue  # somebody else was faster
                removed.append(profile)
        return removed

    def rename(self, reference: str, name: str) -> StoredProfile:
        """Give a profile another name. Its id and directory stay.

        Raises:
            ProfileNotFoundError: There is none.
            StoreError: It cannot be read or written.
        """
        return self.update_manifest(reference, name=name)

    def update_manifest(self, reference: str, **changes: Any) -> StoredProfile:
        """Change fields of a stored manifest, atomically.

        Args:
            reference: The profile.
            **changes: Fields of :class:`~sidelight.profile.manifest.Manifest` and their new values.

        Raises:
            ProfileNotFoundError: There is none.
            StoreError: It cannot be read or written.
        """
        directory = self.resolve(reference).directory
        with plain_errors(self._told_as), locked(directory):
            manifest = msgspec.structs.replace(StoredProfile(directory).manifest, **changes)
            replace_file(directory / MANIFEST_FILE, encode_json(manifest))
        return StoredProfile(directory)

    def size_bytes(self) -> int:
        """What all profiles hold, in bytes."""
        return sum(entry.size_bytes() for entry in self.entries())

    @contextmanager
    def run_directory(self) -> Generator[Path]:
        """A fresh directory for what a capture run leaves, removed at the end.

        Raises:
            StoreError: The disk is full, or the store cannot be written.
        """
        with ExitStack() as stack:
            with plain_errors(self._told_as):  # not the OSErrors of the work done in it
                self.prepare()
                directory = stack.enter_context(self._scratch.directory())
            yield directory

    @contextmanager
    def staging(self) -> Generator[Store]:
        """A store on the same disk for what is to be adopted, removed at the end.

        Raises:
            StoreError: The disk is full, or the store cannot be written.
        """
        with self.run_directory() as directory:
            yield Store(directory, within=self)

    def new_session(self) -> Path:
        """A path for what a Neuron runtime records by itself. Nothing is made."""
        return self.directory / "sessions" / _new_id(datetime.now(timezone.utc))

    def clean_up(self) -> None:
        """Remove what processes that were killed left behind. Every writer does so first."""
        self._scratch.clean_up()

    def prepare(self) -> None:
        """Make the store where there is none yet. Every writer does so first.

        Raises:
            OSError: It cannot be made.
        """
        self.clean_up()
        self._profiles.mkdir(parents=True, exist_ok=True)
        ignore = self.directory / ".gitignore"
        if not ignore.exists():
            with locked(self.directory):
                replace_file(ignore, b"*\n")

    def _publish(self, building: Path, now: datetime) -> Path:
        # Ids tell milliseconds apart: of two profiles, the one stored later is the newer one.
        now = self._latest = max(now, self._latest + timedelta(milliseconds=1))
        while True:
            published = self._profiles / _new_id(now)
            try:
                building.rename(published)
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
            else:
                sync_directory(self._profiles)
                return published

    def _not_found(self, reference: str) -> ProfileNotFoundError:
        if os.path.exists(reference):
            return ProfileNotFoundError(
                "profile_not_found",
                f"{reference} is not a stored profile. "
                f"Read it into one with `sidelight open {reference}`.",
            )
        return ProfileNotFoundError(
            "profile_not_found",
            f"No profile in {self.directory} is called {reference}. "
            "`sidelight profiles` lists those there are.",
        )


def _problem(entry: StoredProfile) -> StoreError | None:
    try:
        _ = entry.manifest
    except StoreError as error:
        return error
    return None


def _new_id(now: datetime) -> str:
    return f"{now:%Y%m%d-%H%M%S}-{now.microsecond // 1000:03d}-{secrets.token_hex(2)}"


def _iso(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
