"""How messages are read, answered and refused: what pygls does not do as we want it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any, TypeVar

import cattrs
import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import (
    JsonRPCRequestMessage,
    LanguageServerProtocol,
    default_converter,
    lsp_method,
)
from pygls.workspace import TextDocument, Workspace

from sidelight.analysis.text_lines import lines_with_endings
from sidelight.jobs.child import CancelledError
from sidelight.profile.errors import SidelightError
from sidelight.server.protocol import REQUESTS, Message

P = TypeVar("P")
R = TypeVar("R")

_log = logging.getLogger(__name__)
_PARAMS: dict[str, type[Message]] = {request.method: request.params for request in REQUESTS}


def refusing(
    method: str, handler: Callable[[P], Awaitable[R]]
) -> Callable[[P], Coroutine[Any, Any, R]]:
    """A handler whose every failure is answered with one plain sentence; ours are logged."""

    async def answer(params: P) -> R:
        try:
            return await handler(params)
        except CancelledError as error:
            raise JsonRpcException(error.message, types.LSPErrorCodes.RequestCancelled) from error
        except SidelightError as error:
            raise JsonRpcException(error.message, types.LSPErrorCodes.RequestFailed) from error
        except JsonRpcException:
            raise
        except Exception as error:
            _log.exception("%s failed", method)
            raise JsonRpcException(
                f"Sidelight's server met a fault of its own in {method}. Its log tells more.",
                types.ErrorCodes.InternalError,
            ) from error

    return answer


def make_converter() -> cattrs.Converter:
    """A converter that knows our messages besides the LSP's."""
    converter = default_converter()
    converter.register_structure_hook(JsonRPCRequestMessage, _structure_request)
    converter.register_unstructure_hook_func(_is_message, msgspec.to_builtins)
    return converter


def _structure_request(message: dict[str, Any], _: object) -> JsonRPCRequestMessage:
    method, params = message["method"], message.get("params")
    if method in _PARAMS:
        params = msgspec.convert({} if params is None else params, _PARAMS[method])
    return JsonRPCRequestMessage(message["id"], method, message["jsonrpc"], params)


def _is_message(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Message)


class Protocol(LanguageServerProtocol):
    """The language server protocol, with refusals for what cannot be understood."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        """Initialize as pygls does, with documents that count lines as editors do."""
        result = yield from super().lsp_initialize(params)
        made = self.workspace
        self._workspace = _Workspace(
            made.root_uri,
            workspace_folders=list(made.folders.values()),
            position_encoding=made.position_encoding,
        )
        return result

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message; None for one that was refused here."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "id" in data and "method" in data:
                message = f"The parameters of {data['method']} are not as they should be."
                error = types.ResponseError(types.ErrorCodes.InvalidParams, message)
                self._send_response(data["id"], error=error)
            return None

    def _send_data(self, data: Any) -> None:
        """Send a message; answers of our own, which are the large ones, in half of pygls's time."""
        answer = getattr(data, "result", None)
        if self.writer is None or not isinstance(answer, Message):
            super()._send_data(data)
            return
        envelope = {"jsonrpc": data.jsonrpc, "id": data.id, "result": answer}
        try:
            body = msgspec.json.encode(envelope)
        except UnicodeEncodeError:  # a file's name that is no text: json escapes it
            super()._send_data(data)
            return
        self.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def handle_message(self, message: Any) -> None:
        """Handle a message, unless it was refused."""
        if message is not None:
            super().handle_message(message)


class _Document(TextDocument):
    """An open document.

    pygls finds lines where neither Python nor the protocol begins one (at a form feed), and would
    apply edits in the wrong place.
    """

    _lines_of: str | None = None
    _lines: list[str]

    @property
    def lines(self) -> list[str]:
        if self._lines_of is not self.source:
            self._lines_of, self._lines = self.source, lines_with_endings(self.source)
        return self._lines


class _Workspace(Workspace):
    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> TextDocument:
        return _Document(doc_uri, source, version, language_id, position_codec=self.position_codec)
