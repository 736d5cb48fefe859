"""Read a trace, or what a capture left, into the store: in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from sidelight.jobs.annotations import store_annotated
from sidelight.jobs.worker import run_in_worker
from sidelight.profile.store import Store, StoredProfile

# How far each stage takes the progress: its part of the time on traces of 60 MB.
_READ, _ATTRIBUTED = 0.65, 0.9


def read_into_store(
    path: Path | str,
    store: Store,
    *,
    name: str | None = None,
    on_progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> StoredProfile:
    """Read any supported input, attribute its device time to lines, and store it.

    This process stays small: neither the input nor numpy is loaded into it.

    Args:
        path: A trace or a capture's directory.
        store: Where the profile goes.
        name: What to call it; None leaves what the reader chose.
        on_progress: Called with the part done, 0 to 1.
        cancel: Set it to give up; nothing is stored then.

    Raises:
        UnreadableInputError: The input is no profile, or holds no event at all.
        StoreError: It cannot be stored.
        WorkerError: Memory ran out, or the reading process died.
        CancelledError: It was cancelled.
    """
    path = Path(path)
    try:
        directory = run_in_worker(
            _read,
            str(path),
            str(store.directory),
            name,
            doing=f"reading {path}",
            on_progress=on_progress,
            cancel=cancel,
        )
    except BaseException:
        store.clean_up()  # what an ended worker had begun to write
        raise
    return StoredProfile(Path(directory))


def _read(path: str, store: str, name: str | None, *, progress: Callable[[float], None]) -> str:
    from sidelight import ingest
    from sidelight.analysis.attribution import attribute

    profile = ingest.read(Path(path), progress=lambda part: progress(part * _READ))
    profile = attribute(profile)
    progress(_ATTRIBUTED)
    if name is not None:
        profile.manifest.name = name
    stored = store_annotated(Store(store), profile)
    progress(1.0)
    return str(stored.directory)
