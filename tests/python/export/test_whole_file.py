"""A file is there whole or as it was; what keeps it from being written is told in a sentence."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sidelight.export.whole_file import ExportError, whole_file


def write(path: Path, content: bytes = b"new") -> None:
    with whole_file(path) as unfinished:
        unfinished.write_bytes(content)


def test_a_file_of_that_name_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(b"old")
    write(path)
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("fault"), OSError("disk")])
def test_what_goes_wrong_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, error: BaseException
) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(b"old")

    def fail() -> None:
        with whole_file(path) as unfinished:
            unfinished.write_bytes(b"half")
            raise error

    with pytest.raises((type(error), ExportError)):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def _directory(tmp_path: Path) -> Path:
    return tmp_path


def _pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def _device(tmp_path: Path) -> Path:
    return Path(os.devnull)


def _too_long(tmp_path: Path) -> Path:
    return tmp_path / ("n" * 300)


def _nowhere(tmp_path: Path) -> Path:
    return tmp_path / "absent" / "trace.json"


def _below_a_file(tmp_path: Path) -> Path:
    (tmp_path / "file").touch()
    return tmp_path / "file" / "trace.json"


def _impossible(tmp_path: Path) -> Path:
    return tmp_path / "nul\0byte"


@pytest.mark.parametrize(
    ("place", "code"),
    [
        (_directory, "not_a_file"),
        (_pipe, "not_a_file"),
        (_device, "not_a_file"),
        (_nowhere, "no_such_directory"),
        (_below_a_file, "not_writable"),
        (_impossible, "not_writable"),
        (_too_long, "not_writable"),
    ],
    ids=["directory", "pipe", "device", "nowhere", "below a file", "no name", "too long"],
)
def test_a_place_that_cannot_be_a_files(
    tmp_path: Path, place: Callable[[Path], Path], code: str
) -> None:
    path = place(tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(ExportError) as refused:
        write(path)
    assert refused.value.code == code
    assert refused.value.message.endswith(".")
    assert sorted(tmp_path.iterdir()) == before
    assert os.path.exists(os.devnull)
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk(tmp_path: Path, number: int) -> None:
    with pytest.raises(ExportError) as refused, whole_file(tmp_path / "trace.json"):
        raise OSError(number, os.strerror(number))
    assert refused.value.code == "disk_full"
    assert not list(tmp_path.iterdir())
