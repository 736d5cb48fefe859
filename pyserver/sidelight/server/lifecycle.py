"""From the client's first message to its last: settings, folders, documents."""

from __future__ import annotations

from lsprotocol import types

from sidelight.server.client import Client
from sidelight.server.session import Session
from sidelight.server.settings import SECTION, read_settings, section_of


def register(session: Session) -> None:
    """Let a session follow its client's life."""
    session.hears(types.INITIALIZE, _initialize)
    session.hears(types.INITIALIZED, _initialized)
    session.hears(types.SHUTDOWN, _shutdown)
    session.hears(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, _folders_changed)
    session.hears(types.WORKSPACE_DID_CHANGE_CONFIGURATION, _settings_changed)
    session.hears(types.TEXT_DOCUMENT_DID_CHANGE, _document_changed)


def _initialize(session: Session, params: types.InitializeParams) -> None:
    session.client = Client.of(params)


def _initialized(session: Session, _: types.InitializedParams) -> None:
    session.take_folders()
    session.showing.start()
    if session.client.configuration_changes:
        options = types.DidChangeConfigurationRegistrationOptions(SECTION)
        session.client_register_capability(
            types.RegistrationParams(
                [types.Registration("settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)]
            )
        )
    session.run(_ask_for_settings(session))


def _shutdown(session: Session, _: None) -> None:
    session.close()


def _folders_changed(session: Session, _: types.DidChangeWorkspaceFoldersParams) -> None:
    session.take_folders()
    session.run(session.showing.look())


def _settings_changed(session: Session, params: types.DidChangeConfigurationParams) -> None:
    if session.client.configuration:
        session.run(_ask_for_settings(session))
    else:
        session.take_settings(read_settings(section_of(params.settings)))


async def _ask_for_settings(session: Session) -> None:
    if not session.client.configuration:
        return
    items = [types.ConfigurationItem(section=SECTION)]
    answer = await session.workspace_configuration_async(types.ConfigurationParams(items))
    session.take_settings(read_settings(answer[0] if answer else None))


def _document_changed(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    session.document_changed(params.text_document.uri)
