"""Files that are written to, cut off or gone while they are read: what was there, or why not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fuzz.inputs import INPUTS
from sidelight import ingest
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from support import explorer_tables, neuron_json
from traces import chrome, perfetto

ROWS = 30_000
"""Enough for readers to come back to the file for more, several times."""

Change = Callable[[Path], None]


def trace(directory: Path, name: str) -> Path:
    events = [chrome.operator("aten::mm", at, 0.5, number=hash((at, 7))) for at in range(ROWS)]
    return chrome.write(directory / name, events)


def plain_trace(directory: Path) -> Path:
    return trace(directory, "trace.json")


def packed_trace(directory: Path) -> Path:
    return trace(directory, "trace.json.gz")


def device_json(directory: Path) -> Path:
    instructions = [neuron_json.instruction(at * 10, 5) for at in range(ROWS // 6)]
    document = neuron_json.device_profile(instructions, [neuron_json.transfer(5, 30)])
    return neuron_json.write_json(directory / "ntff.json", document)


def tables(directory: Path) -> Path:
    instructions = [
        {
            "start_ts": at * 10,
            "end_ts": at * 10 + 5,
            "duration_ns": 5,
            "engine": "tensor",
            "opcode": "MATMUL",
            "pcore_idx": 0,
            "operands": f"{hash((at, 7))}",
        }
        for at in range(ROWS)
    ]
    folder = explorer_tables.write_tables(
        directory / "tables", {"Instruction": instructions}, pieces={"Instruction": 4}
    )
    return folder / "Instruction_2.parquet"


def perfetto_trace(directory: Path) -> Path:
    packets = [perfetto.track(2, process=(17, "python"))]
    for at in range(ROWS // 3):
        packets += perfetto.slice_of(2, at * 10, at * 10 + 5, f"aten::op{hash((at, 7))}")
    return perfetto.write(directory / "trace.pftrace", packets)


FAMILIES = [plain_trace, packed_trace, device_json, tables, perfetto_trace]
"""What writes a file of each family of readers, of several parts each; it gives what changes."""


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(path.read_bytes()[:1000])


def shrink(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 3)


def overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 1000)


def empty(path: Path) -> None:
    os.truncate(path, 0)


class During:
    """Changes a file when a part of it has been read."""

    def __init__(self, path: Path, change: Change) -> None:
        self.path, self.change, self.done = path, change, False

    def __call__(self, fraction: float) -> None:
        if fraction > 0 and not self.done:
            self.done = True
            self.change(self.path)


def rows_of(profile: Profile) -> list[tuple[str, int, int]]:
    columns = (profile.events[name].tolist() for name in ("name", "start_ns", "duration_ns"))
    return [(profile.strings[name], *times) for name, *times in zip(*columns, strict=True)]


def codes(profile: Profile) -> set[str]:
    return {note.code for note in profile.manifest.quality}


def outcome(read: Callable[[], Profile]) -> Profile | UnreadableInputError:
    """What comes of reading; any other error fails the test."""
    try:
        return read()
    except UnreadableInputError as error:
        return error


@pytest.mark.parametrize("write", FAMILIES, ids=lambda write: write.__name__)
def test_what_is_added_while_a_file_is_read_is_left_out_and_said(
    write: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = write(tmp_path)
    before = ingest.read(path)
    assert "changed_while_read" not in codes(before)
    during = During(path, grow)
    profile = ingest.read(path, progress=during)
    assert during.done
    if write is tables:  # a table's end tells what is in it, so that more behind it damages it
        assert codes(profile) == codes(before) | {"changed_while_read", "broken_table"}
        assert set(rows_of(profile)) < set(rows_of(before))
    else:
        assert codes(profile) == codes(before) | {"changed_while_read"}
        assert rows_of(profile) == rows_of(before)


@pytest.mark.parametrize("change", [shrink, overwrite, empty], ids=lambda change: change.__name__)
@pytest.mark.parametrize("write", FAMILIES, ids=lambda write: write.__name__)
def test_what_is_lost_while_a_file_is_read_is_said(
    write: Callable[[Path], Path], change: Change, tmp_path: Path
) -> None:
    path = write(tmp_path)
    recorded = {(start_ns, duration_ns) for _, start_ns, duration_ns in rows_of(ingest.read(path))}
    during = During(path, change)
    found = outcome(lambda: ingest.read(path, progress=during))
    assert during.done
    if isinstance(found, UnreadableInputError):
        assert str(path.parent) in found.message
    else:
        assert "changed_while_read" in codes(found)
        assert {(start_ns, duration_ns) for _, start_ns, duration_ns in rows_of(found)} <= recorded


@pytest.mark.parametrize("name", [name for name in INPUTS if name != "neuron_session"])
def test_a_file_may_change_between_being_told_and_being_read(name: str, tmp_path: Path) -> None:
    changes: list[Change] = [grow, shrink, overwrite, empty, Path.unlink]
    for number, change in enumerate(changes):
        directory = tmp_path / str(number)
        directory.mkdir()
        path = INPUTS[name](directory)
        known = ingest.detect(path)
        for file in [path] if path.is_file() else sorted(path.rglob("*.*")):
            change(file)
        found = outcome(lambda known=known, path=path: known.read(path))
        if isinstance(found, UnreadableInputError):
            assert str(path) in found.message
            assert found.message.endswith(".")
        else:
            assert (found.events["duration_ns"] >= 0).all()


ENDLESS = """
import sys, time
event = b', {"ph":"X","cat":"cpu_op","name":"late","pid":1,"tid":1,"ts":1,"dur":1}'
with open(sys.argv[1], "ab", buffering=0) as file:
    print(flush=True)
    for _ in range(300_000):
        file.write(event * 100)
        time.sleep(0.001)
"""


def test_a_writer_that_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    path = plain_trace(tmp_path)
    expected = rows_of(ingest.read(path))
    with subprocess.Popen([sys.executable, "-c", ENDLESS, str(path)], stdout=subprocess.PIPE) as it:
        try:
            assert it.stdout is not None
            it.stdout.readline()
            profile = ingest.read(path)
            assert it.poll() is None, "the file was read while it wrote"
        finally:
            it.kill()
    assert "changed_while_read" in codes(profile)
    assert rows_of(profile)[: len(expected)] == expected
