"""The stores' profiles: listed, shown, hidden, renamed, deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from sidelight.profile.errors import SidelightError
from sidelight.profile.manifest import is_profile_name
from sidelight.profile.runs import group_into_runs
from sidelight.profile.stored_profile import StoredProfile
from sidelight.server import protocol
from sidelight.server.folder import Folder
from sidelight.server.protocol import Nothing, ProfileParams
from sidelight.server.session import Session
from sidelight.server.shown_profile import shown_profile, shown_profiles


def register(session: Session) -> None:
    """Let a session answer for profiles."""
    session.answers_request(protocol.LIST_PROFILES, _list)
    session.answers_request(protocol.SHOWN_PROFILES, _shown)
    session.answers_request(protocol.SHOW_PROFILE, _show)
    session.answers_request(protocol.CLEAR_ANNOTATIONS, _clear)
    session.answers_request(protocol.DELETE_PROFILE, _delete)
    session.answers_request(protocol.RENAME_PROFILE, _rename)


def profile_entry(folder: Folder, profile: StoredProfile) -> protocol.ProfileEntry:
    """A profile as lists show it. Asks the file system for its size.

    Raises:
        StoreError: Its manifest cannot be read.
    """
    manifest, shown = profile.manifest, folder.shown
    return protocol.ProfileEntry(
        directory=str(profile.directory),
        id=profile.id,
        name=manifest.name,
        created=manifest.created,
        target=manifest.target,
        device=manifest.device,
        device_time_ns=manifest.device_time_ns,
        time_kind=manifest.time_kind,
        priced_for=manifest.pricing.label if manifest.pricing else None,
        steps=manifest.steps,
        rank=manifest.rank,
        world_size=manifest.world_size,
        size_bytes=profile.size_bytes(),
        shown=shown is not None and shown.directory == profile.directory,
    )


async def _list(session: Session, _: Nothing) -> protocol.ProfileList:
    await session.showing.look(closely=True)
    stores = await asyncio.to_thread(
        lambda: [_listing(folder) for folder in session.showing.folders]
    )
    return protocol.ProfileList(stores=stores)


def _listing(folder: Folder) -> protocol.StoreListing:
    contents = folder.contents
    profiles = [profile_entry(folder, profile) for profile in contents.profiles]
    damaged_bytes = sum(StoredProfile(path).size_bytes() for path in contents.problems)
    return protocol.StoreListing(
        folder_uri=folder.uri,
        folder_name=folder.name,
        directory=str(folder.store.directory),
        profiles=profiles,
        runs=_runs_of_several_ranks(contents.profiles),
        size_bytes=damaged_bytes + sum(profile.size_bytes for profile in profiles),
        problems=list(contents.problems.values()),
    )


def _runs_of_several_ranks(profiles: Sequence[StoredProfile]) -> list[list[str]]:
    return [
        [str(profile.directory) for profile in sorted(run, key=lambda one: one.manifest.rank or 0)]
        for run in group_into_runs(profiles)
        if len(run) > 1
    ]


async def _shown(session: Session, _: Nothing) -> protocol.ShownProfiles:
    return shown_profiles(session.showing.folders)


async def _show(session: Session, params: ProfileParams) -> protocol.ShownProfile:
    folder = await session.showing.show(Path(params.directory))
    if folder.shown is None:
        raise SidelightError(
            "profile_not_found", f"{params.directory} was deleted before it could be shown."
        )
    return shown_profile(folder.uri, folder.shown)


async def _clear(session: Session, _: Nothing) -> Nothing:
    await session.showing.clear()
    return Nothing()


async def _delete(session: Session, params: ProfileParams) -> Nothing:
    folder, directory = session.showing.find(Path(params.directory))
    await asyncio.to_thread(folder.store.delete, directory.name)
    await session.showing.look(closely=True)
    return Nothing()


async def _rename(session: Session, params: protocol.RenameParams) -> Nothing:
    if not is_profile_name(params.name):
        raise SidelightError("bad_name", "A profile's name needs visible characters only.")
    folder, directory = session.showing.find(Path(params.directory))
    await asyncio.to_thread(folder.store.rename, str(directory), params.name.strip())
    await session.showing.look(closely=True)
    return Nothing()
