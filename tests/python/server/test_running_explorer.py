"""What only Neuron's own tool can read is offered, and read once the client wants it.

The tool's part is played by a small program that does as its pages say.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sidelight.profile.store import Store
from sidelight.server import protocol
from sidelight.server.protocol import OpenedTrace, OpenTraceParams
from support.editor import Editor, editing
from support.explorer_program import write_explorer, write_session
from support.processes import has_ended
from traces.neuron_binaries import neff, ntff, written

TOKEN = "running"
REQUEST = "run-1"


@pytest.fixture(name="log")
def write_program(tmp_path: Path) -> Path:
    return write_explorer(tmp_path / "bin")


def with_program(log: Path) -> Mapping[str, str]:
    return {**os.environ, "PATH": f"{log.parent}{os.pathsep}{os.environ['PATH']}"}


def stored(folder: Path) -> list[str]:
    return [str(entry.directory) for entry in Store(folder / ".sidelight").entries()]


async def open_path(editor: Editor, path: Path, **more: object) -> OpenedTrace:
    return await editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path=str(path), **more))  # pyright: ignore[reportArgumentType]


async def test_a_session_is_read_anew_with_its_tables(tmp_path: Path, log: Path) -> None:
    session = write_session(tmp_path / "session")
    async with editing(tmp_path, environment=with_program(log)) as editor:
        first = await open_path(editor, session)
        assert first.profile
        assert first.profile.device_time_ns == 90_000, "all that the trace alone knows"
        assert first.explorer
        assert first.explorer.path == str(session)
        assert first.explorer.command is None
        assert "which only Neuron's own tools can read" in first.explorer.message
        assert not log.exists(), "it is not run without being asked for"
        assert stored(tmp_path) == first.directories

        editor.client.progress_reports[TOKEN] = []
        second = await open_path(
            editor,
            session,
            run_explorer=True,
            replaced=first.directories,
            work_done_token=TOKEN,
        )
        assert second.profile
        assert second.profile.device_time_ns == 50_000
        assert second.explorer is None
        assert stored(tmp_path) == second.directories == [second.profile.directory]
        assert [shown.directory for shown in editor.shown] == second.directories
        begin, *middle, end = editor.client.progress_reports[TOKEN]
    assert isinstance(begin, types.WorkDoneProgressBegin)
    assert (begin.title, begin.cancellable) == ("Running neuron-explorer on session", True)
    said = [each.message for each in middle if isinstance(each, types.WorkDoneProgressReport)]
    assert said[0] == f"INFO processing {session}"
    assert isinstance(end, types.WorkDoneProgressEnd)
    assert json.loads(log.read_text())[2:4] == ["-d", str(session)]
    assert os.listdir(tmp_path / ".sidelight" / "tmp") == []


async def test_what_nothing_else_can_read_is_offered_instead_of_a_profile(
    tmp_path: Path, log: Path
) -> None:
    session = write_session(tmp_path / "session")
    (trace,) = session.rglob("trace.json")
    trace.unlink()
    (recording,) = session.rglob("ntrace.pb")
    async with editing(tmp_path, environment=with_program(log)) as editor:
        for path, whole in ((session, session), (recording, recording.parent)):
            answer = await open_path(editor, path)
            assert answer.profile is None
            assert answer.directories == []
            assert answer.explorer
            assert answer.explorer.path == str(whole)
        answer = await open_path(editor, session, run_explorer=True)
        assert answer.profile
        assert answer.profile.device_time_ns == 50_000


async def test_where_it_is_not_installed_the_command_is_told(tmp_path: Path) -> None:
    session = write_session(tmp_path / "session of mine")
    nowhere = {**os.environ, "PATH": str(tmp_path)}
    async with editing(tmp_path, environment=nowhere) as editor:
        answer = await open_path(editor, session)
        assert answer.profile
        assert answer.explorer
        command = (
            f"neuron-explorer view --ingest-only -d '{session}' "
            "--data-path neuron-explorer-data --display-name session-of-mine"
        )
        assert answer.explorer.command == command
        assert command in answer.explorer.message
        with pytest.raises(JsonRpcException, match="There is no neuron-explorer on the path"):
            await open_path(editor, session, run_explorer=True)


async def test_a_capture_that_is_opened_by_its_program(tmp_path: Path, log: Path) -> None:
    program = written(tmp_path / "step.neff", neff())
    capture = written(tmp_path / "17_vnc_0.ntff", ntff())
    async with editing(tmp_path, environment=with_program(log)) as editor:
        answer = await open_path(editor, program)
        assert answer.explorer
        assert answer.explorer.path == str(capture)
    async with editing(tmp_path, environment={**os.environ, "PATH": str(tmp_path)}) as editor:
        answer = await open_path(editor, capture)
        assert answer.explorer
        assert answer.explorer.command
        assert f"-n {program} -s {capture}" in answer.explorer.command


@pytest.mark.parametrize(
    "unreadable", [ntff(subgraphs=[]), b"\x07" + ntff()[1:]], ids=["no time", "another version"]
)
async def test_a_capture_that_nothing_else_can_read(
    tmp_path: Path, log: Path, unreadable: bytes
) -> None:
    program = written(tmp_path / "neff_17.neff", neff())
    capture = written(tmp_path / "17_vnc_0.ntff", unreadable)
    async with editing(tmp_path, environment={**os.environ, "PATH": str(tmp_path)}) as editor:
        answer = await open_path(editor, capture)
        assert answer.profile is None
        assert answer.explorer
        assert answer.explorer.command
        assert f"-n {program} -s {capture}" in answer.explorer.command
    async with editing(tmp_path, environment=with_program(log)) as editor:
        answer = await open_path(editor, capture)
        assert answer.explorer
        assert (answer.explorer.path, answer.explorer.command) == (str(capture), None)


@pytest.mark.parametrize("how", ["request", "progress"])
async def test_cancel_ends_the_tool_and_changes_nothing(
    tmp_path: Path, log: Path, how: str
) -> None:
    session = write_session(tmp_path / "session")
    log.with_name("says").write_text("sleep")
    async with editing(tmp_path, environment=with_program(log)) as editor:
        first = await open_path(editor, session)
        editor.client.progress_reports[TOKEN] = []
        params = OpenTraceParams(
            path=str(session),
            run_explorer=True,
            replaced=first.directories,
            work_done_token=TOKEN,
        )
        request = asyncio.create_task(editor.ask(protocol.OPEN_TRACE, params, REQUEST))
        sleeping = log.with_name("sleeping")
        await editor.until(lambda: sleeping.exists() and sleeping.read_text() != "")
        tool = psutil.Process(int(sleeping.read_text()))
        if how == "request":
            editor.client.cancel_request(types.CancelParams(REQUEST))
        else:
            cancel = types.WorkDoneProgressCancelParams(TOKEN)
            editor.client.window_work_done_progress_cancel(cancel)
        with pytest.raises(JsonRpcException) as refused:
            await request
        assert refused.value.code == types.LSPErrorCodes.RequestCancelled
        await editor.until(lambda: has_ended(tool))
        assert stored(tmp_path) == first.directories
        await editor.until(lambda: os.listdir(tmp_path / ".sidelight" / "tmp") == [])


async def test_its_fault_is_explained_and_the_profile_stays(tmp_path: Path, log: Path) -> None:
    session = write_session(tmp_path / "session")
    log.with_name("says").write_text("ERROR could not find NEFF for profile.ntff")
    async with editing(tmp_path, environment=with_program(log)) as editor:
        first = await open_path(editor, session)
        with pytest.raises(JsonRpcException, match="Copy it from the compile cache"):
            await open_path(editor, session, run_explorer=True, replaced=first.directories)
        assert stored(tmp_path) == first.directories


async def test_only_profiles_of_the_workspace_are_replaced(tmp_path: Path, log: Path) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    session = write_session(tmp_path / "session")
    async with editing(folder, environment=with_program(log)) as editor:
        first = await open_path(editor, session)
        shutil.copytree(folder / ".sidelight", other / ".sidelight")
        elsewhere = [each.replace(str(folder), str(other)) for each in first.directories]
        gone = [f"{first.directories[0]}-gone"]
        answer = await open_path(editor, session, run_explorer=True, replaced=[*elsewhere, *gone])
        assert answer.profile
        assert stored(other) == elsewhere
        assert set(stored(folder)) == {*first.directories, *answer.directories}
