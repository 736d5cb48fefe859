"""Export a stored profile to a file: in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from sidelight.export.whole_file import ExportError, real_place, whole_file
from sidelight.profile.quality import QualityNote
from sidelight.profile.stored_profile import StoredProfile

ExportFormat = Literal["perfetto", "chrome", "csv", "html"]

EXPORT_FORMATS: Final[tuple[ExportFormat, ...]] = get_args(ExportFormat)
"""What a profile can be exported as."""

WITHOUT_TIMES: Final[tuple[ExportFormat, ...]] = ("html",)
"""Those that are of all recorded steps, and of no part of them."""


@dataclass(frozen=True)
class Exported:
    """A file that was written.

    Attributes:
        path: The file, absolute.
        size_bytes: Its size.
        events: How many events it is of.
        notes: What of the profile is not in it.
    """

    path: Path
    size_bytes: int
    events: int
    notes: list[QualityNote]


def export_profile(
    stored: StoredProfile,
    export_format: ExportFormat,
    path: Path,
    *,
    from_ns: int | None = None,
    to_ns: int | None = None,
    on_progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> Exported:
    """Write a profile to a file that other programs, or people, read.

    This process stays small: neither the tables nor numpy is loaded into it. The file is there
    whole, or as it was before.

    Args:
        stored: The profile.
        export_format: What kind of file.
        path: The file; one that is there is replaced.
        from_ns: Where the exported part begins, in nanoseconds from the profile's start; None for
            its beginning. Events that reach into it are exported whole.
        to_ns: Where it ends; None for the end.
        on_progress: Called with the part done, 0 to 1.
        cancel: Set it to give up; nothing is written then.

    Raises:
        ExportError: The file cannot be written.
        StoreError: The profile is damaged, or of another schema version.
        WorkerError: Memory ran out, or the process died.
        CancelledError: It was cancelled.
    """
    # Verbs that export nothing start sooner without it.
    from sidelight.jobs.worker import run_in_worker

    path = path.absolute()
    name = stored.manifest.name
    if real_place(path).is_relative_to(stored.directory.resolve()):
        raise ExportError(
            "not_writable", f"{path} is inside the profile itself. Choose another place."
        )
    with whole_file(path) as unfinished:
        events, notes = run_in_worker(
            _write,
            str(stored.directory),
            export_format,
            str(unfinished),
            str(path),
            from_ns,
            to_ns,
            doing=f"exporting {name}",
            on_progress=on_progress,
            cancel=cancel,
        )
        size_bytes = unfinished.stat().st_size
    return Exported(path, size_bytes, events, notes)


def _write(
    directory: str,
    export_format: ExportFormat,
    unfinished: str,
    shown_path: str,
    from_ns: int | None,
    to_ns: int | None,
    *,
    progress: Callable[[float], None],
) -> tuple[int, list[QualityNote]]:
    """In the process: write the file.

    Returns:
        How many events are in it, and what is not.
    """
    from sidelight.export.source import Source, TimeRange
    from sidelight.export.whole_file import plain_write_errors
    from sidelight.jobs.child import gone_with_parent
    from sidelight.jobs.export_writers import WRITERS, launching_events
    from sidelight.profile.durable import durable_file

    profile = StoredProfile(Path(directory)).load()
    if not len(profile.events) and export_format not in WITHOUT_TIMES:
        raise ExportError(
            "no_events",
            f"{profile.manifest.name} holds no events to export: it is of figures alone, which "
            "`sidelight summary` shows.",
        )
    source = Source(profile, launching_events(profile), TimeRange(from_ns, to_ns))
    with (
        plain_write_errors(Path(shown_path)),
        gone_with_parent(Path(unfinished)),
        durable_file(Path(unfinished)) as file,
    ):
        written = WRITERS[export_format](file, source, progress)
    progress(1.0)
    return written.events, list(written.notes)
