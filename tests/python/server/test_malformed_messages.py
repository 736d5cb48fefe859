"""What a server must bear: nonsense, faults of its own, and clients that vanish."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sidelight.server import protocol
from sidelight.server.protocol import Nothing, OpenTraceParams, ProfileParams
from support.editor import editing
from support.large_trace import write_large_trace
from support.processes import wait_for_end
from support.stored import store_training, write_sources
from support.waiting import PATIENCE_S

HELLO: dict[str, Any] = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}


async def test_paths_that_cannot_be(tmp_path: Path) -> None:
    """A folder, a document and a trace whose names no file system has, beside sound ones."""
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        impossible = types.WorkspaceFolder("file:///a%00b", "impossible")
        change = types.WorkspaceFoldersChangeEvent(added=[impossible], removed=[])
        editor.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(change)
        )
        listed = await editor.ask(protocol.LIST_PROFILES, Nothing())
        assert [store.folder_uri for store in listed.stores] == [tmp_path.as_uri()]
        document = types.TextDocumentItem("file:///a%00b.py", "python", 0, "x = 1\n")
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        assert await editor.hover(document.uri, 0) is None
        with pytest.raises(JsonRpcException) as refused:
            await editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path="~nobody/trace.json"))
        assert refused.value.code == types.LSPErrorCodes.RequestFailed
        assert "840 µs" in await editor.hover_text(editor.open(path), 26)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("sidelight/heat", {}),
        ("sidelight/heat", {"uri": 7}),
        ("sidelight/timelineWindow", {"directory": "/", "fromNs": "x", "toNs": 1, "width": 1}),
        ("sidelight/openTrace", [1, 2]),
        ("sidelight/renameProfile", None),
    ],
)
async def test_malformed_parameters_are_refused_and_the_server_lives(
    tmp_path: Path, method: str, params: Any
) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        with pytest.raises(JsonRpcException) as refused:
            await editor.ask_raw(method, params)
        assert refused.value.code == types.ErrorCodes.InvalidParams
        assert refused.value.message == f"The parameters of {method} are not as they should be."
        assert "840 µs" in await editor.hover_text(editor.open(path), 26)


async def test_an_unknown_method_is_refused(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        with pytest.raises(JsonRpcException) as refused:
            await editor.ask_raw("sidelight/nothing", {})
        assert refused.value.code == types.ErrorCodes.MethodNotFound


def test_what_is_no_message_is_passed_over(tmp_path: Path) -> None:
    answers = talk(tmp_path, b"Content-Length: 9\r\n\r\nnonsense!", HELLO)
    assert answers[0]["result"]["serverInfo"]["name"] == "sidelight"


def test_malformed_parameters_of_the_lsp_s_own_requests(tmp_path: Path) -> None:
    hover = {"id": 2, "method": "textDocument/hover", "params": {"position": "here"}}
    answers = talk(tmp_path, HELLO, hover, {"id": 3, "method": "shutdown"})
    assert answers[1]["error"]["code"] == types.ErrorCodes.InvalidParams
    assert answers[2]["id"] == 3


def test_a_fault_of_ours_is_one_sentence_and_its_traceback_in_the_log(tmp_path: Path) -> None:
    broken = (
        "import sidelight.server.heat as heat\n"
        "async def fail(session, params): raise ZeroDivisionError('deep inside')\n"
        "heat._heat = fail\n"
    )
    ask = {"id": 2, "method": "sidelight/heat", "params": {"uri": "file:///x.py"}}
    process = start(tmp_path, broken)
    output, log = process.communicate(encoded(HELLO) + encoded(ask), timeout=PATIENCE_S)
    error = decoded(output)[1]["error"]
    assert error == {
        "code": types.ErrorCodes.InternalError,
        "message": "Sidelight's server met a fault of its own in sidelight/heat. "
        "Its log tells more.",
    }
    assert b"ZeroDivisionError: deep inside" in log


def test_a_fault_of_ours_in_what_nobody_waits_for_is_logged_and_survived(tmp_path: Path) -> None:
    broken = (
        "import sidelight.server.lifecycle as lifecycle\n"
        "def fail(session, params): raise ZeroDivisionError('deep inside')\n"
        "lifecycle._settings_changed = fail\n"
    )
    messages: list[dict[str, Any]] = [
        HELLO,
        {"method": "workspace/didChangeConfiguration", "params": {"settings": {}}},
        {"id": 2, "method": "sidelight/shownProfiles"},
    ]
    sent = b"".join(map(encoded, messages))
    output, log = start(tmp_path, broken).communicate(sent, timeout=PATIENCE_S)
    assert decoded(output)[1]["result"] == {"shown": []}
    assert b"workspace/didChangeConfiguration failed" in log
    assert b"ZeroDivisionError: deep inside" in log


def test_what_others_print_does_not_reach_the_client(tmp_path: Path) -> None:
    noisy = (
        "import os, subprocess, sys, sidelight.server.lifecycle as lifecycle\n"
        "register = lifecycle.register\n"
        "def noisy(session):\n"
        "    print('stray print')\n"
        "    os.write(1, b'stray write')\n"
        "    subprocess.run([sys.executable, '-c', 'print(\"stray child\")'])\n"
        "    register(session)\n"
        "lifecycle.register = noisy\n"
    )
    output, log = start(tmp_path, noisy).communicate(encoded(HELLO), timeout=PATIENCE_S)
    assert decoded(output)[0]["id"] == 1
    for stray in (b"stray print", b"stray write", b"stray child"):
        assert stray not in output
        assert stray in log


def test_the_server_stays_light(tmp_path: Path) -> None:
    """After it has shown a profile: no numpy, pandas or rich in its process."""
    path = write_sources(tmp_path)
    store_training(tmp_path)
    telling = (
        "import atexit, sys\n"
        "heavy = ('numpy', 'pandas', 'rich', 'torch')\n"
        "atexit.register(lambda: print('heavy:', [n for n in heavy if n in sys.modules]))\n"
    )
    document = {"uri": path.as_uri(), "languageId": "python", "version": 0}
    messages: list[dict[str, Any]] = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "capabilities": {},
                "workspaceFolders": [{"uri": tmp_path.as_uri(), "name": "folder"}],
            },
        },
        {"method": "initialized", "params": {}},
        {
            "method": "textDocument/didOpen",
            "params": {"textDocument": {**document, "text": path.read_text()}},
        },
        {
            "id": 2,
            "method": "textDocument/hover",
            "params": {"textDocument": document, "position": {"line": 26, "character": 0}},
        },
    ]
    process = start(tmp_path, telling)
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"".join(map(encoded, messages)))
    process.stdin.flush()
    answers: list[dict[str, Any]] = []
    while not answers or answers[-1].get("id") != 2:
        answers.append(read_message(process))
    assert "840 µs" in answers[-1]["result"]["contents"]["value"]
    _, log = process.communicate(timeout=PATIENCE_S)
    assert b"heavy: []" in log


async def test_shutdown_leaves_no_process(tmp_path: Path) -> None:
    stored = store_training(tmp_path)
    async with editing(tmp_path) as editor:
        await editor.ask(protocol.TIMELINE, ProfileParams(directory=str(stored.directory)))
        processes = [editor.server, *editor.server.children(recursive=True)]
        assert len(processes) > 1
    await asyncio.to_thread(wait_for_end, processes)


async def test_a_client_that_vanishes_leaves_no_process(tmp_path: Path) -> None:
    """Its end of the streams closes in the midst of a reading and of a timeline."""
    stored = store_training(tmp_path)
    trace = write_large_trace(tmp_path / "trace.json")
    async with editing(tmp_path) as editor:
        await editor.ask(protocol.TIMELINE, ProfileParams(directory=str(stored.directory)))
        timeline_only = len(editor.server.children(recursive=True))
        reading = asyncio.create_task(
            editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path=str(trace)))
        )
        await editor.until(lambda: len(editor.server.children(recursive=True)) > timeline_only)
        processes = [editor.server, *editor.server.children(recursive=True)]
        editor.vanish()
        await asyncio.to_thread(wait_for_end, processes)
        reading.cancel()


def start(directory: Path, preparation: str = "") -> subprocess.Popen[bytes]:
    """A server, with code that runs in its process first."""
    code = f"{preparation}\nfrom sidelight.cli import main\nmain(['server'])\n"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def talk(directory: Path, *messages: bytes | dict[str, Any]) -> list[dict[str, Any]]:
    """Send messages, close the stream, and return what is answered."""
    data = b"".join(m if isinstance(m, bytes) else encoded(m) for m in messages)
    output, _ = start(directory).communicate(data, timeout=PATIENCE_S)
    return decoded(output)


def encoded(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def decoded(output: bytes) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    while output:
        header, _, output = output.partition(b"\r\n\r\n")
        length = int(header.split(b"\r\n")[0].removeprefix(b"Content-Length: "))
        messages.append(json.loads(output[:length]))
        output = output[length:]
    return messages


def read_message(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout
    length = 0
    while line := process.stdout.readline().strip():
        if line.startswith(b"Content-Length: "):
            length = int(line.removeprefix(b"Content-Length: "))
    assert length, "the server ended before it answered"
    message: dict[str, Any] = json.loads(process.stdout.read(length))
    return message
