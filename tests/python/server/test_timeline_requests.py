"""Timelines over the wire: windows, events with their places, and lines."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sidelight.server import protocol
from sidelight.server.protocol import (
    AreaParams,
    EventParams,
    LineParams,
    ProfileParams,
    WindowParams,
)
from support.editor import Editor, editing
from support.processes import worker_processes
from support.stored import store_training, write_sources
from support.waiting import PATIENCE_S

BYTES = {"float64": 8, "int32": 4, "uint32": 4, "uint16": 2, "uint8": 1}


async def line_event(editor: Editor, directory: str, file: Path, line: int) -> int:
    """The event that a line is shown by on the timeline."""
    place = LineParams(directory=directory, file=str(file), line=line)
    return (await editor.ask(protocol.LINE_ON_TIMELINE, place)).event


async def test_a_timeline_and_its_windows(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    async with editing(tmp_path) as editor:
        timeline = await editor.ask(protocol.TIMELINE, ProfileParams(directory=directory))
        assert timeline.directory == directory
        assert timeline.headline == "train: 2.23 ms of device time a step, measured on the CPU"
        assert [step.number for step in timeline.steps] == [1, 2, 3, 4]
        (track,) = timeline.tracks
        assert (track.kind, track.name) == ("host", "main")
        window = await editor.ask(
            protocol.TIMELINE_WINDOW,
            WindowParams(
                directory=directory, from_ns=timeline.start_ns, to_ns=timeline.end_ns, width=1000
            ),
        )
        assert window.count > 0
        row_bytes = sum(BYTES[kind] for _, kind in protocol.SPAN_COLUMNS)
        assert len(base64.b64decode(window.spans)) == window.count * row_bytes


async def test_an_event_s_places_are_where_its_lines_are_now(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    directory = str(store_training(tmp_path).directory)
    async with editing(tmp_path) as editor:
        event = EventParams(
            directory=directory, event=await line_event(editor, directory, path, 12)
        )
        details = await editor.ask(protocol.TIMELINE_EVENT, event)
        train = tmp_path / "train.py"
        assert [(place.uri, place.line, place.current_line) for place in details.places] == [
            (path.as_uri(), 12, 12),
            (path.as_uri(), 25, 25),
            (train.as_uri(), 7, 7),
        ]
        uri = editor.open(path)
        editor.edit(uri, (0, 0), (0, 0), "\n\n")
        editor.edit(uri, (26, 0), (27, 0), "")
        details = await editor.ask(protocol.TIMELINE_EVENT, event)
        assert [place.current_line for place in details.places] == [14, None, 7]
        train.write_text("# a file that nobody opened\n" + train.read_text())
        details = await editor.ask(protocol.TIMELINE_EVENT, event)
        assert [place.current_line for place in details.places] == [14, None, 8]


async def test_places_of_files_from_another_host(tmp_path: Path) -> None:
    path = write_sources(tmp_path / "project")
    (tmp_path / "project" / "train.py").unlink()
    there = Path("/home/engineer/work/project")
    directory = str(store_training(tmp_path, at=there).directory)
    async with editing(tmp_path) as editor:
        number = await line_event(editor, directory, there / "model.py", 12)
        event = EventParams(directory=directory, event=number)
        details = await editor.ask(protocol.TIMELINE_EVENT, event)
        assert [(place.file, place.uri) for place in details.places] == [
            (str(there / "model.py"), path.as_uri()),
            (str(there / "model.py"), path.as_uri()),
            (str(there / "train.py"), None),
        ]


async def test_an_area_over_the_wire_has_the_line_report_s_device_time(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    async with editing(tmp_path) as editor:
        timeline = await editor.ask(protocol.TIMELINE, ProfileParams(directory=directory))
        steps_ns = (timeline.steps[0].start_ns, timeline.steps[-1].end_ns)
        area = await editor.ask(
            protocol.TIMELINE_AREA,
            AreaParams(directory=directory, from_ns=steps_ns[0], to_ns=steps_ns[1]),
        )
        # 2.23 ms a step, as the headline has it.
        assert round(area.device_time_ns / len(timeline.steps) / 1e6, 2) == 2.23
        assert sum(each.device_time_ns for each in area.operators) == area.device_time_ns


async def test_a_line_without_device_time_is_nowhere(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    directory = str(store_training(tmp_path).directory)
    params = {"directory": directory, "file": str(path), "line": 1}
    async with editing(tmp_path) as editor:
        assert await editor.ask_raw(protocol.LINE_ON_TIMELINE.method, params) is None


async def test_an_event_that_is_not_there(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    async with editing(tmp_path) as editor:
        event = EventParams(directory=directory, event=10**6)
        with pytest.raises(JsonRpcException) as refused:
            await editor.ask(protocol.TIMELINE_EVENT, event)
        assert refused.value.code == types.LSPErrorCodes.RequestFailed


async def test_what_is_cancelled_before_its_turn_is_never_asked(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    whole = WindowParams(directory=directory, from_ns=0, to_ns=10_000_000, width=1000)
    async with editing(tmp_path) as editor:
        await editor.ask(protocol.TIMELINE, ProfileParams(directory=directory))
        (process,) = worker_processes(editor.server)
        process.suspend()
        first, superseded, last = (
            editor.begin(protocol.TIMELINE_WINDOW, whole, message_id)
            for message_id in ("first", "superseded", "last")
        )
        for message_id in ("first", "superseded"):
            editor.client.cancel_request(types.CancelParams(message_id))
        # The process stands still, so it was not asked: the first one has the turn.
        with pytest.raises(JsonRpcException) as refused:
            await asyncio.wait_for(superseded, PATIENCE_S)
        assert refused.value.code == types.LSPErrorCodes.RequestCancelled
        assert not first.done()
        assert not last.done()
        process.resume()
        answers = await asyncio.wait_for(asyncio.gather(first, last), PATIENCE_S)
        assert answers[0] == answers[1]
        assert answers[0]["count"] > 0


async def test_only_two_timelines_are_kept(tmp_path: Path) -> None:
    directories = [str(store_training(tmp_path, name).directory) for name in "abc"]
    async with editing(tmp_path) as editor:
        for _ in range(2):
            for directory in directories:
                await editor.ask(protocol.TIMELINE, ProfileParams(directory=directory))
        await editor.until(lambda: len(worker_processes(editor.server)) == 2)
