"""An editor without a screen: it starts the real server and talks to it over standard streams."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import cattrs
import msgspec
import psutil
import pytest_lsp
from lsprotocol import types
from pygls.protocol import JsonRPCNotification, default_converter
from pygls.protocol.json_rpc import JsonRPCResponseMessage
from pytest_lsp.client import register_lsp_features

from sidelight.server import protocol
from sidelight.server.protocol import Message, Request
from support.waiting import PATIENCE_S

P = TypeVar("P", bound=Message)
R = TypeVar("R", bound=Message)

VSCODE = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        configuration=True,
        did_change_configuration=types.DidChangeConfigurationClientCapabilities(
            dynamic_registration=True
        ),
        inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
        code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
        workspace_folders=True,
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
    text_document=types.TextDocumentClientCapabilities(
        hover=types.HoverClientCapabilities(
            content_format=[types.MarkupKind.Markdown, types.MarkupKind.PlainText]
        ),
        inlay_hint=types.InlayHintClientCapabilities(),
        code_lens=types.CodeLensClientCapabilities(),
    ),
)
"""What VS Code can do, as far as the server asks."""


class Editor:
    """What a client sees.

    Attributes:
        client: The LSP client.
        refreshes: How often the server asked for hints or lenses to be fetched again, by method.
        shown: The last that the server told of what is shown.
        stores_changed: How often it told that a store changed.
        heat_changed: How often it told that a document's heat changed, by URI.
        offered: What the server said it can do.
    """

    def __init__(self, client: pytest_lsp.LanguageClient) -> None:
        self.client = client
        self.offered = types.ServerCapabilities()
        self.refreshes: Counter[str] = Counter()
        self.shown: list[protocol.ShownProfile] = []
        self.stores_changed = 0
        self.heat_changed: Counter[str] = Counter()
        self.markers_changed: Counter[str] = Counter()
        self._versions: Counter[str] = Counter()
        self._listen()

    @property
    def server(self) -> psutil.Process:
        """The server's process."""
        process = self.client._server  # pyright: ignore[reportPrivateUsage]
        assert process
        return psutil.Process(process.pid)

    def vanish(self) -> None:
        """End without a word, as a client does that crashes."""
        assert self.client.protocol.writer
        self.client.protocol.writer.close()

    # --- documents

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a file, or another text under its name; returns its URI."""
        uri = path.as_uri()
        content = path.read_bytes().decode() if text is None else text
        item = types.TextDocumentItem(uri, "python", 0, content)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def close(self, uri: str) -> None:
        """Close a document."""
        document = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def edit(self, uri: str, start: tuple[int, int], end: tuple[int, int], text: str) -> int:
        """Replace what is between two positions; returns the document's version after it."""
        self._versions[uri] += 1
        version = self._versions[uri]
        document = types.VersionedTextDocumentIdentifier(version=version, uri=uri)
        range_ = types.Range(types.Position(*start), types.Position(*end))
        change = types.TextDocumentContentChangePartial(range=range_, text=text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        return version

    # --- what stands beside the source

    async def hover(self, uri: str, line: int, character: int = 0) -> types.Hover | None:
        """The hover at a place, 0-based."""
        document = types.TextDocumentIdentifier(uri)
        position = types.Position(line, character)
        return await self.client.text_document_hover_async(types.HoverParams(document, position))

    async def hover_text(self, uri: str, line: int) -> str:
        """What the hover at a line, 0-based, says; empty where there is none."""
        hover = await self.hover(uri, line)
        if hover is None:
            return ""
        assert isinstance(hover.contents, types.MarkupContent)
        return hover.contents.value

    async def hints(
        self, uri: str, first: int = 0, last: int = 100_000
    ) -> Sequence[types.InlayHint]:
        """The inlay hints of a range of lines."""
        document = types.TextDocumentIdentifier(uri)
        range_ = types.Range(types.Position(first, 0), types.Position(last, 0))
        params = types.InlayHintParams(document, range_)
        return await self.client.text_document_inlay_hint_async(params) or []

    async def hint_texts(self, uri: str) -> dict[int, str]:
        """The inlay hints' texts by line, 0-based."""
        return {hint.position.line: str(hint.label) for hint in await self.hints(uri)}

    async def lenses(self, uri: str) -> dict[int, str]:
        """The code lenses' titles by line, 0-based."""
        params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
        lenses = await self.client.text_document_code_lens_async(params) or []
        return {lens.range.start.line: lens.command.title for lens in lenses if lens.command}

    async def heat(self, uri: str) -> protocol.Heat:
        """The warm lines of a document."""
        return await self.ask(protocol.HEAT, protocol.DocumentParams(uri=uri))

    # --- messages of our own

    async def ask(self, request: Request[P, R], params: P, message_id: str | None = None) -> R:
        """Send a request of our own, and wait for its answer, which is not null."""
        answer = await self.ask_raw(request.method, msgspec.to_builtins(params), message_id)
        return msgspec.convert(answer, request.result)

    async def ask_raw(self, method: str, params: object, message_id: str | None = None) -> Any:
        """Send anything as a request, and wait for its answer."""
        sending = self.client.protocol.send_request_async(method, params, message_id)
        return await asyncio.wait_for(sending, PATIENCE_S)

    def begin(self, request: Request[P, R], params: P, message_id: str) -> asyncio.Future[Any]:
        """Send a request of our own, at once; its answer, as it comes, may be waited for."""
        sent = self.client.protocol.send_request(
            request.method, msgspec.to_builtins(params), msg_id=message_id
        )
        return asyncio.wrap_future(sent)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true.

        Raises:
            AssertionError: It never became so.
        """
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while not true():
            assert asyncio.get_running_loop().time() < deadline, f"never true; shown: {self.shown}"
            await asyncio.sleep(0.02)

    async def until_shown(self, *names: str) -> None:
        """Wait until profiles of these names are shown, their numbers ready."""
        await self.until(
            lambda: (
                [p.name for p in self.shown if p.directory] == list(names)
                and not any(profile.loading for profile in self.shown)
            )
        )

    def _listen(self) -> None:
        # Any: pygls hands itself to handlers whose first parameter it is an instance of.
        def on_shown(params: Any) -> None:
            self.shown = msgspec.convert(params, protocol.ShownProfiles).shown

        def on_stores(_: Any) -> None:
            self.stores_changed += 1

        def on_annotations(params: Any) -> None:
            self.heat_changed[msgspec.convert(params, protocol.DocumentParams).uri] += 1

        def on_markers(params: Any) -> None:
            self.markers_changed[msgspec.convert(params, protocol.ProfileParams).directory] += 1

        def on_hint_refresh(_: Any) -> None:
            self.refreshes[types.WORKSPACE_INLAY_HINT_REFRESH] += 1

        def on_lens_refresh(_: Any) -> None:
            self.refreshes[types.WORKSPACE_CODE_LENS_REFRESH] += 1

        def on_registration(_: types.RegistrationParams) -> None: ...

        for method, handler in {
            protocol.SHOWN_CHANGED.method: on_shown,
            protocol.PROFILES_CHANGED.method: on_stores,
            protocol.ANNOTATIONS_CHANGED.method: on_annotations,
            protocol.MARKERS_CHANGED.method: on_markers,
            types.WORKSPACE_INLAY_HINT_REFRESH: on_hint_refresh,
            types.WORKSPACE_CODE_LENS_REFRESH: on_lens_refresh,
            types.CLIENT_REGISTER_CAPABILITY: on_registration,
        }.items():
            self.client.feature(method)(handler)


@asynccontextmanager
async def editing(
    *folders: Path,
    root: Path | None = None,
    capabilities: types.ClientCapabilities = VSCODE,
    options: Mapping[str, object] | None = None,
    settings: Mapping[str, object] | None = None,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> AsyncGenerator[Editor]:
    """Start a server for a workspace, and end it in good order.

    Args:
        *folders: The workspace's folders.
        root: Its root, of a client that knows no folders.
        capabilities: What the client can do.
        options: Its ``initializationOptions``.
        settings: Its ``sidelight`` settings.
        arguments: More arguments of the server.
        environment: The server's environment; None for this process's.
    """
    client = pytest_lsp.LanguageClient(
        converter_factory=_converter, configuration={"": {"sidelight": dict(settings or {})}}
    )
    register_lsp_features(client)
    editor = Editor(client)
    command = [sys.executable, "-m", "sidelight", "server", *arguments]
    await client.start_io(  # pyright: ignore[reportUnknownMemberType]
        *command, env=dict(environment) if environment else None
    )
    server = client._server  # pyright: ignore[reportPrivateUsage]
    assert server
    try:
        answer = await client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities,
                root_uri=root.as_uri() if root else None,
                workspace_folders=None
                if root
                else [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
                initialization_options=dict(options or {}),
            )
        )
        editor.offered = answer.capabilities
        yield editor
        if server.returncode is None:
            await asyncio.wait_for(client.shutdown_session(), PATIENCE_S)
    finally:
        if server.returncode is None:
            server.kill()
        await client.stop()


def _converter() -> cattrs.Converter:
    """A converter that leaves answers and notifications of our own as they came."""
    converter = default_converter()
    converter.register_structure_hook(JsonRPCResponseMessage, _response)
    converter.register_structure_hook(JsonRPCNotification, _notification)
    return converter


def _response(message: dict[str, Any], _: object) -> JsonRPCResponseMessage:
    return JsonRPCResponseMessage(message["id"], message["jsonrpc"], message.get("result"))


def _notification(message: dict[str, Any], _: object) -> JsonRPCNotification:
    return JsonRPCNotification(message["method"], message["jsonrpc"], message.get("params"))
