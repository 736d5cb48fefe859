"""Pipes, sockets, devices and links in a circle end at once with a sentence, wherever they lie."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.inputs import INPUTS
from traces import chrome

OPEN = """
import json, sys
from pathlib import Path
from sidelight import ingest
from sidelight.profile.errors import UnreadableInputError
silent = lambda fraction: None
try:
    found = [len(p.events) for r in ingest.recordings(Path(sys.argv[1])) for p in r.read(silent)]
except UnreadableInputError as error:
    found = [error.code, error.message]
print(json.dumps(found))
"""
SECONDS = 240
"""More than any of these takes on a busy machine: what waits for a writer waits for ever."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")


def opened(path: Path | str) -> list[int | str]:
    """What comes of a path in a process of its own: counts of events, or an error's code."""
    run = subprocess.run(
        [sys.executable, "-c", OPEN, str(path)],
        input="",
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return json.loads(run.stdout)


def error_of(path: Path | str) -> str:
    """The code of the error, which is told in a sentence or two that begin with the path."""
    code, message = map(str, opened(path))
    assert message.startswith(str(path))
    assert message.endswith(".")
    return code


@pytest.mark.parametrize("name", ["pipe", "trace.json", "x.ntff"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    assert error_of(tmp_path / name) == "not_a_file"


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/random", "/dev/stdin"])
def test_devices_are_no_files(path: str) -> None:
    assert error_of(path) == "not_a_file"


def test_sockets_and_links_to_devices_are_none(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        before = Path.cwd()
        os.chdir(tmp_path)  # a socket's path may not be long
        try:
            listener.bind("s.json")
        finally:
            os.chdir(before)
        assert error_of(tmp_path / "s.json") == "not_a_file"
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    assert error_of(tmp_path / "zero.json") == "not_a_file"


def test_links_in_a_circle_are_told(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    assert error_of(tmp_path / "one") == "not_readable"
    (tmp_path / "nowhere").symlink_to("there")
    assert opened(tmp_path / "nowhere")[0] == "not_found"


def test_links_that_may_not_be_read_are_passed_over() -> None:
    try:
        os.readlink("/proc/1/cwd")
    except PermissionError:
        assert error_of("/proc/1") == "unknown_format"
    except OSError:
        pytest.skip("there is no such link")
    else:
        pytest.skip("it may be read")


def surround(folder: Path) -> None:
    """Put what must not be opened beside what a folder holds, under names that are looked for."""
    for number, ending in enumerate(("json", "json.gz", "ntff", "neff", "pb", "pftrace")):
        os.mkfifo(folder / f"pipe{number}.{ending}")
        (folder / f"zero{number}.{ending}").symlink_to("/dev/zero")
    os.mkfifo(folder / "CcOp.parquet")
    (folder / "DmaPacket.parquet").symlink_to("/dev/zero")
    (folder / "again").symlink_to(".")
    (folder / "up").symlink_to("..")
    (folder / "self").symlink_to("self")


def test_a_folder_is_read_past_all_of_them(tmp_path: Path) -> None:
    chrome.write(tmp_path / "trace.json", [chrome.operator("aten::mm", 0, 5)])
    surround(tmp_path)
    assert opened(tmp_path) == [1]


@pytest.mark.parametrize("name", ["neuron_session", "capture", "explorer_parquet"])
def test_what_is_made_of_several_files_is_read_past_them(tmp_path: Path, name: str) -> None:
    path = INPUTS[name](tmp_path)
    before = opened(path)
    for folder in [each for each in tmp_path.rglob("*") if each.is_dir()]:
        surround(folder)
    assert opened(path) == before


def test_a_folder_of_nothing_else_holds_nothing(tmp_path: Path) -> None:
    surround(tmp_path)
    assert error_of(tmp_path) == "unknown_format"
