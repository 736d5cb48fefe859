"""What a whole profile comes to, over the wire."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from sidelight.server import protocol
from sidelight.server.protocol import (
    FlameMatchParams,
    GroupMember,
    LineParams,
    ProfileParams,
    RooflineChangeParams,
    RowRange,
    TableCsvParams,
    TableOrder,
    TableParams,
)
from support.editor import editing
from support.processes import worker_processes
from support.stored import store_training, write_sources


def printed_summary(directory: Path) -> dict[str, Any]:
    """What the command line prints of a profile."""
    done = subprocess.run(
        [sys.executable, "-m", "sidelight", "summary", str(directory), "--json"],
        check=True,
        capture_output=True,
    )
    return json.loads(done.stdout)


async def test_the_analysis_is_what_the_command_line_prints(tmp_path: Path) -> None:
    stored = store_training(tmp_path)
    printed = printed_summary(stored.directory)
    assert printed.pop("tables")["lines"]["rows"]
    async with editing(tmp_path) as editor:
        params = ProfileParams(directory=str(stored.directory))
        analysis = await editor.ask(protocol.ANALYSIS, params)
        assert (analysis.directory, analysis.name) == (str(stored.directory), "train")
        assert analysis.headline == "train: 2.23 ms of device time a step, measured on the CPU"
        assert (analysis.steps, analysis.time_kind, analysis.rank) == (4, "measured", None)
        assert json.loads(analysis.overview_json) == printed


async def test_a_profile_is_summed_up_once_and_apart_from_its_timeline(tmp_path: Path) -> None:
    params = ProfileParams(directory=str(store_training(tmp_path).directory))
    async with editing(tmp_path) as editor:
        await editor.ask(protocol.ANALYSIS, params)
        (worker,) = worker_processes(editor.server)
        await editor.ask(protocol.ANALYSIS, params)
        assert worker_processes(editor.server) == [worker]
        await editor.ask(protocol.TIMELINE, params)
        assert len(worker_processes(editor.server)) == 2


async def test_tables_are_the_command_lines_sorted_filtered_and_in_pages(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    printed = printed_summary(Path(directory))["tables"]["lines"]

    def by_count(row: dict[str, Any]) -> int:
        return -1 if row["count"] is None else -row["count"]

    in_model = [row for row in printed["rows"] if "model.py" in row["name"]]
    async with editing(tmp_path) as editor:

        async def page(order: TableOrder, first: int, count: int) -> dict[str, Any]:
            params = TableParams(directory=directory, order=order, first=first, count=count)
            return json.loads((await editor.ask(protocol.TABLE, params)).page_json)

        whole = await page(TableOrder(table="lines"), 0, 1_000_000)
        assert (whole["rows"], whole["columns"]) == (printed["rows"], printed["columns"])
        assert "file" in whole["groups"]
        order = TableOrder(table="lines", sort="count", text="MODEL.py")
        expected = sorted(in_model, key=by_count)
        shown = await page(order, 2, 3)
        assert (shown["rows"], shown["total"]) == (expected[2:5], len(in_model))
        assert shown["sums"]["self_ns"] == sum(row["self_ns"] for row in in_model)
        groups = await page(TableOrder(table="lines", group="file"), 0, 9)
        assert sum(row["rows"] for row in groups["rows"]) == whole["total"]
        first = groups["rows"][0]
        within = GroupMember(column="file", value=first["file"])
        members = await page(TableOrder(table="lines", within=within), 0, 1000)
        assert (members["total"], members["sums"]["self_ns"]) == (first["rows"], first["self_ns"])


async def test_rows_are_copied_as_a_spreadsheet_takes_them(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    printed = printed_summary(Path(directory))["tables"]["operators"]
    order = TableOrder(table="operators")
    async with editing(tmp_path) as editor:
        params = TableCsvParams(directory=directory, order=order, ranges=None, separator="comma")
        everything = await editor.ask(protocol.TABLE_CSV, params)
        rows = list(csv.DictReader(io.StringIO(everything.text, newline="")))
        assert everything.rows == len(rows) == len(printed["rows"])
        expected = [
            {name: "" if cell is None else str(cell) for name, cell in row.items()}
            | {"time_kind": "measured"}
            for row in printed["rows"]
        ]
        assert rows == expected
        ranges = [RowRange(first=0, count=1), RowRange(first=3, count=2)]
        params = TableCsvParams(directory=directory, order=order, ranges=ranges, separator="tab")
        some = await editor.ask(protocol.TABLE_CSV, params)
        rows = list(csv.DictReader(io.StringIO(some.text, newline=""), delimiter="\t"))
        assert some.rows == 3
        assert rows == [expected[0], *expected[3:5]]


async def test_a_column_that_a_table_has_not_is_told_of(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    order = TableOrder(table="kernels", sort="forward_ns")
    params = TableParams(directory=directory, order=order, first=0, count=1)
    async with editing(tmp_path) as editor:
        with pytest.raises(JsonRpcException, match="has no column forward_ns"):
            await editor.ask(protocol.TABLE, params)


async def test_frames_are_found_with_their_time(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    root = printed_summary(Path(directory))["flame"]["by_line"]
    outermost = [child for child in root["children"] if "train.py" in child["name"]]
    async with editing(tmp_path) as editor:
        params = FlameMatchParams(directory=directory, graph="by_line", text="Train.PY")
        found = await editor.ask(protocol.FLAME_MATCH, params)
    assert len(found.frames) >= len(outermost) > 0
    assert found.matched_ns == sum(child["total_ns"] for child in outermost)


async def test_a_damaged_profile_is_told_of(tmp_path: Path) -> None:
    directory = store_training(tmp_path).directory
    (directory / "events.npz").write_bytes(b"damaged")
    async with editing(tmp_path) as editor:
        with pytest.raises(JsonRpcException, match="damaged"):
            await editor.ask(protocol.ANALYSIS, ProfileParams(directory=str(directory)))


async def test_a_line_is_found_where_it_is_now(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    directory = str(store_training(tmp_path).directory)
    async with editing(tmp_path) as editor:
        line = LineParams(directory=directory, file=str(path), line=12)
        found = await editor.ask(protocol.FIND_LINE, line)
        assert (found.uri, found.current_line) == (path.as_uri(), 12)
        path.write_text("\n" + path.read_text())
        found = await editor.ask(protocol.FIND_LINE, line)
        assert (found.uri, found.current_line) == (path.as_uri(), 13)
        nowhere = LineParams(directory=directory, file="/nowhere/model.py", line=3)
        found = await editor.ask(protocol.FIND_LINE, nowhere)
        assert (found.uri, found.current_line) == (None, None)


async def test_dots_of_two_profiles_are_compared(tmp_path: Path) -> None:
    base, new = (store_training(tmp_path, name) for name in ("before", "now"))
    async with editing(tmp_path) as editor:
        params = RooflineChangeParams(directory=str(new.directory), baseline=str(base.directory))
        changed = await editor.ask(protocol.ROOFLINE_CHANGE, params)
        assert (changed.directory, changed.baseline) == (str(new.directory), str(base.directory))
        change = json.loads(changed.change_json)
        assert (change["base"]["name"], change["new"]["name"]) == ("before", "now")
        assert change["base"]["steps"] == 4
        # The CPU's times alone tell of no work.
        assert (change["whole"], change["lines"]) == (None, [])
        assert "--device" in change["remarks"][0]
        elsewhere = RooflineChangeParams(directory=str(new.directory), baseline=str(tmp_path))
        with pytest.raises(JsonRpcException):
            await editor.ask(protocol.ROOFLINE_CHANGE, elsewhere)


async def test_a_line_of_a_document_is_the_profiles_own(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    directory = str(store_training(tmp_path).directory)
    async with editing(tmp_path) as editor:
        await editor.ask(protocol.SHOW_PROFILE, ProfileParams(directory=directory))
        path.write_text("\n" + path.read_text())
        editor.open(path)

        async def line_at(document: Path, line: int) -> object:
            params = {"uri": document.as_uri(), "line": line}
            return await editor.ask_raw(protocol.LINE_OF_DOCUMENT.method, params)

        # The document counts from 0, and one line was put before all.
        expected = {"directory": directory, "file": str(path), "line": 12}
        assert await line_at(path, 12) == expected
        assert await line_at(path, 0) is None
        assert await line_at(tmp_path / "other.py", 12) is None
