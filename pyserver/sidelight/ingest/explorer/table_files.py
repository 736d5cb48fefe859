"""Finds the tables of a Neuron Explorer profile: files called by their tables' names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from sidelight.ingest.explorer.known_tables import TELLING_TABLES
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.input_paths import unreadable

_TABLE_FILE: Final = re.compile(r"([A-Z][A-Za-z0-9]*?)(?:_(\d{1,9}))?\.parquet")
_MAGIC: Final = b"PAR1"
_MOST_ENTRIES: Final = 20_000
"""Entries of a directory that are looked at: a profile has some hundred files."""

_PROFILES_BELOW: Final = ("*", "global/*", "profiles/global/*")
"""Where the tool's data folder keeps profiles, from each folder on the way down to them."""


def table_files(folder: Path) -> dict[str, list[Path]]:
    """The files of each table in a folder, in the order of their parts.

    Args:
        folder: A directory. Only regular files count: opening another kind could wait for ever.

    Raises:
        UnreadableInputError: ``not_readable``: it cannot be listed.
    """
    found: dict[str, list[tuple[int, Path]]] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, _MOST_ENTRIES):
                match = _TABLE_FILE.fullmatch(entry.name)
                if match is not None and os.path.isfile(entry.path):
                    part = -1 if match[2] is None else int(match[2])
                    found.setdefault(match[1], []).append((part, folder / entry.name))
    except OSError as error:
        raise unreadable(folder, error) from error
    return {name: [path for _, path in sorted(parts)] for name, parts in sorted(found.items())}


def profile_folders(path: Path) -> list[Path]:
    """The folders of tables that a path means: itself, or those below it.

    Args:
        path: A table's file, a folder of tables, or one of the tool's folders above them
            (``DATA_PATH/profiles/global/NAME@latest/``).

    Returns:
        None for what is no profile of this kind; several for a folder that holds several profiles.
    """
    if os.path.isfile(path):
        folder = path.parent
        return [folder] if _TABLE_FILE.fullmatch(path.name) and _is_profile(folder) else []
    if _is_profile(path):
        return [path]
    for below in _PROFILES_BELOW:
        folders = sorted(folder for folder in _directories(path, below) if _is_profile(folder))
        if folders:
            return folders
    return []


def only_profile_folder(path: Path) -> Path:
    """The one folder of tables that a path means.

    Raises:
        UnreadableInputError: ``several_profiles`` or ``unknown_format``.
    """
    folders = profile_folders(path)
    if len(folders) == 1:
        return folders[0]
    if folders:
        names = ", ".join(folder.name for folder in folders[:5])
        raise UnreadableInputError(
            "several_profiles",
            f"{path} holds {len(folders)} profiles of Neuron Explorer ({names}"
            f"{', …' if len(folders) > 5 else ''}). Open one of these folders.",
        )
    raise UnreadableInputError(
        "unknown_format",
        f"{path} holds no Parquet table of Neuron Explorer, such as Instruction.parquet. "
        "Open the folder that neuron-explorer view --output-format parquet wrote.",
    )


def profile_name(folder: Path) -> str:
    """What the tool calls the profile whose tables are in a folder."""
    return folder.absolute().name.removesuffix("@latest")


def _is_profile(folder: Path) -> bool:
    try:
        tables = table_files(folder)
    except UnreadableInputError:
        return False
    return any(_is_parquet(tables[name]) for name in tables.keys() & TELLING_TABLES)


def _is_parquet(files: list[Path]) -> bool:
    """Whether any of the files begins as Parquet does; a broken one may lack its end."""
    for path in files:
        try:
            with path.open("rb") as file:
                if file.read(len(_MAGIC)) == _MAGIC:
                    return True
        except OSError:
            continue
    return False


def _directories(folder: Path, below: str) -> Iterator[Path]:
    try:
        yield from filter(os.path.isdir, islice(folder.glob(below), _MOST_ENTRIES))
    except OSError:
        return


def sizes_bytes(tables: Mapping[str, list[Path]]) -> dict[Path, int]:
    """The size of every table's file; 0 of one that is gone."""
    return {path: _size_bytes(path) for paths in tables.values() for path in paths}


def _size_bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
