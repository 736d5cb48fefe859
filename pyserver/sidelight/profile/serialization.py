"""A profile's files beside its manifest: one ``.npz`` a table, strings, tracks and sources.

A table that is looked at is read whole, with every column of it. The tables are uncompressed, so
that this takes no longer than reading the file.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from sidelight.profile.durable import durable_file
from sidelight.profile.inside import open_regular, path_inside, read_regular
from sidelight.profile.json_files import damaged, read_json, write_json
from sidelight.profile.manifest import SCHEMA_VERSION, Manifest, SourceFile, Track
from sidelight.profile.model import Profile
from sidelight.profile.stored_manifest import MANIFEST_FILE, StoredManifest
from sidelight.profile.tables import Schema, Table

_TABLES: Final = ("events", "frames", "stacks", "launches", "steps", "prices", "clock")
_MORE_TABLES: Final = ("work", "origins", "shares", "samples", "flows", "tensors", "module_calls")
"""Those that few profiles have: the manifest says which it has."""

_NO_TABLE: Final = (
    *(OSError, ValueError, EOFError, AttributeError, zipfile.BadZipFile),
    RuntimeError,  # a damaged header asks for a password, or for a version that does not exist
    TypeError,  # one column, where a table was expected
)
"""What reading an archive raises for content that is none of ours."""


class _StoredSource(msgspec.Struct):
    path: str
    snapshot: str | None


class StoredTables(Profile):
    """A stored profile whose parts are read when they are first looked at.

    Each may then raise StoreError: ``profile_damaged``.

    Args:
        directory: The profile's directory.
        manifest: Its manifest.
    """

    def __init__(self, directory: Path, manifest: Manifest) -> None:
        super().__init__(manifest)
        self._directory = directory

    def _strings(self) -> list[str]:
        return read_json(self._directory / "strings.json", list[str])

    def _tracks(self) -> list[Track]:
        return read_json(self._directory / "tracks.json", list[Track])

    def _files(self) -> list[SourceFile]:
        return _read_sources(self._directory)

    def _table(self, name: str, columns: Schema) -> Table:
        path = self._directory / f"{name}.npz"
        if not _has(self.manifest, name):
            return Table.empty(columns)
        table = _read_table(path, columns)
        # Whoever climbs from node to node would never arrive.
        if name in ("stacks", "launches") and (table["parent"] >= np.arange(len(table))).any():
            raise damaged(path, ValueError("a node comes before its caller"))
        return table


def write_profile(directory: Path, profile: Profile, *, created: str) -> None:
    """Write a profile into an empty directory, the manifest last.

    Args:
        directory: Where to.
        profile: What to write; it stays as it is.
        created: ISO 8601, UTC: when the store took it in.

    Raises:
        OSError: It cannot be written.
    """
    more_tables = [name for name in _MORE_TABLES if len(getattr(profile, name))]
    for name in (*_TABLES, *more_tables):
        if name in more_tables or _has(profile.manifest, name):
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
        more_tables=more_tables,
    )
    write_json(directory / MANIFEST_FILE, StoredManifest(**fields))


def _has(manifest: Manifest, table: str) -> bool:
    """Whether a profile has one of the tables that not every profile has."""
    if table in _MORE_TABLES:
        return table in manifest.more_tables
    if table == "prices":
        return manifest.pricing is not None
    return table != "clock" or manifest.time_kind == "predicted"


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


def _read_table(path: Path, columns: Schema) -> Table:
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as archive:
            # None is compressed: what says so is damaged, or is made to fill the memory.
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.zip.infolist()):
                raise ValueError("a compressed column")
            table = Table({name: archive[name] for name in archive.files})
    except _NO_TABLE as error:
        raise damaged(path, error) from error
    # Those of attribution follow where it has been done.
    for column, dtype in columns.items():
        if column not in table or table[column].dtype != np.dtype(dtype):
            raise damaged(path, ValueError(f"column {column}"))
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
        SourceFile(source.path, source.snapshot and _read_snapshot(directory, source.snapshot))
        for source in read_json(directory / "files.json", list[_StoredSource])
    ]


def _read_snapshot(directory: Path, name: str) -> str:
    path = path_inside(directory, name)
    if path is None:
        raise damaged(directory / "files.json", ValueError(f"{name} is outside the profile"))
    try:
        return read_regular(path).decode("utf-8", "surrogatepass")
    except (OSError, UnicodeError) as error:
        raise damaged(path, error, directory) from error
