"""Which file of a profile a document is."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight.analysis.annotations import FileAnnotations
from sidelight.server.file_index import FileIndex
from sidelight.server.source_map import SourceMap

MODEL = "import torch\n\n\ndef forward(x):\n    return x.relu()\n"
OTHER = "import os\n\n\ndef main():\n    print(os.getcwd())\n"


def file(path: str | Path, text: str | None = MODEL) -> FileAnnotations:
    return FileAnnotations(file=str(path), text=text, lines=[], scopes=[])


def found(
    files: list[FileAnnotations],
    path: str | Path,
    text: str = MODEL,
    source_map: dict[str, str] | None = None,
) -> str | None:
    match = FileIndex(files).find(str(path), text, SourceMap(source_map))
    return match.file if match else None


def test_a_file_at_its_path_whatever_it_holds_now(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    assert found([file(path)], path, "nothing of before") == str(path)


def test_a_file_behind_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "model.py").write_text(MODEL)
    (tmp_path / "link").symlink_to(real)
    assert found([file(real / "model.py")], tmp_path / "link" / "model.py") == str(
        real / "model.py"
    )


def test_a_file_that_is_here_is_not_another_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    assert found([file(tmp_path / "model.py")], tmp_path / "copy" / "model.py") is None


def test_a_file_from_another_host_by_the_longest_end_of_its_path() -> None:
    files = [file("/home/a/project/one/model.py"), file("/home/a/project/two/model.py")]
    assert found(files, "/work/two/model.py") == "/home/a/project/two/model.py"
    assert found(files, "/work/one/model.py") == "/home/a/project/one/model.py"


def test_a_file_from_windows() -> None:
    assert found([file(r"C:\Users\a\project\model.py")], "/work/project/model.py") is not None


@pytest.mark.parametrize(
    ("text", "same"),
    [(MODEL, True), (MODEL + "\n\nprint()\n", True), (OTHER, False), ("", False)],
)
def test_a_file_from_another_host_only_if_its_text_is_alike(text: str, same: bool) -> None:
    assert (
        found([file("/home/a/project/model.py")], "/work/project/model.py", text) is not None
    ) == same


def test_the_more_alike_of_two_with_the_same_end() -> None:
    edited = MODEL.replace("relu", "gelu")
    files = [file("/a/model.py", MODEL), file("/b/model.py", edited)]
    assert found(files, "/work/model.py", edited) == "/b/model.py"
    assert found(files, "/work/model.py", MODEL) == "/a/model.py"


@pytest.mark.parametrize(
    ("path", "same"),
    [("/home/a/project/model.py", True), ("/home/a/other/model.py", False), ("model.py", True)],
)
def test_without_a_text_the_path_must_say_more(path: str, same: bool) -> None:
    assert (found([file(path, None)], "/work/project/model.py") is not None) == same


def test_a_file_that_is_said_to_be_elsewhere_here_is_no_other(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "model.py").write_text(MODEL)
    files = [file("/home/a/model.py")]
    said = {"/home/a": str(tmp_path / "one")}
    assert found(files, tmp_path / "two" / "model.py") == "/home/a/model.py"
    assert found(files, tmp_path / "two" / "model.py", source_map=said) is None
    assert found(files, tmp_path / "one" / "model.py", "print()", said) == "/home/a/model.py"
