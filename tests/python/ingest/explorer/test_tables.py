"""Tables of every version and state, written with pyarrow itself."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from sidelight.ingest.explorer.columns import LONGEST_TEXT_BYTES, NO_TIME, Batch
from sidelight.ingest.explorer.table_files import only_profile_folder, profile_folders
from sidelight.ingest.explorer.tables import BATCH_ROWS, Tables
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.errors import UnreadableInputError

arrow: Any = pyarrow
parquet: Any = pyarrow.parquet


def write(path: Path, columns: Mapping[str, Any], **options: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(arrow.table(dict(columns)), path, **options)
    return path


def read(folder: Path, table: str, *columns: str) -> Batch:
    return Tables(folder).read(table, columns)


def codes_of(tables: Tables) -> list[str]:
    return [note.code for note in tables.notes()]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (arrow.array([3, None, -7], arrow.int32()), [3, -1, -7]),
        (arrow.array([3, None, 2**63 + 5], arrow.uint64()), [3, -1, -(2**63) + 5]),
        (arrow.array(["3", "no", "18446744073709551615"]), [3, -1, -1]),
        (arrow.array(["9007199254740993", "1e3", "99999999999999999999"]), [2**53 + 1, 1000, -1]),
        (arrow.array([3.6, math.nan, math.inf]), [4, -1, -1]),
        (arrow.array([Decimal("12.00"), None, Decimal("-3.00")]), [12, -1, -3]),
        (arrow.array([True, None, False]), [1, -1, 0]),
        (arrow.array([2**53 + 1, None, 5], arrow.duration("us")), [9007199254740993000, -1, 5000]),
        (arrow.array([2**62, None, 5], arrow.timestamp("ms")), [-1, -1, 5 * 10**6]),
        (arrow.array(["8", None, "8"]).dictionary_encode(), [8, -1, 8]),
        (arrow.nulls(3), [-1, -1, -1]),
    ],
    ids=str,
)
def test_whole_numbers_of_every_type(tmp_path: Path, values: Any, expected: list[int]) -> None:
    write(tmp_path / "Instruction.parquet", {"id": values})
    batch = read(tmp_path, "Instruction", "id", "pc")
    assert batch.integers("id").tolist() == expected
    assert batch.integers("pc", 7).tolist() == [7, 7, 7]


def test_numbers_of_every_type(tmp_path: Path) -> None:
    columns = {
        "a": arrow.array([1, None], arrow.int64()),
        "b": arrow.array(["0.25", "n/a"]),
        "c": arrow.array([1.5, math.inf], arrow.float32()),
        "d": arrow.array([2, 3], arrow.duration("ms")),
    }
    write(tmp_path / "Summary.parquet", columns)
    batch = read(tmp_path, "Summary", *columns)
    np.testing.assert_array_equal(batch.numbers("a"), [1, math.nan])
    np.testing.assert_array_equal(batch.numbers("b"), [0.25, math.nan])
    np.testing.assert_array_equal(batch.numbers("c"), [1.5, math.inf])
    np.testing.assert_array_equal(batch.numbers("d"), [2e6, 3e6])


def test_texts_of_every_type(tmp_path: Path) -> None:
    when = datetime(2026, 1, 2, tzinfo=timezone.utc)
    columns: dict[str, Any] = {
        "text": arrow.array(["é", None, "é"]),
        "binary": arrow.array([b"x", b"\xff", None]),
        "large": arrow.array(["l", "m", "l"], arrow.large_string()),
        "number": arrow.array([101, None, 3]),
        "list": arrow.array([[1, 2], None, []]),
        "texts": arrow.array([["a.py:1", "b.py:2"], ["c"], None]),
        "coded": arrow.array(["p", "q", "p"]).dictionary_encode(),
        "when": arrow.array([when, None, when], arrow.timestamp("us")),
    }
    write(tmp_path / "Instruction.parquet", columns)
    batch = read(tmp_path, "Instruction", *columns)
    assert batch.texts("text") == ["é", "", "é"]
    assert batch.texts("binary") == ["x", "\ufffd", ""]
    assert batch.texts("large") == ["l", "m", "l"]
    assert batch.texts("number") == ["101", "", "3"]
    assert batch.texts("list") == ["[1,2]", "", "[]"]
    assert batch.texts("texts") == ['["a.py:1","b.py:2"]', '["c"]', ""]
    assert batch.texts("coded") == ["p", "q", "p"]
    assert batch.texts("when")[0].startswith("2026-01-02")
    vocabulary = Vocabulary(["taken", "q"])
    assert batch.codes("coded", vocabulary).tolist() == [2, 1, 2]
    assert batch.codes("text", vocabulary).tolist() == [3, -1, 3]


def test_text_that_is_no_text_or_too_long(tmp_path: Path) -> None:
    not_utf8 = arrow.Array.from_buffers(arrow.string(), 1, arrow.array([b"a\xffb"]).buffers())
    write(tmp_path / "CcOp.parquet", {"operation": not_utf8})
    assert read(tmp_path, "CcOp", "operation").texts("operation") == ["a\ufffdb"]
    write(tmp_path / "CcOp.parquet", {"operation": ["x" * (LONGEST_TEXT_BYTES + 9)]})
    (text,) = read(tmp_path, "CcOp", "operation").texts("operation")
    assert len(text) == LONGEST_TEXT_BYTES


def test_times_count_in_what_the_profile_says(tmp_path: Path) -> None:
    write(
        tmp_path / "CcOp.parquet",
        {"start_ts": [1, None], "end_ts": [1.5, math.nan], "duration_ns": ["7", "x"]},
    )
    tables = Tables(tmp_path)
    tables.units = {("CcOp", "end_ts"): "microseconds", ("CcOp", "duration_ns"): "nanoseconds"}
    batch = tables.read("CcOp", ["start_ts", "end_ts", "duration_ns"])
    assert batch.times("start_ts").tolist() == [1, NO_TIME]
    assert batch.times("end_ts").tolist() == [1500, NO_TIME]
    assert batch.times("duration_ns").tolist() == [7, NO_TIME]


def test_a_table_in_parts_is_read_in_their_order(tmp_path: Path) -> None:
    for part in (10, 2, 0, 1):
        # The parts of a table need not agree on a type.
        value = part if part % 2 else str(part)
        write(tmp_path / f"Instruction_{part}.parquet", {"id": [value], "pc": [part * 10]})
    batch = read(tmp_path, "Instruction", "id", "pc")
    assert batch.integers("id").tolist() == [0, 1, 2, 10]
    assert batch.texts("id") == ["0", "1", "2", "10"]
    assert batch.numbers("pc").tolist() == [0, 10, 20, 100]
    assert batch.times("pc").tolist() == [0, 10, 20, 100]


def test_a_large_table_comes_in_batches_with_the_columns_asked_for(tmp_path: Path) -> None:
    count = 2 * BATCH_ROWS + 1
    write(tmp_path / "DmaPacket.parquet", {"id": range(count), "crc": range(count)})
    seen: list[float] = []
    tables = Tables(tmp_path, seen.append)
    batches = list(tables.batches("DmaPacket", ["id"]))
    assert sum(map(len, batches)) == count
    assert max(map(len, batches)) <= BATCH_ROWS
    assert "id" in batches[0]
    assert "crc" not in batches[0]
    assert np.concatenate([batch.integers("id") for batch in batches]).tolist() == list(
        range(count)
    )
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert 0.4 < seen[0] < 0.6


def test_absent_tables_and_columns_are_no_error(tmp_path: Path) -> None:
    write(tmp_path / "Instruction.parquet", {"other": [1, 2]})
    tables = Tables(tmp_path)
    assert "CcOp" not in tables
    assert len(tables.read("CcOp", ["start_ts"])) == 0
    batch = tables.read("Instruction", ["id", "opcode"])
    assert len(batch) == 2
    assert batch.integers("id").tolist() == [-1, -1]
    assert batch.texts("opcode") == ["", ""]
    assert math.isnan(batch.numbers("id")[0])
    assert tables.notes() == []


@pytest.mark.parametrize(
    "name", ["start_timestamp", "startTs", "start", "StartTimestampNs", "start_ns"]
)
def test_a_renamed_column_is_told_by_its_name(tmp_path: Path, name: str) -> None:
    write(tmp_path / "CcOp.parquet", {name: [5], "trigger_start_ts": [1]})
    tables = Tables(tmp_path)
    assert tables.read("CcOp", ["start_ts"]).times("start_ts").tolist() == [5]
    (note,) = tables.notes()
    assert note.code == "renamed_columns"
    assert f"CcOp.{name} for start_ts" in note.message


def test_two_columns_that_could_be_the_one_are_neither(tmp_path: Path) -> None:
    write(tmp_path / "CcOp.parquet", {"start": [5], "start_ns": [6]})
    tables = Tables(tmp_path)
    assert tables.read("CcOp", ["start_ts"]).times("start_ts").tolist() == [NO_TIME]
    assert tables.notes() == []


def test_a_damaged_table_among_good_ones_is_noted(tmp_path: Path) -> None:
    good = write(tmp_path / "Instruction_0.parquet", {"id": range(9)})
    cut = tmp_path / "Instruction_1.parquet"
    cut.write_bytes(good.read_bytes()[:-20])
    (tmp_path / "Instruction_2.parquet").write_bytes(b"")
    write(tmp_path / "Instruction_3.parquet", {"id": [9]})
    tables = Tables(tmp_path)
    assert tables.read("Instruction", ["id"]).integers("id").tolist() == list(range(10))
    (note,) = tables.notes()
    assert (note.code, note.count) == ("broken_table", 2)
    assert "Instruction_1.parquet, Instruction_2.parquet" in note.message
    with pytest.raises(UnreadableInputError, match=r"Instruction_1\.parquet is damaged") as raised:
        tables.error_if_broken()
    assert raised.value.code == "broken_table"


def test_pages_that_are_damaged_keep_what_was_before_them(tmp_path: Path) -> None:
    """Three groups of rows, the last of which cannot be unpacked."""
    count = 3 * BATCH_ROWS
    path = write(
        tmp_path / "DmaPacket.parquet",
        {"id": np.random.default_rng(0).integers(0, 2**60, count)},
        row_group_size=BATCH_ROWS,
        use_dictionary=False,
        compression="snappy",
    )
    file: Any = parquet.ParquetFile(path)
    last = file.metadata.row_group(2).column(0)
    contents = bytearray(path.read_bytes())
    for offset in range(last.data_page_offset, last.data_page_offset + 200):
        contents[offset] = 0xFF
    path.write_bytes(contents)
    tables = Tables(tmp_path)
    assert len(tables.read("DmaPacket", ["id"])) == 2 * BATCH_ROWS
    assert codes_of(tables) == ["broken_table"]


def test_an_error_of_whoever_reads_is_theirs(tmp_path: Path) -> None:
    write(tmp_path / "CcOp.parquet", {"op_id": [1]})

    def cancelled(_: float) -> None:
        raise ValueError("cancelled")

    tables = Tables(tmp_path, cancelled)
    with pytest.raises(ValueError, match="cancelled"):
        tables.read("CcOp", ["op_id"])
    assert tables.notes() == []


def test_more_rows_than_can_be_held(tmp_path: Path) -> None:
    write(tmp_path / "CcOp.parquet", {"op_id": range(6)})
    write(tmp_path / "CcInstruction.parquet", {"core_idx": range(5)})
    tables = Tables(tmp_path, most_rows=10)
    tables.read("CcOp", ["op_id"])
    with pytest.raises(UnreadableInputError, match="more than 10 rows") as raised:
        tables.read("CcInstruction", ["core_idx"])
    assert raised.value.code == "too_many_rows"


def test_where_profiles_are_found(tmp_path: Path) -> None:
    leaf = tmp_path / "data" / "profiles" / "global" / "mlp@latest"
    file = write(leaf / "Instruction_0.parquet", {"id": [1]})
    for path in (file, leaf, leaf.parent, leaf.parent.parent, tmp_path / "data"):
        assert profile_folders(path) == [leaf]
        assert only_profile_folder(path) == leaf
    other = leaf.parent / "moe@latest"
    write(other / "SystemProfileEvents.parquet", {"id": [1]})
    assert profile_folders(tmp_path / "data") == [leaf, other]
    with pytest.raises(UnreadableInputError, match="mlp@latest, moe@latest") as raised:
        only_profile_folder(leaf.parent)
    assert raised.value.code == "several_profiles"


def test_what_is_no_profile(tmp_path: Path) -> None:
    write(tmp_path / "train.parquet", {"id": [1]})
    write(tmp_path / "Summary.parquet", {"id": [1]})  # anyone may call a file so
    (tmp_path / "Instruction.parquet").write_bytes(b"no parquet")
    os.mkfifo(tmp_path / "CcOp.parquet")
    for path in (tmp_path, tmp_path / "train.parquet", tmp_path / "missing"):
        assert profile_folders(path) == []
    with pytest.raises(UnreadableInputError) as raised:
        only_profile_folder(tmp_path)
    assert raised.value.code == "unknown_format"


def test_a_long_text_of_many_rows_is_held_once(tmp_path: Path) -> None:
    """Written out for each row, these would be 600 GB."""
    text = "x" * 10_000_000
    column = arrow.DictionaryArray.from_arrays(arrow.array([0, None] * 30_000), [text])
    path = write(tmp_path / "CcOp.parquet", {"operation": column}, store_schema=False)
    assert path.stat().st_size < 11_000_000
    before = arrow.total_allocated_bytes()
    (batch,) = Tables(tmp_path).batches("CcOp", ["operation"])
    indexes, texts = batch.distinct("operation")
    assert arrow.total_allocated_bytes() - before < 100_000_000
    assert indexes.tolist() == [0, -1] * 30_000
    assert set(batch.integers("operation").tolist()) == {-1}
    assert arrow.total_allocated_bytes() - before < 100_000_000
    assert texts == ["x" * LONGEST_TEXT_BYTES]


def test_large_rows_come_few_at_a_time(tmp_path: Path) -> None:
    texts = [f"{number:04}" * 1_000_000 for number in range(40)]
    write(tmp_path / "CcOp.parquet", {"operation": texts}, use_dictionary=False)
    batches = list(Tables(tmp_path).batches("CcOp", ["operation"]))
    assert len(batches) > 1
    assert [text for batch in batches for text in batch.texts("operation")] == [
        text[:LONGEST_TEXT_BYTES] for text in texts
    ]


def test_a_dictionary_of_many_rows_gives_each_batch_its_own(tmp_path: Path) -> None:
    count = BATCH_ROWS + 10
    texts = [f"text {number}" for number in range(count)]
    write(tmp_path / "CcOp.parquet", {"operation": texts[::-1]})
    batches = list(Tables(tmp_path).batches("CcOp", ["operation"]))
    for batch in batches:
        assert len(batch.distinct("operation")[1]) == len(batch)
    assert [text for batch in batches for text in batch.texts("operation")] == texts[::-1]
