"""Shows the profiles of the workspace's folders: watches their stores and loads what is wanted."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sidelight.jobs.annotations import load_annotations
from sidelight.profile.errors import ProfileNotFoundError, SidelightError
from sidelight.server.file_index import FileIndex
from sidelight.server.folder import Folder, Loaded, Shown

_log = logging.getLogger(__name__)

_LOOK_INTERVAL_S = 1.0
_KEPT_LOADED = 4
# An answer waits for numbers that are being loaded, but an editor does not wait for ever.
_PATIENCE_S = 10.0


class Showing:
    """What is shown, by folder. Everything here happens on the event loop but the work itself.

    Args:
        on_shown: Called when something else is shown, or its numbers are there.
        on_stores: Called when a store holds something else than before.
    """

    def __init__(self, on_shown: Callable[[], None], on_stores: Callable[[], None]) -> None:
        self._on_shown = on_shown
        self._on_stores = on_stores
        self._folders: dict[str, Folder] = {}
        self._loaded: dict[Path, Loaded] = {}
        self._looked = asyncio.Event()
        self._looking = asyncio.Lock()
        self._watching: asyncio.Task[None] | None = None

    @property
    def folders(self) -> list[Folder]:
        """The workspace's folders, in its order."""
        return list(self._folders.values())

    def set_folders(self, folders: Iterable[Folder]) -> None:
        """Take these folders; what is known of those that were there already stays."""
        before = self._folders
        self._folders = {folder.uri: before.get(folder.uri, folder) for folder in folders}
        for uri in before.keys() - self._folders.keys():
            _stop_loading(before[uri])
        self._looked.clear()

    def start(self) -> None:
        """Begin to watch the stores."""
        self._watching = asyncio.create_task(self._watch())

    def stop(self) -> None:
        """Stop watching and loading."""
        if self._watching:
            self._watching.cancel()
        for folder in self.folders:
            _stop_loading(folder)

    async def settled(self) -> None:
        """Wait until the stores were looked at and the numbers found there are loaded.

        Not for ever: who asks is told what is known then.
        """
        if not self._looked.is_set():
            with suppress(TimeoutError, asyncio.TimeoutError):  # two kinds before Python 3.11
                await asyncio.wait_for(self._looked.wait(), _PATIENCE_S)
        loading = [folder.loading for folder in self.folders if folder.loading]
        if loading:
            await asyncio.wait(loading, timeout=_PATIENCE_S)

    async def look(self, *, closely: bool = False) -> None:
        """Look at all stores, and show what is to be shown of them now.

        Args:
            closely: As in :meth:`Folder.look`.
        """
        folders = self.folders
        for folder in folders:
            await self._look_at(folder, closely=closely)
            self._show_wanted(folder)
        if folders == self.folders:
            self._looked.set()

    def find(self, directory: Path) -> tuple[Folder, Path]:
        """The folder whose store a profile is in, and the profile's directory as that has it.

        Raises:
            ProfileNotFoundError: It is in none of the workspace's stores.
        """
        for folder in self.folders:
            profiles = folder.store.directory / "profiles"
            if os.path.realpath(directory.parent) == os.path.realpath(profiles):
                return folder, profiles / directory.name
        raise ProfileNotFoundError(
            "profile_not_found",
            f"{directory} is in no store of this workspace. Open the folder that it belongs to.",
        )

    async def show(self, directory: Path) -> Folder:
        """Show a profile, until another is written.

        Returns:
            Its folder.

        Raises:
            SidelightError: It cannot be shown; what was shown stays.
        """
        folder, directory = self.find(directory)
        await self._look_at(folder)
        await self.load(directory)
        folder.selection.choose(directory, folder.contents)
        self._show_wanted(folder)
        if folder.loading:
            await asyncio.wait([folder.loading])
        return folder

    async def clear(self) -> None:
        """Show nothing, until a profile is written or chosen."""
        for folder in self.folders:
            await self._look_at(folder)
            folder.selection.clear(folder.contents)
            self._show_wanted(folder)
        await self.settled()

    async def load(self, directory: Path) -> Loaded:
        """A profile's numbers; a few profiles' are kept.

        Raises:
            SidelightError: They cannot be had.
        """
        loaded = self._loaded.pop(directory, None)
        if loaded is None:
            cancel = threading.Event()
            try:
                loaded = await asyncio.to_thread(_load, directory, cancel)
            finally:
                cancel.set()
        self._loaded[directory] = loaded
        while len(self._loaded) > _KEPT_LOADED:
            del self._loaded[next(iter(self._loaded))]
        return loaded

    async def _watch(self) -> None:
        while True:
            try:
                await self.look()
            except Exception:
                _log.exception("the stores cannot be watched for now")
            await asyncio.sleep(_LOOK_INTERVAL_S)

    async def _look_at(self, folder: Folder, *, closely: bool = False) -> None:
        async with self._looking:
            if not await asyncio.to_thread(folder.look, closely=closely):
                return
        self._on_stores()
        if folder.shown and (manifest := folder.manifest(folder.shown.directory)):
            self._set_shown(folder, replace(folder.shown, manifest=manifest))

    def _show_wanted(self, folder: Folder) -> None:
        wanted = folder.selection.wanted(folder.contents)
        if wanted == folder.wanted:
            return
        folder.wanted = wanted
        _stop_loading(folder)
        folder.loading = asyncio.create_task(self._load_wanted(folder))

    async def _load_wanted(self, folder: Folder) -> None:
        problem = folder.wanted.problem
        for directory in folder.wanted.candidates:
            manifest = folder.manifest(directory)
            if directory not in self._loaded:
                self._set_shown(folder, Shown(directory, manifest, problem=problem))
            try:
                loaded = await self.load(directory)
            except SidelightError as error:
                problem = problem or error.message
            except Exception:
                _log.exception("%s cannot be shown", directory)
                problem = problem or f"{directory} cannot be shown. The server's log tells more."
            else:
                self._set_shown(folder, Shown(directory, manifest, loaded, problem))
                return
        first = next(iter(folder.wanted.candidates or folder.contents.problems), None)
        self._set_shown(folder, Shown(first, None, None, problem) if first and problem else None)

    def _set_shown(self, folder: Folder, shown: Shown | None) -> None:
        if shown != folder.shown:
            folder.shown = shown
            self._on_shown()


def _load(directory: Path, cancel: threading.Event) -> Loaded:
    annotations = load_annotations(directory, cancel=cancel)
    return Loaded(annotations, FileIndex(annotations.files))


def _stop_loading(folder: Folder) -> None:
    if folder.loading:
        folder.loading.cancel()
        folder.loading = None
