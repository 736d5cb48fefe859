"""Answers as they go over the wire: whole, and as long as they say."""

from __future__ import annotations

import io
import json

import pytest
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer

from sidelight.server.protocol import TableRows
from sidelight.server.wire import Protocol, make_converter


@pytest.mark.parametrize("text", ["plain", 'quoted "\\\n', "größer 🚀", "caf\udce9"])
def test_an_answer_arrives_as_it_was_given(text: str) -> None:
    server = LanguageServer(
        "test", "1", protocol_cls=Protocol, converter_factory=lambda: make_converter()
    )
    sent = io.BytesIO()
    server.protocol.set_writer(StdoutWriter(sent))
    server.protocol._send_response(7, TableRows(page_json=text))  # pyright: ignore[reportPrivateUsage]
    header, _, body = sent.getvalue().partition(b"\r\n\r\n")
    lengths = dict(line.split(b": ") for line in header.split(b"\r\n"))
    assert int(lengths[b"Content-Length"]) == len(body)
    assert json.loads(body) == {"jsonrpc": "2.0", "id": 7, "result": {"pageJson": text}}
