"""Read a trace, or what a capture left, into the store: in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.jobs.reading_worker import Unread, read_recordings
from sidelight.jobs.worker import run_in_worker
from sidelight.profile.input_paths import check_is_file
from sidelight.profile.quality import QualityNote
from sidelight.profile.store import Store, StoredProfile


@dataclass(frozen=True)
class ReadResult:
    """What came of an input.

    Attributes:
        profiles: The stored profiles, one at least: where there are several, the ranks of a run in
            their order, or recordings one after another.
        unread: Recordings of the input that could not be read.
    """

    profiles: list[StoredProfile]
    unread: list[Unread]


def read_all_into_store(
    path: Path | str,
    store: Store,
    *,
    name: str | None = None,
    pricing: PricingRequest | None = None,
    beside: Path | None = None,
    on_progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> ReadResult:
    """Read all recordings of any supported input, attribute device time to lines, and store them.

    This process stays small: neither the input nor numpy is loaded into it.

    Args:
        path: A trace, a session's folder or one of several ranks, a capture's directory, or a
            stored profile's: that one gets new prices and becomes another profile.
        store: Where the profiles go.
        name: What to call them; None leaves what the reader chose.
        pricing: What to price them for; None prices only what has no other times.
        beside: A directory of what Neuron's own tool has made of the input; None for none.
        on_progress: Called with the part done, 0 to 1.
        cancel: Set it to give up; nothing is stored then.

    Raises:
        UnreadableInputError: The input is no profile, or holds no event at all.
        StoreError: It cannot be stored.
        WorkerError: Memory ran out, or the reading process died.
        CancelledError: It was cancelled.
    """
    path = Path(path)
    check_is_file(path)
    try:
        directories, unread = run_in_worker(
            read_recordings,
            str(path),
            str(store.directory),
            name,
            pricing,
            str(beside) if beside is not None else None,
            doing=f"reading {path}",
            on_progress=on_progress,
            cancel=cancel,
        )
    except BaseException:
        store.clean_up()  # what an ended worker had begun to write
        raise
    return ReadResult([StoredProfile(Path(directory)) for directory in directories], unread)


def read_into_store(
    path: Path | str,
    store: Store,
    *,
    name: str | None = None,
    pricing: PricingRequest | None = None,
    on_progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> StoredProfile:
    """Read any supported input as :func:`read_all_into_store` does.

    Returns:
        The profile; of several, the first. What could not be read beside it is in its quality
        report.

    Raises:
        SidelightError: As there.
    """
    return first_of(
        read_all_into_store(
            path, store, name=name, pricing=pricing, on_progress=on_progress, cancel=cancel
        ),
        store,
    )


def first_of(result: ReadResult, store: Store) -> StoredProfile:
    """The first profile of an input; its quality report then tells what could not be read.

    Args:
        result: What came of the input.
        store: Where its profiles are.

    Raises:
        StoreError: The profile's manifest cannot be written.
    """
    first = result.profiles[0]
    if not result.unread:
        return first
    note = QualityNote(
        "recordings_not_read",
        "warning",
        f"Of what was opened, a part could not be read and is in no profile: "
        f"{result.unread[0].message}",
        len(result.unread),
    )
    return store.update_manifest(str(first.directory), quality=[*first.manifest.quality, note])
