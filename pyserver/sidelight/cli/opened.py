"""A stored profile, opened for showing: what ``profile``, ``open`` and ``lines`` share."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sidelight.cli.output import Output
from sidelight.profile.errors import ProfileNotFoundError
from sidelight.profile.store import Store, StoredProfile

if TYPE_CHECKING:
    from sidelight.analysis.report import LineReport
    from sidelight.profile.manifest import SourceFile
    from sidelight.profile.model import Profile
    from sidelight.profile.quality import QualityNote


@dataclass(frozen=True)
class OpenedProfile:
    """What there is to show of a profile.

    Attributes:
        report: Its lines and headline.
        files: The files its lines are in, with their text as it ran.
        profile: The profile itself.
    """

    report: LineReport
    files: list[SourceFile]
    profile: Profile


def open_stored(stored: StoredProfile) -> OpenedProfile:
    """Open a stored profile and sum its lines.

    Raises:
        StoreError: It is damaged, or of another schema version.
    """
    from sidelight.analysis.lines import line_report

    profile = stored.load()
    return OpenedProfile(line_report(profile, str(stored.directory)), profile.files, profile)


def show_opened(
    opened: OpenedProfile,
    store: Store,
    output: Output,
    *,
    sources: Sequence[str] = (),
    told: Sequence[QualityNote] = (),
) -> None:
    """Print a profile: its document, or its headline and hot source.

    Args:
        opened: The profile.
        store: Where it is.
        output: Where to.
        sources: The files that were read; as text only.
        told: Notes that stand above already; as text only.
    """
    if output.json:
        output.document(opened.report)
        return
    from sidelight.cli.report import render_report

    lines, summary = (_command(verb, opened.report, store) for verb in ("lines", "summary"))
    output.show(
        lambda console: render_report(
            console,
            opened.report,
            opened.files,
            lines_command=lines,
            summary_command=summary,
            sources=sources,
            told=told,
        )
    )


def _command(verb: str, report: LineReport, store: Store) -> str:
    """The command that shows more of a profile, to be copied into a shell."""
    directory = Path(report.profile)
    words = ["sidelight", verb, _shortest_reference(report.name, directory, store)]
    if store.directory != Path(".sidelight").absolute():
        words += [
            "--store",
            store.directory.name if store.directory.parent == Path.cwd() else str(store.directory),
        ]
    return shlex.join(words)


def _shortest_reference(name: str, directory: Path, store: Store) -> str:
    try:
        if store.resolve(name).directory == directory:
            return name
    except ProfileNotFoundError:
        pass
    return directory.name
