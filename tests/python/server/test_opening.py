"""Traces opened over the wire: progress, cancel, errors."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sidelight.profile.store import Store, StoredProfile
from sidelight.server import protocol
from sidelight.server.protocol import Nothing, OpenTraceParams, PricingParams, ProfileEntry
from support.editor import VSCODE, Editor, editing
from support.large_trace import write_large_trace
from support.processes import worker_processes
from traces.chrome import operator, row, write

TOKEN = "opening"
REQUEST = "open-1"


def reports(editor: Editor, token: str | int) -> Sequence[object]:
    return editor.client.progress_reports.get(token, [])


async def opened(editor: Editor, params: OpenTraceParams) -> ProfileEntry:
    """Open what needs no tool of Neuron's; the profile."""
    answer = await editor.ask(protocol.OPEN_TRACE, params)
    assert answer.explorer is None
    assert answer.profile
    return answer.profile


async def test_a_trace_is_read_stored_and_shown(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import torch\nx = torch.ones(3)\ny = x @ x\n")
    trace = write(
        tmp_path / "run.pt.trace.json.gz",
        [
            row("python_function", f"{script}(3): main", 0, 100, **{"Python id": 1}),
            operator("aten::matmul", 10, 50),
        ],
    )
    async with editing(tmp_path) as editor:
        uri = editor.open(script)
        editor.client.progress_reports[TOKEN] = []
        opening = OpenTraceParams(
            path=str(trace), folder_uri=tmp_path.as_uri(), work_done_token=TOKEN
        )
        entry = await opened(editor, opening)
        assert entry.shown
        assert entry.device_time_ns == 50_000
        assert Path(entry.directory).parent == tmp_path / ".sidelight" / "profiles"
        await editor.until_shown(entry.name)
        assert list(await editor.hint_texts(uri)) == [2]
        begin, *middle, end = reports(editor, TOKEN)
    assert isinstance(begin, types.WorkDoneProgressBegin)
    assert begin.title == "Reading run.pt.trace.json.gz"
    assert begin.cancellable
    percentages = [
        report.percentage or 0
        for report in middle
        if isinstance(report, types.WorkDoneProgressReport)
    ]
    assert len(percentages) == len(middle)
    assert percentages == sorted(percentages)
    assert isinstance(end, types.WorkDoneProgressEnd)


async def test_a_trace_is_priced_as_asked(tmp_path: Path) -> None:
    shapes: dict[str, Any] = {"Input Dims": [[64, 64]] * 2, "Input type": ["float"] * 2}
    trace = write(tmp_path / "trace.json", [operator("aten::mm", 1, 2, **shapes)])
    async with editing(tmp_path) as editor:
        for pricing, priced_for in (
            (None, None),
            (PricingParams(chip="trn1"), "trn1"),
            (PricingParams(chip="trn2", lnc=1, auto_cast="none"), "trn2, LNC 1"),
        ):
            opening = OpenTraceParams(path=str(trace), pricing=pricing)
            entry = await opened(editor, opening)
            assert entry.priced_for == priced_for
            assert entry.time_kind == "measured"
            assert editor.shown[0].priced_for == priced_for
        manifest = StoredProfile(Path(entry.directory)).manifest
        assert manifest.pricing
        assert manifest.pricing.auto_cast == "none"
        wrong = OpenTraceParams(path=str(trace), pricing=PricingParams(chip="trn1", lnc=2))
        with pytest.raises(JsonRpcException, match="trn1 has no LNC 2") as refused:
            await editor.ask(protocol.OPEN_TRACE, wrong)
        assert refused.value.code == types.LSPErrorCodes.RequestFailed
        assert len(Store(tmp_path / ".sidelight").entries()) == 3


async def test_progress_is_begun_by_the_server_where_the_client_shows_it(tmp_path: Path) -> None:
    trace = write(tmp_path / "trace.json", [operator("aten::add", 1, 2)])
    async with editing(tmp_path) as editor:
        await editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path="trace.json"))
        (token,) = editor.client.progress_reports
        assert len(reports(editor, token)) >= 2
    capabilities = types.ClientCapabilities()
    async with editing(tmp_path, capabilities=capabilities) as editor:
        await editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path=str(trace)))
        assert not editor.client.progress_reports


@pytest.mark.parametrize("how", ["request", "progress"])
async def test_cancel_ends_the_reading_and_stores_nothing(tmp_path: Path, how: str) -> None:
    trace = write_large_trace(tmp_path / "large.json")
    async with editing(tmp_path) as editor:
        editor.client.progress_reports[TOKEN] = []
        opening = OpenTraceParams(path=str(trace), work_done_token=TOKEN)
        request = asyncio.create_task(editor.ask(protocol.OPEN_TRACE, opening, REQUEST))
        await editor.until(lambda: bool(reports(editor, TOKEN)) and bool(readers(editor)))
        if how == "request":
            editor.client.cancel_request(types.CancelParams(REQUEST))
        else:
            cancel = types.WorkDoneProgressCancelParams(TOKEN)
            editor.client.window_work_done_progress_cancel(cancel)
        with pytest.raises(JsonRpcException) as refused:
            await request
        assert refused.value.code == types.LSPErrorCodes.RequestCancelled
        await editor.until(lambda: not readers(editor))
        await editor.until(
            lambda: isinstance(reports(editor, TOKEN)[-1], types.WorkDoneProgressEnd)
        )
        assert not Store(tmp_path / ".sidelight").entries()
        await editor.until(lambda: not any((tmp_path / ".sidelight").glob("tmp/*-*")))
        assert editor.shown == []


async def test_many_traces_at_once_wait_for_each_other_and_nothing_else_does(
    tmp_path: Path,
) -> None:
    trace = write_large_trace(tmp_path / "large.json")
    async with editing(tmp_path) as editor:
        opening = OpenTraceParams(path=str(trace))
        requests = [
            asyncio.create_task(editor.ask(protocol.OPEN_TRACE, opening)) for _ in range(40)
        ]
        await editor.until(lambda: len(readers(editor)) == 2)
        await editor.ask(protocol.LIST_PROFILES, Nothing())
        assert not any(request.done() for request in requests)
        assert len(readers(editor)) <= 2
        for request in requests:
            request.cancel()


def readers(editor: Editor) -> list[psutil.Process]:
    """The processes that read for the server."""
    return worker_processes(editor.server)


@pytest.mark.parametrize(
    ("name", "content"),
    [("missing.json", None), ("broken.json", "{"), ("empty.json", '{"traceEvents": []}')],
)
async def test_what_cannot_be_read_is_told_in_a_sentence(
    tmp_path: Path, name: str, content: str | None
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    async with editing(tmp_path) as editor:
        with pytest.raises(JsonRpcException) as refused:
            await editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path=str(path)))
        assert refused.value.code == types.LSPErrorCodes.RequestFailed
        assert name in refused.value.message
        assert refused.value.data is None


@pytest.mark.skipif(os.name == "nt", reason="other names are possible there")
@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
async def test_names_that_no_file_can_have_are_told_in_a_sentence(
    tmp_path: Path, name: str
) -> None:
    async with editing(tmp_path) as editor:
        with pytest.raises(
            JsonRpcException, match=r"There can be no file .*\. Check the path\."
        ) as it:
            await editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path=name))
        assert it.value.code == types.LSPErrorCodes.RequestFailed


async def test_no_folder_is_open(tmp_path: Path) -> None:
    trace = write(tmp_path / "trace.json", [operator("aten::add", 1, 2)])
    async with editing(capabilities=VSCODE) as editor:
        with pytest.raises(JsonRpcException, match="Open a folder first"):
            await editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path=str(trace)))
