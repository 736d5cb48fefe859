"""Where the setting ``sidelight.sourceMap`` says that files are."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight.server.source_map import SourceMap
from sidelight.server.sources import rank_sources


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("src/net/model.py", "other/model.py", "train.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("import torch\nx = torch.zeros(4)\n")
    return tmp_path


@pytest.mark.parametrize(
    ("there", "here"),
    [
        ("/home/ubuntu/project", "src"),
        ("/home/ubuntu/project/", "./src/"),
        ("/home/ubuntu/project", "${workspaceFolder}/src"),
        ("/home/ubuntu/project/net", "src/net"),
        ("/home/ubuntu/project/net/model.py", "src/net/model.py"),
    ],
)
def test_an_entry_holds_what_is_below_it(folder: Path, there: str, here: str) -> None:
    found = SourceMap({there: here}, [folder]).here("/home/ubuntu/project/net/model.py")
    assert found == str(folder / "src/net/model.py")


def test_windows_paths_and_absolute_ones(folder: Path) -> None:
    source_map = SourceMap({"C:\\work": str(folder / "src")})
    assert source_map.here("C:\\work\\net\\model.py") == str(folder / "src/net/model.py")


def test_the_longest_entry_counts(folder: Path) -> None:
    entries = {"/p": "src/net", "/p/deep": "other"}
    assert SourceMap(entries, [folder]).here("/p/deep/model.py") == str(folder / "other/model.py")


@pytest.mark.parametrize(
    "file", ["/home/x/model.py", "/p/../train.py", "/p/absent.py", "/pq/model.py", "/p", ""]
)
def test_what_nothing_is_said_of(folder: Path, file: str) -> None:
    assert SourceMap({"/p": "other"}, [folder]).here(file) is None


def test_candidates_are_ordered_by_path_and_then_by_what_they_hold(folder: Path) -> None:
    text = "import torch\nx = torch.zeros(4)\n"
    uris = [(folder / name).as_uri() for name in ("other/model.py", "src/net/model.py", "train.py")]
    ranked = rank_sources("/home/a/net/model.py", text, uris, [folder])
    assert [(one.uri, one.same_end, one.alike) for one in ranked] == [
        (uris[1], 2, 1.0),
        (uris[0], 1, 1.0),
        (uris[2], 0, 1.0),
    ]
    assert rank_sources("/home/a/net/model.py", "print()\n" * 3, uris, [folder]) == []
    unknown = rank_sources("/home/a/net/model.py", None, uris, [folder])
    assert [one.alike for one in unknown] == [None] * 3
    assert unknown[0].uri == uris[1]


def test_candidates_outside_of_the_folders_are_not_read(folder: Path) -> None:
    uris = [(folder / "other/model.py").as_uri()]
    assert rank_sources("/a/model.py", "import torch\n", uris, [folder / "src"]) == []
