"""What a whole profile comes to, over the wire."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from sidelight.server import protocol
from sidelight.server.protocol import LineParams, ProfileParams
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
