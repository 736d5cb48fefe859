"""A profile on disk."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sidelight.profile.stored_manifest import StoredManifest, read_manifest

if TYPE_CHECKING:
    from sidelight.profile.model import Profile


@dataclass(frozen=True)
class StoredProfile:
    """A profile on disk; nothing of it is read before it is asked for.

    Attributes:
        directory: Absolute path of the profile.
    """

    directory: Path

    @property
    def id(self) -> str:
        """Its id in its store."""
        return self.directory.name

    @cached_property
    def manifest(self) -> StoredManifest:
        """What is known about it beside its tables.

        Raises:
            StoreError: It is damaged, or of another schema version.
        """
        return read_manifest(self.directory)

    def load(self) -> Profile:
        """The profile itself. Its tables are read, and may raise StoreError, when looked at.

        Raises:
            StoreError: It is damaged, or of another schema version.
        """
        # Brings numpy, which whoever only looks at manifests need not wait for.
        from sidelight.profile.serialization import StoredTables

        return StoredTables(self.directory, self.manifest)

    def size_bytes(self) -> int:
        """What its files hold, in bytes."""
        total = 0
        for path in self.directory.rglob("*"):
            with suppress(FileNotFoundError):  # deleted meanwhile
                total += path.stat().st_size if path.is_file() else 0
        return total
