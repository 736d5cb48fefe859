"""One profile in the ways in which versions and writers differ: what it says stays the same."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from ingest.explorer.whole_sample import told_by, whole_profile
from sidelight import ingest
from sidelight.ingest.explorer.known_tables import KNOWN_TABLES, PASSED_OVER
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.sessions.tables import read
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from support.explorer_tables import TABLES, pa, write_tables

WHOLE = whole_profile()

TELLING: Mapping[str, Sequence[str]] = {
    "samples": (
        *("CpuUsage", "HostMemUsage", "SystemProfileHbmUsage", "DmaUsage", "HbmUsage"),
        *("SbufUsage", "PsumUsage", "PendingDma", "Throttle", "SbufAllocation"),
    ),
    "core": ("SystemProfileMetadata", "ThrottleSummary", "HbmUsageSummaryByType"),
    "lines": (
        *("StackFrame", "StackFrameFileLocation", "StackFrameFileName", "KernelInstructions"),
    ),
    "rows": (
        *("FrameworkNode", "CoreBarriers", "CcInstruction", "CcOp", "ExecutionInfo"),
        *("FrameworkInstruction", "HloInstruction", "DmaPacket", "DmaPacketAggregated"),
    ),
    "work": (
        *("PenguinInstruction", "BirInstruction", "FrameworkInstruction", "HloInstruction"),
        *("CcOp", "DmaPacket", "DmaPacketAggregated", "ExecutionInfo"),
    ),
    "flows": ("Flow", "FrameworkInstruction", "DmaPacket", "DmaPacketAggregated"),
    "tensors": ("TensorInfo",),
    "figures": ("Summary",),
    "versions": ("NeffHeader",),
    "nothing that is looked at here": (
        *PASSED_OVER,
        # Instructions tell the same, more finely; sessions read the list.
        *("ActiveTime", "DeviceProfileList"),
        *("Warning", "Error"),  # these are in the quality report
        *("StackFrameFunctionName", "KernelStackFrames"),  # a line is the same in any function
    ),
}
"""Which tables tell something of an aspect; the others have no part in it."""

TABLES_THAT_MAY_BE_ABSENT = sorted({table for tables in TELLING.values() for table in tables})


def told(folder: Path, **changes: Any) -> dict[str, Any]:
    tables = {**WHOLE, **changes.pop("tables", {})}
    return told_by(ingest.read(write_tables(folder, tables, **changes)))


@cache
def plain() -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        return told(Path(folder))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tables(tmp_path_factory.mktemp("whole"), WHOLE)


def differing(found: Mapping[str, Any]) -> set[str]:
    return {aspect for aspect, expected in plain().items() if found[aspect] != expected}


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def test_every_table_of_the_schema_is_read_or_passed_over_on_purpose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(TABLES) == KNOWN_TABLES
    opened: set[str] = set()
    batches = Tables.batches

    def watched(self: Tables, name: str, columns: Any) -> Any:
        opened.add(name)
        return batches(self, name, columns)

    monkeypatch.setattr(Tables, "batches", watched)
    read(write_tables(tmp_path, WHOLE))
    # With instructions there is no need of engines' active times; sessions read the list.
    assert opened | PASSED_OVER | {"ActiveTime", "DeviceProfileList"} == KNOWN_TABLES
    assert not opened & PASSED_OVER


def test_all_tables_in_pieces(tmp_path: Path) -> None:
    found = told(tmp_path, pieces=dict.fromkeys(WHOLE, 2))
    assert (tmp_path / "SystemProfileEvents_1.parquet").exists()
    assert not (tmp_path / "SystemProfileEvents.parquet").exists()
    assert differing(found) == set()


@pytest.mark.parametrize("table", TABLES_THAT_MAY_BE_ABSENT)
def test_a_table_that_is_absent_takes_with_it_what_it_tells_and_nothing_else(
    written: Path, tmp_path: Path, table: str
) -> None:
    for file in written.iterdir():
        if file.name != f"{table}.parquet":
            os.link(file, tmp_path / file.name)
    assert len(list(tmp_path.iterdir())) == len(list(written.iterdir())) - 1
    assert differing(told_by(read(tmp_path))) == {
        aspect for aspect in plain() if table in TELLING.get(aspect, ())
    }


def test_every_table_but_those_of_rows_may_be_absent() -> None:
    assert set(WHOLE) - set(TABLES_THAT_MAY_BE_ABSENT) == {
        "Instruction",
        "SystemProfileEvents",
        "Metadata",
    }


@pytest.mark.parametrize("table", ["Instruction", "SystemProfileEvents"])
def test_either_profile_alone(tmp_path: Path, table: str) -> None:
    profile = ingest.read(write_tables(tmp_path, {table: WHOLE[table]}))
    found = told_by(profile)
    # By hand: the tensor engine 200, vector 300 and sync 50 ns; or the one execution.
    assert found["time"][0] == {"Instruction": 550, "SystemProfileEvents": 2000}[table]
    assert sum(found["rows"].values()) == {"Instruction": 5, "SystemProfileEvents": 5}[table]


def spans(found: Mapping[str, Any]) -> Counter[tuple[int, int]]:
    """Start and duration of every row."""
    return Counter({row[3:5]: count for row, count in found["rows"].items()})


@pytest.mark.parametrize("column", sorted(TABLES["Instruction"]))
def test_a_column_of_instructions_that_is_absent(tmp_path: Path, column: str) -> None:
    """Times are told from any two of start, end and duration."""
    write_tables(tmp_path, {"Instruction": WHOLE["Instruction"]}, without={f"Instruction.{column}"})
    found = told_by(read(tmp_path))
    waits_count = column == "opcode"  # nothing tells a wait from work then
    assert found["time"][0] == 600 if waits_count else 550
    assert (200, 300) in {(start - 4000, duration) for start, duration in spans(found)}


@pytest.mark.parametrize("column", sorted(TABLES["SystemProfileEvents"]))
def test_a_column_of_system_events_that_is_absent(tmp_path: Path, column: str) -> None:
    write_tables(
        tmp_path,
        {"SystemProfileEvents": WHOLE["SystemProfileEvents"]},
        without={f"SystemProfileEvents.{column}"},
    )
    if column == "start_ts":
        with pytest.raises(UnreadableInputError, match="no event whose time can be"):
            read(tmp_path)
        return
    device_time_ns = {
        "flow_id": 1999,  # cores cannot be merged: the inner of the two rows counts
        "name": 6800,  # no row says that it is an execution: the framework's stream is left
        "trace_event_source": 0,
    }
    found = told_by(read(tmp_path))
    assert found["time"][0] == device_time_ns.get(column, 2000)


def test_whatever_rows_may_lack_is_absent(tmp_path: Path) -> None:
    optional = {
        f"{table}.{column}"
        for table, columns in TABLES.items()
        for column, kind in columns.items()
        if kind.endswith("?")
    }
    assert len(optional) > 200
    assert told(tmp_path, without=optional)["time"][0] > 0


def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def long_name(name: str) -> str:
    return name.replace("_ts", "_timestamp_ns")


def name_without_unit(name: str) -> str:
    return name.removesuffix("_ns")


@pytest.mark.parametrize(
    "rename",
    [
        pytest.param(camel_case, id="startTs"),
        pytest.param(long_name, id="start_timestamp_ns"),
        pytest.param(name_without_unit, id="duration"),
    ],
)
def test_columns_of_all_tables_by_other_names(tmp_path: Path, rename: Callable[[str], str]) -> None:
    # The names of a summary's columns are those of its figures; this table tells of the others.
    renamed = {
        f"{table}.{column}": rename(column)
        for table, columns in TABLES.items()
        if table not in ("Summary", "SchemaFields")
        for column in columns
        if rename(column) != column
    }
    assert differing(told(tmp_path, renamed=renamed)) == set()
    assert "renamed_columns" in codes(read(tmp_path))


def test_columns_and_tables_that_are_new(tmp_path: Path) -> None:
    added = {f"{table}.a_new_one": pa.string() for table in WHOLE if table != "Summary"}
    found = told(tmp_path, added=added)
    (tmp_path / "FutureTable_0.parquet").write_bytes((tmp_path / "CcOp.parquet").read_bytes())
    assert differing(found) == differing(told_by(read(tmp_path))) == set()
    assert codes(read(tmp_path))["unknown_parts"] == 1


@pytest.mark.parametrize("kind", ["string", "uint64", "large_string", "decimal"])
def test_whole_numbers_as_other_types(tmp_path: Path, kind: str) -> None:
    """Ids and times keep every digit."""
    types = {
        "string": pa.string(),
        "large_string": pa.large_string(),
        "uint64": pa.uint64(),
        "decimal": pa.decimal128(38, 0),
    }
    retyped = {
        f"{table}.{column}": types[kind]
        for table, columns in TABLES.items()
        if table != "SchemaFields"
        for column, own in columns.items()
        if own.removesuffix("?") == "int64"
    }
    rows = {
        table: [
            {
                name: str(value)
                if kind.endswith("string") and f"{table}.{name}" in retyped and value is not None
                else value
                for name, value in row.items()
            }
            for row in of_table
        ]
        for table, of_table in WHOLE.items()
    }
    assert differing(told(tmp_path, tables=rows, retyped=retyped)) == set()


@pytest.mark.parametrize("version", ["7.4.0", "12.0.1", "99.1.0", "6", "next", None])
def test_any_version_of_the_schema(tmp_path: Path, version: str | None) -> None:
    known = version in ("7.4.0", "12.0.1")
    found = told(tmp_path, version=version)
    assert differing(found) == ({"versions"} if version != "7.4.0" else set())
    assert ("unknown_schema_version" in codes(read(tmp_path))) == (not known)
