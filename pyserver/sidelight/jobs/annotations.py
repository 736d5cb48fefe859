"""What stands beside the source for a stored profile: kept with it, or made in a process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from sidelight.analysis.annotations import Annotations
from sidelight.analysis.headline import headline
from sidelight.jobs.worker import run_in_worker
from sidelight.profile.derived import read_derived, write_derived
from sidelight.profile.json_files import NOT_AS_EXPECTED, encode_json
from sidelight.profile.store import Store
from sidelight.profile.stored_profile import StoredProfile

if TYPE_CHECKING:
    from sidelight.profile.model import Profile

KEPT_AS: Final = "annotations.json"
"""What the annotations are called among a profile's derived results."""


def store_annotated(store: Store, profile: Profile) -> StoredProfile:
    """Store a profile together with its annotations. Slow and large: for processes of their own.

    A recording is not lost to a fault in summing it up: it is stored without, and whoever asks for
    its annotations meets the fault.

    Args:
        store: Where it goes.
        profile: An attributed profile.

    Raises:
        StoreError: It cannot be stored.
    """
    try:
        derived = {KEPT_AS: _encoded(profile)}
    except Exception:
        derived = {}
    return store.add(profile, derived=derived)


def load_annotations(directory: Path, *, cancel: threading.Event | None = None) -> Annotations:
    """What an editor shows of a stored profile.

    This process stays small: neither the tables nor numpy is loaded into it.

    Args:
        directory: The profile's directory.
        cancel: Set it to give up.

    Raises:
        StoreError: The profile is damaged, or of another schema version.
        WorkerError: Memory ran out, or the process died.
        CancelledError: It was cancelled.
    """
    manifest = StoredProfile(directory).manifest
    annotations = _kept(directory)
    if annotations is None:
        content = run_in_worker(
            _make, str(directory), doing=f"summing up {manifest.name}", cancel=cancel
        )
        annotations = msgspec.json.decode(content, type=Annotations)
    # A profile can be renamed, and its report added to, after its annotations were kept.
    return msgspec.structs.replace(
        annotations, name=manifest.name, headline=headline(manifest), quality=manifest.quality
    )


def _kept(directory: Path) -> Annotations | None:
    content = read_derived(directory, KEPT_AS)
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=Annotations)
    except NOT_AS_EXPECTED:
        return None


def _encoded(profile: Profile) -> bytes:
    from sidelight.analysis.annotate import annotate

    return encode_json(annotate(profile))


def _make(directory: str, *, progress: Callable[[float], None]) -> bytes:
    content = _encoded(StoredProfile(Path(directory)).load())
    write_derived(Path(directory), KEPT_AS, content)
    progress(1.0)
    return content
