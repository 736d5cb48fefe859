"""Where a profile's lines are on this machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from sidelight.analysis.annotations import FileAnnotations
from sidelight.server.file_index import FileIndex
from sidelight.server.places import PlaceFinder, Whereabouts
from sidelight.server.source_map import SourceMap

TEXT = "import torch\n\nx = torch.zeros(4)\ny = x.relu()\n"


def find(
    file: str,
    *,
    text: str = TEXT,
    folders: Sequence[Path] = (),
    source_map: dict[str, str] | None = None,
    line: int = 1,
) -> Whereabouts:
    index = FileIndex([FileAnnotations(file=file, text=text, lines=[], scopes=[])])
    finder = PlaceFinder(index, {}, folders, SourceMap(source_map, folders))
    return finder.find(file, line)


def place_of(file: str) -> str | None:
    return find(file).uri


def test_a_source_file(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("x = 1\n")
    assert place_of(str(path)) == path.as_uri()


@pytest.mark.parametrize("file", [os.devnull, os.sep, "nul\0byte.py", ""])
def test_what_a_trace_may_name_but_is_no_source_is_not_read(file: str) -> None:
    """Of the devices the one whose reading would end."""
    assert place_of(file) is None


def test_a_line_of_a_file_in_the_workspace_is_where_it_was_moved_to(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("# new\n" + TEXT)
    assert find(str(path), folders=[tmp_path], line=3).current_line == 4


def test_a_file_outside_of_the_workspace_is_found_and_not_read(tmp_path: Path) -> None:
    """A trace may name any path: what is there is no business of ours until somebody asks."""
    path = tmp_path / "script.py"
    path.write_text("# new\n" + TEXT)
    outside = find(str(path), folders=[tmp_path / "folder"], line=3)
    assert outside.uri == path.as_uri()
    assert outside.current_line == 3


def test_a_link_in_the_workspace_that_leads_out_of_it_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.py").write_text(TEXT)
    (folder / "secret.py").symlink_to(tmp_path / "secret.py")
    assert find("/elsewhere/secret.py", folders=[folder]).uri is None


def test_a_file_from_elsewhere_is_where_the_source_map_says(tmp_path: Path) -> None:
    path = tmp_path / "vendored" / "net" / "model.py"
    path.parent.mkdir(parents=True)
    path.write_text("print('rewritten since')\n")
    there = "/home/ubuntu/project/net/model.py"
    assert find(there, folders=[tmp_path]).uri is None
    said = {"/home/ubuntu/project": "vendored"}
    assert find(there, folders=[tmp_path], source_map=said).uri == path.as_uri()
