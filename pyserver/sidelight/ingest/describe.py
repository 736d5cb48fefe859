"""Fills in a profile's manifest from what its traces say, and starts its data-quality report."""

from __future__ import annotations

from typing import Annotated, Any, Final, cast

import msgspec
import numpy as np

from sidelight.ingest.assemble import Assembled
from sidelight.ingest.bounds import LONGEST_LABEL, shortened
from sidelight.ingest.categories import device_of
from sidelight.ingest.chrome_trace import ChromeTraces
from sidelight.ingest.device_rows import has_device_rows
from sidelight.ingest.dropped_events import dropped_events, messages_of
from sidelight.ingest.event_caps import cap_notes
from sidelight.ingest.notes import CPU_IS_DEVICE, no_device_rows, no_stacks
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Category

_CPU: Final = "cpu"
_MOST_NAMED: Final = 4

_Rank = Annotated[int, msgspec.Meta(ge=0, lt=10**9)]


class _Distributed(msgspec.Struct):
    """torch.profiler's ``distributedInfo``."""

    rank: _Rank | None = None
    world_size: _Rank | None = None


def describe(assembled: Assembled, traces: ChromeTraces, *, captured: bool = False) -> None:
    """Fill in device, host and rank, and note what is missing or was left out.

    Args:
        assembled: The profile.
        traces: What it was made of.
        captured: Whether Sidelight recorded it, so that a note must not advise to do so.
    """
    profile, manifest = assembled.profile, assembled.profile.manifest
    manifest.device = _device(profile, traces)
    for header in traces.headers:
        if isinstance(header.host_name, str) and not manifest.host:
            manifest.host = header.host_name
        if manifest.rank is None:
            manifest.rank, manifest.world_size = _rank(header.distributedInfo)
    for note in (
        *_device_notes(manifest.device, traces),
        *_line_notes(profile, captured=captured),
        *_shape_notes(profile),
        *_row_notes(assembled, traces),
    ):
        profile.note(note)


def _rank(distributed_info: Any) -> tuple[int | None, int | None]:
    try:
        info = msgspec.convert(distributed_info, _Distributed)
    except msgspec.ValidationError:
        return None, None
    return info.rank, info.world_size


def _device(profile: Profile, traces: ChromeTraces) -> str:
    if not has_device_rows(profile):
        return _CPU
    names = " ".join((*traces.process_names.values(), *traces.process_labels.values()))
    return device_of(
        set(traces.categories.values()),
        rocm=any(
            header.roctracer_version is not None
            or header.hip_runtime_version is not None
            or any("AMD" in name for name in _device_names(header.deviceProperties))
            for header in traces.headers
        ),
        neuron="neuron" in names.casefold(),
    )


def _device_names(device_properties: Any) -> list[str]:
    if not isinstance(device_properties, list):
        return []
    devices = cast("list[Any]", device_properties)
    names = [cast("dict[str, Any]", one).get("name") for one in devices if isinstance(one, dict)]
    return [name for name in names if isinstance(name, str)]


def _device_notes(device: str, traces: ChromeTraces) -> list[QualityNote]:
    if device != _CPU:
        return []
    seen = {name for header in traces.headers for name in _device_names(header.deviceProperties)}
    if seen:
        return [
            no_device_rows(
                f"The machine has {', '.join(sorted(seen))}, but the trace holds no work of a "
                "device",
                "Record the device's activity too (torch.profiler's activities).",
            )
        ]
    return [CPU_IS_DEVICE]


def _line_notes(profile: Profile, *, captured: bool) -> list[QualityNote]:
    if profile.manifest.line_level == "function":
        what = "The recording knows" if captured else "The trace knows"
        advice = "" if captured else " Run the script with sidelight profile to see single lines."
        return [
            QualityNote(
                "function_level_lines",
                "info",
                f"{what} functions, not lines: time shows on the line by which it names the "
                "function, mostly that of its def." + advice,
            )
        ]
    if profile.manifest.line_level == "line":
        return []
    if not captured:
        return [_no_place_in_trace(profile)]
    if any(note.code == "lines_unknown" for note in profile.manifest.quality):
        return []  # the capture has said why
    return [
        no_stacks(
            "The recording holds no line of yours",
            "Check that the program runs files of your own, not only installed packages.",
        )
    ]


def _no_place_in_trace(profile: Profile) -> QualityNote:
    """Why a trace from elsewhere has no line of the user's, and what to do."""
    if not (profile.events["category"] == Category.FUNCTION).any():
        return no_stacks(
            "The trace does not say which source code ran",
            "Run the script with sidelight profile, or record with with_stack=True.",
        )
    return no_stacks(
        "No Python function in the trace is of a file of yours",
        "A script that is named like a module of Python's own (trace.py, profile.py) looks like "
        "that module: give it another name and record it again, or run it with sidelight profile.",
    )


def _shape_notes(profile: Profile) -> list[QualityNote]:
    operators = profile.events["category"] == Category.OPERATOR
    if not operators.any() or (profile.events["signature"][operators] >= 0).any():
        return []
    return [
        QualityNote(
            "no_shapes",
            "info",
            "Operators carry no input shapes, so they cannot be priced; record_shapes=True would "
            "add them.",
            int(np.count_nonzero(operators)),
        )
    ]


def _quoted(names: list[str]) -> str:
    """The first of some names, in one line of text."""
    first = ", ".join(shortened(name, LONGEST_LABEL) for name in names[:_MOST_NAMED])
    others = len(names) - _MOST_NAMED
    return f"{first} and {others:,} more" if others > 0 else first


def _row_notes(assembled: Assembled, traces: ChromeTraces) -> list[QualityNote]:
    notes = [
        QualityNote(
            "bad_id",
            "warning",
            "Ids that are no numbers, or too large ones, are left out: what they joined may be "
            "unattributed. Record it again if much is.",
            traces.bad_ids,
        ),
        QualityNote(
            "unexplained_lines",
            "warning",
            "Sidelight's line rows are left out where its capture.json does not say which line "
            "they mean. Open the directory that the recording left, not the trace alone.",
            assembled.unexplained_lines,
        ),
        QualityNote(
            "unknown_categories",
            "warning",
            f"Rows of a kind that is not known ({_quoted(list(assembled.unlisted))}) are shown on "
            "the timeline and in no sum: device time is missing if they are work of a device. Look "
            "for a newer Sidelight, or report the name.",
            sum(assembled.unlisted.values()),
        ),
    ]
    logs = [log for header in traces.headers for log in (header.warnings, header.errors)]
    return [
        *traces.findings.notes(),
        *traces.times.notes(),
        *dropped_events(text for log in logs for text in messages_of(log)),
        *cap_notes(assembled.profile.events),
        *(note for note in notes if note.count),
    ]
