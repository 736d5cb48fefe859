"""Where a profile's lines are on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sidelight.analysis.annotations import FileAnnotations
from sidelight.server.file_index import FileIndex
from sidelight.server.places import PlaceFinder


def place_of(file: str) -> str | None:
    index = FileIndex([FileAnnotations(file=file, text="x = 1\n", lines=[], scopes=[])])
    return PlaceFinder(index, {}, []).find(file, 1).uri


def test_a_source_file(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("x = 1\n")
    assert place_of(str(path)) == path.as_uri()


@pytest.mark.parametrize("file", [os.devnull, os.sep, "nul\0byte.py", ""])
def test_what_a_trace_may_name_but_is_no_source_is_not_read(file: str) -> None:
    """Of the devices the one whose reading would end."""
    assert place_of(file) is None
