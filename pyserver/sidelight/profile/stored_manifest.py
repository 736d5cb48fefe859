"""A stored profile's manifest, ``profile.json``. Cheap to read: no numpy in here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from sidelight.profile.errors import StoreError
from sidelight.profile.json_files import read_json
from sidelight.profile.manifest import SCHEMA_VERSION, Manifest

MANIFEST_FILE = "profile.json"

_Amount = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A number that can be reckoned with: JSON also has those that no float holds."""


class StoredManifest(Manifest, kw_only=True):
    """A manifest, and what lists show without opening a table.

    Attributes:
        device_time_ns: Device time of the recorded steps; None where it is not attributed.
        steps: How many steps those are.
    """

    device_time_ns: _Amount | None = None
    steps: _Amount = 0


class _Version(msgspec.Struct):
    schema: _Amount


def read_manifest(directory: Path) -> StoredManifest:
    """Read what is known about a stored profile, without its tables.

    Raises:
        StoreError: ``schema_unknown`` if another version wrote it, ``profile_damaged`` if it
            cannot be read.
    """
    path = directory / MANIFEST_FILE
    written_by = read_json(path, _Version).schema
    if written_by != SCHEMA_VERSION:
        newer = written_by > SCHEMA_VERSION
        raise StoreError(
            "schema_unknown",
            f"{directory} was stored by {'a newer' if newer else 'an older'} version of Sidelight "
            f"(schema {written_by}, this one reads {SCHEMA_VERSION}). "
            + ("Update Sidelight to open it." if newer else "Profile the script again."),
        )
    return read_json(path, StoredManifest)
