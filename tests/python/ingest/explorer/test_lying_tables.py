"""Parquet whose own description lies: each integer in it, of the file and of its pages.

pyarrow believes what a file says of itself. A reading of such a file must end with rows or an error
of ours, and take no more memory than one of a sound file: so each is read in a process whose memory
is bounded, and which would be seen to die.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sidelight.ingest.explorer.tables import Tables
from support.explorer_tables import pq, write_tables
from support.thrift_compact import BYTE, Reader, Value, leaves, written

ROW_GROUPS, COLUMNS, GROUP_BYTES = 4, 1, 2
METADATA, DATA_PAGE, DICTIONARY_PAGE, COMPRESSED_BYTES = 3, 9, 11, 7
"""Numbers of fields in Parquet's own description (``parquet.thrift``): of ``FileMetaData``, of a
row group, of a column's chunk, and of its metadata."""

ROWS = 300
MAGIC = b"PAR1"

LIES: dict[str, Callable[[int], int]] = {
    "nothing": lambda _: 0,
    "less than nothing": lambda _: -1,
    "one more": lambda number: number + 1,
    "all of 31 bits": lambda _: 2**31 - 1,
    "the lowest of 32 bits": lambda _: -(2**31),
    "as much as 62 bits hold": lambda _: 2**62,
    "the lowest of 64 bits": lambda _: -(2**63),
}

READ = """
import json, resource, sys
from pathlib import Path
from sidelight import ingest
from sidelight.profile.errors import UnreadableInputError
if sys.platform == "linux":
    resource.setrlimit(resource.RLIMIT_AS, (BOUND, BOUND))
table = Path(sys.argv[1])
for line in sys.stdin:
    print(json.dumps({"reading": line}), flush=True)
    table.write_bytes(Path(line.strip()).read_bytes())
    try:
        profile = ingest.read(table.parent)
        notes = [note.code for note in profile.manifest.quality]
        found = {"rows": len(profile.events), "codes": notes}
    except UnreadableInputError as error:
        found = {"error": error.code, "message": error.message}
    print(json.dumps(found), flush=True)
# Not getrusage: on Linux that goes on from what the process held that started this one.
if sys.platform == "linux":
    status = Path("/proc/self/status").read_text().partition("VmHWM:")[2]
    peak_bytes = int(status.split()[0]) * 1024
else:
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"peak_bytes": peak_bytes}))
""".replace("BOUND", str(8 << 30))

PEAK_BYTES = 600 << 20
"""What a reading of a small sound file takes, a third of this, and what one batch may."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of one row group, with texts that are in dictionaries."""
    rows = [
        {
            "start_ts": at * 10,
            "end_ts": at * 10 + 5,
            "duration_ns": 5,
            "engine": ("tensor", "vector")[at % 2],
        }
        for at in range(ROWS)
    ]
    folder = write_tables(tmp_path / "tables", {"Instruction": rows})
    path = folder / "Instruction.parquet"
    kept = ["start_ts", "duration_ns", "engine"]
    pq.write_table(pq.read_table(path).select(kept), path, compression="zstd")
    return path


class Parquet:
    """A file of Parquet, taken apart."""

    def __init__(self, data: bytes) -> None:
        length = int.from_bytes(data[-8:-4], "little")
        self.body = data[: -8 - length]
        self.description = Reader(data[-8 - length : -8]).value()

    def whole(self, body: bytes | None = None, length: int | None = None) -> bytes:
        """The file as its description is now."""
        described = written(self.description)
        size = len(described) if length is None else length
        tail = described + (size & 0xFFFFFFFF).to_bytes(4, "little") + MAGIC
        return (self.body if body is None else body) + tail

    def chunks(self) -> list[Value]:
        """The metadata of the columns' chunks."""
        groups = self.description[ROW_GROUPS].content
        assert isinstance(groups, list)
        columns = groups[0][COLUMNS].content
        assert isinstance(columns, list)
        return [column[METADATA] for column in columns]


def changed(leaf: Value) -> Iterator[str]:
    """Let an integer lie, in one way after another."""
    truth = leaf.number
    for name, lie in LIES.items():
        if leaf.kind == BYTE and not -128 <= lie(truth) < 128:
            continue
        leaf.content = lie(truth)
        if leaf.content != truth:
            yield name
    leaf.content = truth


def lying_descriptions(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The file with each integer of its description changed."""
    file = Parquet(data)
    for path, leaf in leaves(file.description):
        for lie in changed(leaf):
            yield f"{path} is {lie}", file.whole()
    for length in (0, 1, len(data), 2**31 - 1, 2**32 - 1):
        yield f"a description of {length} bytes", file.whole(length=length)


def lying_pages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The file with each integer in the headers of its pages changed."""
    for number in range(len(Parquet(data).chunks())):
        for field in (DATA_PAGE, DICTIONARY_PAGE):
            file = Parquet(data)
            chunk = file.chunks()[number]
            assert isinstance(chunk.content, dict)
            if field not in chunk.content:
                continue
            first = min(chunk[each].number for each in (9, 11) if each in chunk.content)
            place, end = chunk[field].number, first + chunk[COMPRESSED_BYTES].number
            reader = Reader(data, place)
            header = reader.value()
            # A header may become longer: the chunk moves to where there is room.
            for path, leaf in leaves(header):
                for lie in changed(leaf):
                    moved = data[first:place] + written(header) + data[reader.place : end]
                    shift = len(file.body) - first
                    grown = len(moved) - (end - first)
                    other = Parquet(data)
                    described = other.chunks()[number]
                    described[COMPRESSED_BYTES].content = len(moved)
                    for each in (DATA_PAGE, DICTIONARY_PAGE):
                        if each in chunk.content:
                            after = grown if chunk[each].number > place else 0
                            described[each].content = chunk[each].number + shift + after
                    what = f"column {number}, field {field}, {path} is {lie}"
                    yield what, other.whole(body=file.body + moved)


@pytest.mark.parametrize("number", [2**31 - 1, 2**62])
def test_rows_that_claim_to_be_huge_are_not_read_one_by_one(tmp_path: Path, number: int) -> None:
    rows = [{"start_ts": at, "duration_ns": 5} for at in range(20_000)]
    path = write_tables(tmp_path, {"Instruction": rows}) / "Instruction.parquet"
    pq.write_table(pq.read_table(path).select(["start_ts", "duration_ns"]), path)
    file = Parquet(path.read_bytes())
    file.description[ROW_GROUPS][0][GROUP_BYTES].content = number
    path.write_bytes(file.whole())
    batches = list(Tables(tmp_path).batches("Instruction", ["start_ts"]))
    assert sum(map(len, batches)) == 20_000
    assert len(batches) < 100


@pytest.mark.parametrize("lies", [lying_descriptions, lying_pages], ids=lambda lies: lies.__name__)
def test_lies_end_with_rows_or_an_error_and_take_no_memory(
    lies: Callable[[bytes], Iterator[tuple[str, bytes]]], table: Path, tmp_path: Path
) -> None:
    sound = table.read_bytes()
    assert Parquet(sound).whole() == sound
    files: list[tuple[str, Path]] = []
    for number, (what, data) in enumerate(lies(sound)):
        files.append((what, tmp_path / f"{number}.parquet"))
        files[-1][1].write_bytes(data)
    assert len(files) > 100
    run = subprocess.run(
        [sys.executable, "-c", READ, str(table)],
        input="".join(f"{path}\n" for _, path in files),
        capture_output=True,
        text=True,
        check=False,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    read = answers[1::2]
    last = files[min(len(read), len(files) - 1)][0]
    assert run.returncode == 0, f"{last}: {run.stderr[-2000:]}"
    end = answers.pop()
    assert len(read) == len(files)
    assert end["peak_bytes"] < PEAK_BYTES
    for (what, _), found in zip(files, read, strict=True):
        if "error" in found:
            assert found["message"].endswith("."), what
        else:
            assert 0 < found["rows"] <= ROWS, what
            if found["rows"] < ROWS:
                assert {"broken_table", "wrong_row_count", "bad_duration"} & {*found["codes"]}, what
