"""Profiles exported over the wire: the file, progress, cancel, errors."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import get_args

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cli.recorded import training_profile
from sidelight.jobs.export import ExportFormat
from sidelight.server import protocol
from sidelight.server.protocol import ExportParams
from support.editor import editing
from support.stored import store, store_training

TOKEN = "exporting"
REQUEST = "export-1"


@pytest.mark.parametrize("export_format", get_args(ExportFormat))
async def test_a_profile_is_written_to_a_file(tmp_path: Path, export_format: ExportFormat) -> None:
    stored = store_training(tmp_path)
    path = tmp_path / "out.file"
    async with editing(tmp_path) as editor:
        editor.client.progress_reports[TOKEN] = []
        params = ExportParams(
            directory=str(stored.directory),
            format=export_format,
            path=str(path),
            work_done_token=TOKEN,
        )
        answer = await editor.ask(protocol.EXPORT_PROFILE, params)
        assert answer.path == str(path)
        assert answer.size_bytes == path.stat().st_size > 0
        assert answer.events == len(stored.load().events)
        begin, *_, end = editor.client.progress_reports[TOKEN]
    assert isinstance(begin, types.WorkDoneProgressBegin)
    assert begin.title == "Exporting train"
    assert begin.cancellable
    assert isinstance(end, types.WorkDoneProgressEnd)


async def test_one_that_is_cancelled_leaves_nothing_half(tmp_path: Path) -> None:
    stored = store(tmp_path, training_profile(steps=6_000))
    out = tmp_path / "out"
    out.mkdir()
    path = out / "trace.json"
    async with editing(tmp_path) as editor:
        params = ExportParams(directory=str(stored.directory), format="chrome", path=str(path))
        request = asyncio.create_task(editor.ask(protocol.EXPORT_PROFILE, params, REQUEST))
        await editor.until(lambda: bool(list(out.iterdir())) or request.done())
        editor.client.cancel_request(types.CancelParams(REQUEST))
        (outcome,) = await asyncio.gather(request, return_exceptions=True)
        if isinstance(outcome, JsonRpcException):
            assert outcome.code == types.LSPErrorCodes.RequestCancelled
        await editor.until(lambda: not [each for each in out.iterdir() if each != path])
    if path.exists():  # it was faster
        json.loads(path.read_text("utf-8"))


async def test_what_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    stored = store_training(tmp_path)
    async with editing(tmp_path) as editor:
        for path, sentence in {
            tmp_path: "is a directory",
            tmp_path / "absent" / "a.csv": "There is no directory",
            Path("a.csv"): "Name a whole path",
            stored.directory / "a.csv": "inside the profile itself",
        }.items():
            params = ExportParams(directory=str(stored.directory), format="csv", path=str(path))
            with pytest.raises(JsonRpcException, match=sentence) as refused:
                await editor.ask(protocol.EXPORT_PROFILE, params)
            assert refused.value.code == types.LSPErrorCodes.RequestFailed


async def test_only_profiles_of_open_folders_are_exported(tmp_path: Path) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    here.mkdir()
    stored = store_training(elsewhere)
    path = tmp_path / "a.csv"
    async with editing(here) as editor:
        params = ExportParams(directory=str(stored.directory), format="csv", path=str(path))
        with pytest.raises(JsonRpcException):
            await editor.ask(protocol.EXPORT_PROFILE, params)
    assert not path.exists()
