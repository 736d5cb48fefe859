"""A profile's files beside its manifest: one ``.npz`` a table, strings, tracks and sources.

The tables are uncompressed: they open fast, and pages that are not looked at cost nothing.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from sidelight.profile.durable import durable_file
from sidelight.profile.json_files import damaged, read_json, write_json
from sidelight.profile.manifest import SCHEMA_VERSION, Manifest, SourceFile, Track
from sidelight.profile.model import Profile
from sidelight.profile.stored_manifest import MANIFEST_FILE, StoredManifest
from sidelight.profile.tables import (
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    LAUNCH_COLUMNS,
    STACK_COLUMNS,
    STEP_COLUMNS,
    Schema,
    Table,
)

_TABLES: Final[Mapping[str, Schema]] = {
    "events": EVENT_COLUMNS,  # those of attribution follow where it has been done
    "frames": FRAME_COLUMNS,
    "stacks": STACK_COLUMNS,
    "launches": LAUNCH_COLUMNS,
    "steps": STEP_COLUMNS,
}


class _StoredSource(msgspec.Struct):
    path: str
    snapshot: str | None


class StoredTables(Profile):
    """A stored profile whose parts are read when they are first looked at.

    Args:
        directory: The profile's directory.
        manifest: Its manifest.
    """

    def __init__(self, directory: Path, manifest: Manifest) -> None:
        # The fields of the base class stay unset, so that __getattr__ is asked for them once.
        self._directory = directory
        self.manifest = manifest

    def __getattr__(self, name: str) -> Any:
        if name in _TABLES:
            part = _read_table(self._directory / f"{name}.npz", _TABLES[name])
        elif name == "strings":
            part = read_json(self._directory / "strings.json", list[str])
        elif name == "tracks":
            part = read_json(self._directory / "tracks.json", list[Track])
        elif name == "files":
            part = _read_sources(self._directory)
        else:
            raise AttributeError(name)
        setattr(self, name, part)
        return part


def write_profile(directory: Path, profile: Profile, *, created: str) -> None:
    """Write a profile into an empty directory, the manifest last.

    Args:
        directory: Where to.
        profile: What to write; it stays as it is.
        created: ISO 8601, UTC: when the store took it in.

    Raises:
        OSError: It cannot be written.
    """
    for name in _TABLES:
        _write_table(directory / f"{name}.npz", getattr(profile, name))
    write_json(directory / "strings.json", profile.strings)
    write_json(directory / "tracks.json", profile.tracks)
    _write_sources(directory, profile.files)
    fields: dict[str, Any] = msgspec.structs.asdict(profile.manifest)
    fields.update(
        schema=SCHEMA_VERSION,
        created=created,
        device_time_ns=_device_time_ns(profile.events),
        steps=len(profile.steps),
    )
    write_json(directory / MANIFEST_FILE, StoredManifest(**fields))


def _device_time_ns(events: Table) -> int | None:
    if "device_ns" not in events:
        return None
    return int(events["device_ns"][events["step"] >= 0].sum())


def _write_table(path: Path, table: Table) -> None:
    # What numpy.savez does; savez itself has no room for a column called "file".
    with durable_file(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name in table:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as column:
                np.lib.format.write_array(column, table[name], allow_pickle=False)


def _read_table(path: Path, schema: Schema) -> Table:
    try:
        with np.load(path, allow_pickle=False) as archive:
            table = Table({name: archive[name] for name in archive.files})
    except (OSError, ValueError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise damaged(path, error) from error
    for name, dtype in schema.items():
        if name not in table or table[name].dtype != np.dtype(dtype):
            raise damaged(path, ValueError(f"column {name}"))
    return table


def _write_sources(directory: Path, files: list[SourceFile]) -> None:
    (directory / "sources").mkdir()
    stored: list[_StoredSource] = []
    for number, source in enumerate(files):
        snapshot = None
        if source.text is not None:
            snapshot = f"sources/{number}{Path(source.path).suffix}"
            with durable_file(directory / snapshot) as file:
                file.write(source.text.encode("utf-8", "surrogatepass"))
        stored.append(_StoredSource(source.path, snapshot))
    write_json(directory / "files.json", stored)


def _read_sources(directory: Path) -> list[SourceFile]:
    return [
        SourceFile(source.path, source.snapshot and _read_text(directory / source.snapshot))
        for source in read_json(directory / "files.json", list[_StoredSource])
    ]


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogatepass")
    except (OSError, UnicodeError) as error:
        raise damaged(path, error) from error
