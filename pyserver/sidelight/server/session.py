"""One client's server: what the features stand on."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from sidelight import __version__
from sidelight.server import protocol
from sidelight.server.annotated_document import AnnotatedDocument
from sidelight.server.client import Client
from sidelight.server.documents import Documents
from sidelight.server.folder import Folder
from sidelight.server.open_queries import OpenQueries, analysis_queries, timeline_queries
from sidelight.server.protocol import Message, Notification, Request, Settings
from sidelight.server.showing import Showing
from sidelight.server.shown_profile import shown_profiles
from sidelight.server.source_map import SourceMap
from sidelight.server.wire import Protocol, make_converter, refusing

_log = logging.getLogger(__name__)

# Each takes gigabytes, and one of the few threads that all other answers need, too.
_MOST_READINGS = 2

P = TypeVar("P")
R = TypeVar("R")
MessageP = TypeVar("MessageP", bound=Message)
MessageR = TypeVar("MessageR", bound=Message)


class Session(LanguageServer):
    """The server's state, and the ways to answer and to tell the client something.

    Args:
        store: Where each folder's profiles are: absolute, or below the folder.

    Attributes:
        client: What the client can do.
        settings: What the client's settings say.
        source_map: Where they say that files from elsewhere are.
        showing: What is shown, by folder.
        timelines: What answers for timelines.
        analyses: What answers for all else that is worked out of a profile.
        cancellable: What the client may cancel where it shows the progress, by progress token.
        readings: Held while a trace is read.
    """

    def __init__(self, store: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            "sidelight", __version__, protocol_cls=Protocol, converter_factory=make_converter
        )
        self._store = store
        self._documents = Documents()
        self._tasks: set[asyncio.Task[None]] = set()
        self.client = Client()
        self.settings = Settings()
        self.source_map = SourceMap()
        self.showing = Showing(self._shown_changed, self._stores_changed)
        self.timelines = OpenQueries(timeline_queries)
        self.analyses = OpenQueries(analysis_queries)
        self.cancellable: dict[str | int, threading.Event] = {}
        self.readings = asyncio.Semaphore(_MOST_READINGS)

    # --- answering and telling

    def answers(
        self,
        method: str,
        handler: Callable[[Session, P], Awaitable[R]],
        options: object = None,
    ) -> None:
        """Let ``handler`` answer a request of the LSP."""

        async def handle(params: P) -> R:
            return await handler(self, params)

        self.feature(method, options)(refusing(method, handle))  # pyright: ignore[reportUnknownArgumentType]

    def answers_request(
        self,
        request: Request[MessageP, MessageR],
        handler: Callable[[Session, MessageP], Awaitable[MessageR | None]],
    ) -> None:
        """Let ``handler`` answer a request of our own."""
        self.answers(request.method, handler)

    def hears(self, method: str, handler: Callable[[Session, P], None]) -> None:
        """Let ``handler`` take a notification of the LSP; its failure is logged."""

        def handle(params: P) -> None:
            try:
                handler(self, params)
            except Exception:
                _log.exception("%s failed", method)

        self.feature(method)(handle)

    def tell(self, notification: Notification[MessageP], params: MessageP) -> None:
        """Send a notification of our own."""
        self.protocol.notify(notification.method, params)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside what the client asks for; its failure is logged."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log what pygls could not do; requests are answered with it besides."""
        _log.debug("%s", error, exc_info=error)

    # --- documents

    async def annotated(self, uri: str) -> tuple[TextDocument, AnnotatedDocument] | None:
        """An open document and its numbers, once those that are being loaded are there."""
        await self.showing.settled()
        document = self.open_document(uri)
        if document is None:
            return None
        annotated = self._documents.annotated(document, self.showing.folders, self.source_map)
        return (document, annotated) if annotated else None

    def open_document(self, uri: str) -> TextDocument | None:
        """An open document."""
        return self.workspace.text_documents.get(unquote(uri))

    def document_changed(self, uri: str) -> None:
        """A document was edited: its lines may be warm elsewhere."""
        self.tell(protocol.ANNOTATIONS_CHANGED, protocol.DocumentParams(uri))

    # --- the workspace

    def take_folders(self) -> None:
        """Show the profiles of the workspace's folders as they are now."""
        folders = list(self.workspace.folders.values())
        if not folders and self.workspace.root_uri:
            root = self.workspace.root_uri
            folders = [types.WorkspaceFolder(root, Path(to_fs_path(root) or root).name)]
        self.showing.set_folders(
            Folder(folder.uri, folder.name, Path(path), Path(path) / self._store)
            for folder in folders
            if (path := to_fs_path(folder.uri)) and "\0" not in path
        )
        self._map_sources()
        self._shown_changed()

    def take_settings(self, settings: Settings) -> None:
        """Go by these settings."""
        before, self.settings = self.settings, settings
        if settings.source_map != before.source_map:
            self._map_sources()
            self._shown_changed()
        elif settings != before:
            self._refresh_editor()

    def close(self) -> None:
        """End all that runs."""
        self.showing.stop()
        self.timelines.close()
        self.analyses.close()
        for task in self._tasks:
            task.cancel()

    def _map_sources(self) -> None:
        folders = [folder.path for folder in self.showing.folders]
        self.source_map = SourceMap(self.settings.source_map, folders)

    def _shown_changed(self) -> None:
        self._documents.forget()
        self.tell(protocol.SHOWN_CHANGED, shown_profiles(self.showing.folders))
        for document in self.workspace.text_documents.values():
            self.document_changed(document.uri)
        self._refresh_editor()

    def _stores_changed(self) -> None:
        self.tell(protocol.PROFILES_CHANGED, protocol.Nothing())

    def _refresh_editor(self) -> None:
        if self.client.inlay_hint_refresh:
            self.workspace_inlay_hint_refresh(None)
        if self.client.code_lens_refresh:
            self.workspace_code_lens_refresh(None)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("work beside the requests failed", exc_info=error)
