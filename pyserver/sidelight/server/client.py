"""What the client can do."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import msgspec
from lsprotocol import types

from sidelight.server.protocol import ClientOptions

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Client:
    """A client's abilities, each off where it does not say so.

    Attributes:
        command_links: Runs ``command:`` links in hovers.
        markdown: Shows Markdown in hovers.
        configuration: Answers ``workspace/configuration``.
        configuration_changes: Tells of changed settings once asked to.
        inlay_hint_refresh: Asks for inlay hints again when told to.
        code_lens_refresh: Asks for code lenses again when told to.
        progress: Shows progress that the server begins.
    """

    command_links: bool = False
    markdown: bool = True
    configuration: bool = False
    configuration_changes: bool = False
    inlay_hint_refresh: bool = False
    code_lens_refresh: bool = False
    progress: bool = False

    @classmethod
    def of(cls, params: types.InitializeParams) -> Client:
        """What a client said of itself when it came."""
        workspace = params.capabilities.workspace or types.WorkspaceClientCapabilities()
        window = params.capabilities.window or types.WindowClientCapabilities()
        document = params.capabilities.text_document or types.TextDocumentClientCapabilities()
        changes, hints, lenses = (
            workspace.did_change_configuration,
            workspace.inlay_hint,
            workspace.code_lens,
        )
        formats = document.hover.content_format if document.hover else None
        return cls(
            command_links=_options(params).command_links,
            markdown=formats is None or types.MarkupKind.Markdown in formats,
            configuration=bool(workspace.configuration),
            configuration_changes=bool(changes and changes.dynamic_registration),
            inlay_hint_refresh=bool(hints and hints.refresh_support),
            code_lens_refresh=bool(lenses and lenses.refresh_support),
            progress=bool(window.work_done_progress),
        )


def _options(params: types.InitializeParams) -> ClientOptions:
    try:
        return msgspec.convert(params.initialization_options or {}, ClientOptions)
    except msgspec.ValidationError as error:
        _log.warning("the client's initializationOptions are not used: %s", error)
        return ClientOptions()
