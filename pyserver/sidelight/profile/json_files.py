"""The JSON files of a stored profile."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TypeVar

import msgspec

from sidelight.profile.durable import durable_file
from sidelight.profile.errors import StoreError
from sidelight.profile.inside import read_regular

T = TypeVar("T")

NOT_AS_EXPECTED = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What decoding raises for content that is not what it should be, or is nested without end."""


def encode_json(value: object) -> bytes:
    """JSON of anything msgspec encodes; what is no Unicode text (a file's name) gets ``?``."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # lone surrogates: a name of bytes that are not UTF-8
        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
        return text.encode("utf-8", "replace")


def write_json(path: Path, value: object) -> None:
    """Write a file of a profile that is being built.

    Raises:
        OSError: It cannot be written.
    """
    with durable_file(path) as file:
        file.write(encode_json(value))


def read_json(path: Path, kind: type[T]) -> T:
    """Read a file of a stored profile.

    Raises:
        StoreError: ``profile_damaged`` if it is missing or not what it should be.
    """
    try:
        return msgspec.json.decode(read_regular(path), type=kind)
    except (OSError, *NOT_AS_EXPECTED) as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception, profile: Path | None = None) -> StoreError:
    """The error that says which file of a profile is damaged, or that all are gone; what to do.

    Args:
        path: The file.
        error: What is wrong with it.
        profile: The profile's directory, if the file is not directly in it.
    """
    profile = profile or path.parent
    if not os.path.lexists(profile):
        return StoreError(
            "profile_not_found",
            f"{profile} is not there any more: it was deleted or moved meanwhile. "
            "`sidelight profiles` lists those there are.",
        )
    what = "is missing" if isinstance(error, FileNotFoundError) else "cannot be read"
    return StoreError(
        "profile_damaged",
        f"The profile is damaged: {path} {what}. "
        f"Delete it with `sidelight profiles --delete {profile.name}`.",
    )
