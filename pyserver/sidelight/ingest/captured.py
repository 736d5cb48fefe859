"""The format of the directory that a capture leaves: traces, and ``capture.json`` about them."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Annotated, Final, Literal

import msgspec

from sidelight.ingest.assemble import Assembled, assemble
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.chrome_trace import ChromeTraces
from sidelight.ingest.compiled_graphs import leave_out_compilers_rows, put_in_graphs
from sidelight.ingest.describe import describe
from sidelight.ingest.device_rows import has_device_rows
from sidelight.ingest.formats import Format
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.graph_patterns import CapturedEvent, CapturedGraph, frames_of
from sidelight.ingest.memory_rows import add_memory, device_capacities
from sidelight.ingest.notes import no_device_rows
from sidelight.ingest.stand_in_rows import ANSWERS, leave_programs_rows
from sidelight.ingest.steps import profiler_steps, steps_between_marks
from sidelight.ingest.tensor_lists import CapturedLists, put_in_lists
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.inside import path_inside
from sidelight.profile.manifest import STAND_IN_TARGETS, DeviceMemory, SourceFile, StepsFrom
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

CAPTURE_FILE: Final = "capture.json"

_Number = Annotated[int, msgspec.Meta(ge=0, lt=10**9)]
_Line = Annotated[int, msgspec.Meta(ge=1, lt=10**9)]


class CapturedFile(msgspec.Struct):
    """A file that ran, and where its text as it was then is kept in the directory."""

    path: str
    snapshot: str | None = None


class Capture(msgspec.Struct, kw_only=True):
    """What matters here of ``capture.json``.

    Attributes:
        schema: Version of this form.
        traces: Names of the traces in the directory, in the order of recording.
        runtime_files: Folders of what the Neuron runtime wrote by itself: in the directory, or
            where the script wanted them.
        target: What it ran on, as asked for.
        device: What its device times are of.
        files: The files that ran.
        frames: (index into ``files``, line, qualified name) of each place that ran.
        labels: (index into ``frames``, whether execution entered the statement): what the row
            named ``sidelight:N`` means is entry N.
        steps: The numbers of the marks between which each recorded step lies; null where the
            script ran profiler sessions of its own.
        step_before: Mark at which the last step left out before them starts.
        steps_from: What separates the steps.
        warmup: Steps left out as warm-up.
        memory: What the program would hold on a device; None where that was not counted.
        computes_on: The kind of device that the program computes on; None where nothing stood in
            for one.
        tensor_lists: The lists of tensors that operators were given, where something stood in for
            a device.
        graphs: What was compiled.
        compile_events: What the compiler could not do as asked.
        quality: What capture noticed.
        versions: python, torch, ...
        environment: Variables worth knowing.
        command: The script and its arguments.
        working_directory: Where it ran.
        host: The machine's name.
        rank: Rank in a distributed run.
        world_size: Ranks in that run.
    """

    schema: Literal[1]
    traces: list[str]
    target: str
    device: str
    files: list[CapturedFile]
    frames: list[tuple[_Number, _Line, str]]
    labels: list[tuple[_Number, Annotated[int, msgspec.Meta(ge=0, le=1)]]]
    steps: list[tuple[_Number | None, _Number | None]] | None
    runtime_files: list[str] = []
    step_before: _Number | None = None
    steps_from: StepsFrom = "run"
    warmup: _Number = 0
    memory: DeviceMemory | None = None
    computes_on: str | None = None
    tensor_lists: CapturedLists = msgspec.field(default_factory=CapturedLists)
    graphs: list[CapturedGraph] = []
    compile_events: list[CapturedEvent] = []
    quality: list[QualityNote] = []
    versions: dict[str, str] = {}
    environment: dict[str, str] = {}
    command: list[str] = []
    working_directory: str = ""
    host: str = ""
    rank: _Number | None = None
    world_size: _Number | None = None


def detect(path: Path) -> bool:
    """Whether a directory is what a capture left."""
    return os.path.isfile(path / CAPTURE_FILE)


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read the directory that a capture left.

    Args:
        path: The directory.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: ``capture.json`` or a trace is missing or broken, or no trace holds
            any event.
    """
    capture = _read_capture(path / CAPTURE_FILE)
    traces = ChromeTraces()
    files = _trace_files(capture, path)
    sizes = [_size(file) for file in files]
    for index, file in enumerate(files):
        done, share = sum(sizes[:index]) / sum(sizes), sizes[index] / sum(sizes)
        traces.add(file, _part_of(progress, done, share))
    assembled = assemble(traces, _source_lines(capture, path), str(path))
    _fill_manifest(assembled.profile, capture, path)
    if capture.target in STAND_IN_TARGETS:
        put_in_lists(assembled.profile, capture.tensor_lists, ANSWERS)
        leave_programs_rows(assembled.profile, capture.computes_on)
    else:
        # Where something stands in for a device, that is the host's memory.
        add_memory(assembled.profile, traces.take_memory(), device_capacities(traces.headers))
    leave_out_compilers_rows(assembled.profile)
    put_in_graphs(
        assembled.profile,
        capture.graphs,
        capture.compile_events,
        ran_on_device=capture.target not in STAND_IN_TARGETS,
    )
    describe(assembled, traces, captured=True)
    _check_device(assembled.profile, capture)
    _set_steps(assembled, capture)
    return assembled.profile


def _read_capture(path: Path) -> Capture:
    with open_bytes(path) as source:
        text = source.read()
    try:
        capture = msgspec.json.decode(text, type=Capture)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableInputError(
            "broken_json",
            f"{path} is not what a capture of this version leaves: {error}. Record it again.",
        ) from error
    broken_frame = any(file >= len(capture.files) for file, _, _ in capture.frames)
    broken_label = any(frame >= len(capture.frames) for frame, _ in capture.labels)
    of_graphs = frames_of(capture.graphs, capture.compile_events)
    broken_graph = any(frame >= len(capture.frames) for frame in of_graphs)
    if broken_frame or broken_label or broken_graph or not capture.tensor_lists.is_whole:
        raise UnreadableInputError(
            "broken_json",
            f"{path} refers to files, places or tensors it does not list. Record it again.",
        )
    return capture


def _trace_files(capture: Capture, directory: Path) -> list[Path]:
    files: list[Path] = []
    for name in capture.traces:
        file = path_inside(directory, name)
        if file is None:
            raise UnreadableInputError(
                "broken_json",
                f"{directory / CAPTURE_FILE} names a trace outside its directory: {name}. "
                "Record it again.",
            )
        files.append(file)
    return files


def _size(path: Path) -> int:
    try:
        return max(1, path.stat().st_size)
    except OSError:
        return 1


def _part_of(progress: Progress | None, done: float, share: float) -> Progress | None:
    if progress is None:
        return None
    return lambda fraction: progress(done + share * fraction)


def _source_lines(capture: Capture, directory: Path) -> SourceLines:
    return SourceLines(
        files=[
            SourceFile(file.path, _snapshot(directory, file.snapshot)) for file in capture.files
        ],
        frames=capture.frames,
        labels=capture.labels,
        directories=_program_directories(capture),
    )


def _program_directories(capture: Capture) -> list[str]:
    """Where the program's files are likely to be: those beside its script, and where it ran."""
    directories = [capture.working_directory]
    if capture.command:
        script = PurePath(capture.working_directory, capture.command[0])
        directories.insert(0, str(script.parent))
    return [directory for directory in directories if os.path.isabs(directory)]


def _snapshot(directory: Path, name: str | None) -> str | None:
    """A file's text as it ran; None where capture could not keep it."""
    if name is None:
        return None
    path = path_inside(directory, name)
    if path is None:
        return None
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def _fill_manifest(profile: Profile, capture: Capture, directory: Path) -> None:
    manifest = profile.manifest
    script = capture.command[0] if capture.command else str(directory)
    manifest.name = PurePath(script).stem
    manifest.format = FORMAT.name
    manifest.target = capture.target
    manifest.command = capture.command
    manifest.working_directory = capture.working_directory
    manifest.versions = capture.versions
    manifest.environment = capture.environment
    manifest.inputs = [str(directory / name) for name in capture.traces]
    manifest.host = capture.host
    if capture.world_size is not None:  # else the trace may say
        manifest.rank, manifest.world_size = capture.rank, capture.world_size
    manifest.steps_from = capture.steps_from
    manifest.warmup = capture.warmup
    manifest.memory = capture.memory
    manifest.quality = list(capture.quality)
    written = [directory / name for name in capture.runtime_files]
    manifest.runtime_files = [str(folder) for folder in written if os.path.isdir(folder)]


def _check_device(profile: Profile, capture: Capture) -> None:
    """The capture knows its device by name; where that left no rows, say what is shown instead."""
    if capture.device == "cpu":
        return
    if has_device_rows(profile):
        profile.manifest.device = capture.device
        return
    profile.note(
        no_device_rows(
            f"The program ran on {capture.device}, but the trace holds no rows of the device",
            _where_to_look(profile),
        )
    )


def _where_to_look(profile: Profile) -> str:
    """Where the device's times may be, if not in the trace."""
    if profile.manifest.runtime_files:
        return (
            "What the device did is in the files that the Neuron runtime wrote: the note on them "
            "says where they are and what reads them."
        )
    return "Check that the profiler of the device's torch package records device activity."


def _set_steps(assembled: Assembled, capture: Capture) -> None:
    profile = assembled.profile
    if capture.steps is None:
        profile.steps = profiler_steps(profile.events, assembled.trace_extents_ns)
        return
    profile.steps, missing = steps_between_marks(
        capture.steps, assembled.marks_ns, assembled.extent_ns
    )
    if capture.step_before in assembled.marks_ns:
        profile.manifest.step_before_ns = assembled.marks_ns[capture.step_before][1]
    if missing:
        profile.note(
            QualityNote(
                "lost_steps",
                "warning",
                "Steps whose boundary the profiler did not record are left out: what ran in them "
                "is in no figure. Record more steps, or run it again.",
                missing,
            )
        )


FORMAT: Final = Format("capture", detect, read)
