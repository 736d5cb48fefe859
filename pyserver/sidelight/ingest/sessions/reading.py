"""Reads one session: its trace and what Neuron's tools made of it, joined where that can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from sidelight.ingest.binaries.captures import read_ntff
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.formats import Format
from sidelight.ingest.notes import no_neff
from sidelight.ingest.sessions.conversion import how_to_convert
from sidelight.ingest.sessions.pairing import Pair, pair
from sidelight.ingest.sessions.session import Session
from sidelight.ingest.sessions.timeline import Part, on_one_timeline
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.stored_profile import StoredProfile

ReadDevice = Callable[[Path, Format, Session, Progress | None], Sequence[Profile]]
"""Reads what Neuron's tools made: of the session's process alone, where there are several; in parts
where these are by different clocks."""


def read_session(
    session: Session, read_device: ReadDevice, progress: Progress | None
) -> list[Profile]:
    """Read a session.

    Args:
        session: What was recorded together; one trace at most.
        read_device: Reads what Neuron's tools made of it.
        progress: Told the fraction read.

    Returns:
        One profile; and one more for each part that is by another clock, so that it can stand on no
        common timeline.

    Raises:
        UnreadableInputError: Nothing in it can be read; ``needs_neuron_explorer``: only Neuron's
            own tool could.
    """
    pairs = pair(session.files("ntff"), session.files("neff"))
    count = len(session.traces) + len(session.devices)
    if not count:
        return _raw_alone(session, pairs, progress)
    failures: list[UnreadableInputError] = []
    parts: list[Part] = []
    trace: Profile | None = None
    for index, (path, own) in enumerate((*session.traces, *session.devices)):
        told = _part_of(progress, index / count, 1 / count)
        try:
            if index < len(session.traces):
                trace = _trace(session, path, own, told)
                _tell_process(session, trace)
            else:
                parts += [Part(path, part) for part in read_device(path, own, session, told)]
        except UnreadableInputError as error:
            failures.append(error)
    if trace is None and not parts:
        raise failures[0]
    profiles = on_one_timeline(session, trace, parts)
    profiles[0].manifest.quality += _notes(session, pairs, trace, failures)
    return profiles


def _tell_process(session: Session, trace: Profile) -> None:
    """Take the process from the trace, where the session's folder does not name it."""
    pids = {track.pid for track in trace.tracks if track.kind == "host" and track.pid.isdecimal()}
    if session.process is None and len(pids) == 1:
        session.process = int(pids.pop())
        session.process_from_trace = True


def _trace(session: Session, path: Path, own: Format, progress: Progress | None) -> Profile:
    """The session's trace; where it is of a run that is stored, that run's, which knows lines."""
    if session.run is not None and session.devices:
        stored = StoredProfile(session.run).load()
        if len(stored.manifest.inputs) == 1:  # the ids of several are told apart, and so changed
            return stored
    return own.read(path, progress=progress)


def _raw_alone(session: Session, pairs: Sequence[Pair], progress: Progress | None) -> list[Profile]:
    """The captures of a session that nothing else was made of: each one's time, as far as told."""
    profiles: list[Profile] = []
    for each in pairs:
        try:
            if not each.is_empty:
                profiles.append(read_ntff(each.ntff, progress=progress))
        except UnreadableInputError:
            continue
    if not profiles:
        empty = sum(each.is_empty for each in pairs)
        reason = f" {_empty_sentence(empty)}" if empty and empty == len(pairs) else ""
        raise UnreadableInputError(
            "needs_neuron_explorer",
            f"{session.folder} holds {_raw_listed(session)}, which only Neuron's own tools can "
            f"read.{reason} {how_to_convert(session.opened or session.folder)}",
        )
    told = {note.code for note in profiles[0].manifest.quality}
    notes = _notes(session, pairs, None, [])
    profiles[0].manifest.quality += [note for note in notes if note.code not in told]
    return profiles


def _notes(
    session: Session,
    pairs: Sequence[Pair],
    trace: Profile | None,
    failures: Sequence[UnreadableInputError],
) -> list[QualityNote]:
    notes = [
        QualityNote(
            "part_not_read",
            "warning",
            f"A part of the session is missing here: {failure.message}",
        )
        for failure in failures
    ]
    empty = sum(each.is_empty for each in pairs)
    if empty:
        notes.append(QualityNote("empty_ntff", "warning", _empty_sentence(empty), empty))
    unpaired = [each for each in pairs if not each.neffs and not each.is_empty]
    if unpaired:
        names = ", ".join(each.ntff.name for each in unpaired[:5])
        notes.append(no_neff(names, len(unpaired)))
    raw = session.files("ntff") or session.files("runtime")
    if raw and trace is None:
        notes.append(
            QualityNote(
                "no_trace_json",
                "warning",
                "The session has no trace.json of torch.profiler, which alone knows all operators "
                "and lines of the program: time may be unattributed. Record with "
                "on_trace_ready=NeuronProfiler(config).export_trace.",
            )
        )
    if raw and not session.devices:
        notes.append(
            QualityNote(
                "runtime_files_not_read",
                "warning",
                f"The session holds {_raw_listed(session)}, which only Neuron's own tools can "
                "read, so that what the device did inside is not known here. "
                + how_to_convert(session.opened or session.folder),
                len(session.files("ntff")) + len(session.files("runtime")),
            )
        )
    if trace is not None and session.process is not None:
        pids = {track.pid for track in trace.tracks if track.kind == "host"}
        if pids and str(session.process) not in pids and any(pid.isdigit() for pid in pids):
            notes.append(
                QualityNote(
                    "mixed_processes",
                    "warning",
                    f"The folder is of process {session.process}, but the trace in it of "
                    f"{', '.join(sorted(pids)[:5])}: they may not belong together. Check that the "
                    "trace was not copied from another rank's folder.",
                )
            )
    return notes


def _empty_sentence(count: int) -> str:
    what = "One capture (NTFF) is" if count == 1 else f"{count} captures (NTFF) are"
    return (
        f"{what} empty: that core was initialised and not used, or its programs were not warmed "
        "up before the profiler started. Run a step before the recording begins."
    )


def _raw_listed(session: Session) -> str:
    parts = [
        f"{len(files)} {kind}" if len(files) > 1 else f"one {kind}"
        for kind, files in (
            ("NTFF", session.files("ntff")),
            ("NEFF", session.files("neff")),
        )
        if files
    ]
    parts += sorted({path.name for path in session.files("runtime")})
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]


def _part_of(progress: Progress | None, done: float, share: float) -> Progress | None:
    if progress is None:
        return None
    return lambda fraction: progress(done + share * fraction)
