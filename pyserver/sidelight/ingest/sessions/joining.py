"""Makes one profile of two: a framework's trace, and what Neuron's tools say of the device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.profile.manifest import CoreFigures, Manifest
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import (
    EVENT_COLUMNS,
    MODULE_CALL_COLUMNS,
    STEP_COLUMNS,
    TENSOR_COLUMNS,
    TENSOR_TEXTS,
    WORK_COLUMNS,
    WORK_TEXTS,
    Category,
    Column,
    Table,
)

NONE: Final = -1

FRAMEWORK_CATEGORIES: Final = (
    *(Category.OPERATOR, Category.LINE, Category.ANNOTATION, Category.STEP, Category.FUNCTION),
    *(Category.DEVICE_COARSE, Category.DEVICE_RUNTIME, Category.HOST_OPERATOR),
)
"""Rows that a system profile has from the framework's trace, which here is at hand itself."""

_ANSWERED: Final = frozenset(
    {"cpu_is_device", "no_framework_rows", "executions_without_launch", "launch_by_name"}
)
"""What either says is missing, and joining has found or tells of itself."""

_NO_DEVICES: Final = ("", "unknown", "cpu")
"""What a part without a row of a device names as its device."""

FORMAT_NAME: Final = "neuron_session"


def join(
    framework: Profile,
    device: Profile,
    launched_by: Column,
    notes: Sequence[QualityNote],
) -> Profile:
    """Put a trace and a profile of the device on one timeline.

    The device's time is what the device's profile says: rows of the device in the trace are shown
    and do not count. Rows that the device's profile has of the framework are left out.

    Args:
        framework: The trace, not attributed yet. Its lines, steps and name stay.
        device: The device's profile, by the same clock.
        launched_by: The External id of the trace's operator that launched each of the device's
            events; -1 for none.
        notes: How the two were joined.

    Returns:
        A new profile, not attributed yet.
    """
    ours = {name: framework.events[name] for name in EVENT_COLUMNS}
    theirs = {name: device.events[name] for name in EVENT_COLUMNS}
    _settle_levels(ours, theirs)
    _settle_launches(ours, theirs, launched_by)
    builder = ProfileBuilder()
    _add(builder, framework, ours, np.arange(len(framework.events)))
    kept = np.flatnonzero(~np.isin(theirs["category"], FRAMEWORK_CATEGORIES))
    _add(builder, device, theirs, kept)
    calls = _module_calls(builder, framework)
    profile = builder.build(
        _manifest(framework.manifest, device.manifest, notes), framework.manifest.name
    )
    texts = {file.path: file for file in (*device.files, *framework.files)}
    profile.files = [texts[file.path] for file in profile.files]
    profile.steps = _steps(framework, profile)
    profile.module_calls = calls.with_columns(
        {"start_ns": calls["start_ns"] - profile.manifest.start_unix_ns}
    )
    return profile


def _settle_levels(ours: dict[str, Column], theirs: dict[str, Column]) -> None:
    """Leave one kind of rows to be the device's time.

    Executions go before all that the trace has; engines' work, which refines executions, only
    before what is coarser than these.
    """
    took_time = set(map(int, theirs["category"][theirs["duration_ns"] > 0]))
    if not took_time & {Category.DEVICE, Category.ENGINE_WORK}:
        return
    category = ours["category"]
    for from_trace, shown_as in (
        (Category.DEVICE, Category.OTHER if Category.DEVICE in took_time else Category.DEVICE),
        (Category.DEVICE_COARSE, Category.OTHER),
        (Category.DEVICE_RUNTIME, Category.RUNTIME),
    ):
        category = np.where(category == from_trace, np.int8(shown_as), category)
    ours["category"] = category


def _settle_launches(
    ours: dict[str, Column], theirs: dict[str, Column], launched_by: Column
) -> None:
    """Name the operators that launched the device's rows, and none by accident."""
    is_device = theirs["category"] == Category.DEVICE
    theirs["external_id"] = np.where(is_device, launched_by, theirs["external_id"])
    calls = ours["correlation_id"][ours["category"] == Category.RUNTIME]
    by_accident = is_device & np.isin(theirs["correlation_id"], calls)
    theirs["correlation_id"] = np.where(by_accident, NONE, theirs["correlation_id"])


def _add(
    builder: ProfileBuilder, profile: Profile, columns: dict[str, Column], rows: Column
) -> None:
    """Add some of a profile's rows, by the clock of 1970, and all of its samples."""
    zero_ns = profile.manifest.start_unix_ns
    track = _codes([*map(builder.tracks.code, profile.tracks)])
    string = _codes([*map(builder.strings.code, profile.strings)])
    frame = _frames(builder, profile)
    stack = _stacks(builder, profile, frame)
    forward = columns["forward_thread"]
    moved = {
        **columns,
        "track": track[columns["track"]],
        "name": string[columns["name"]],
        "start_ns": columns["start_ns"] + zero_ns,
        "frame": frame[columns["frame"]],
        "signature": string[columns["signature"]],
        "forward_thread": np.where(forward > 0, 1 + track[np.maximum(forward, 1) - 1], forward),
    }
    of_event: dict[int, list[int]] = {}
    origins = zip(
        map(int, profile.origins["event"]), map(int, profile.origins["stack"]), strict=True
    )
    for event, node in origins:
        of_event.setdefault(event, []).append(int(stack[node]))
    work = profile.work
    worked = np.intersect1d(work["event"], rows)
    plain = np.setdiff1d(rows, worked)
    row = np.full(len(profile.events), NONE, np.int64)
    if len(plain):
        first_plain = builder.add_rows(
            {name: column[plain] for name, column in moved.items()},
            origins=[of_event.get(event, []) for event in map(int, plain)] if of_event else None,
        )
        row[plain] = first_plain + np.arange(len(plain))
    if len(worked):
        chosen = np.searchsorted(work["event"], worked)
        known = {name: work[name][chosen] for name in WORK_COLUMNS if name != "event"}
        known.update({name: string[known[name]] for name in WORK_TEXTS})
        first_worked = builder.add_rows(
            {name: column[worked] for name, column in moved.items()},
            work=known,
            origins=[of_event.get(event, []) for event in map(int, worked)],
        )
        row[worked] = first_worked + np.arange(len(worked))
    flows = profile.flows
    arrows = np.stack((row[flows["source"]], row[flows["target"]], string[flows["kind"]]))
    builder.flows.add(*arrows[:, (arrows[:2] >= 0).all(axis=0)])
    _add_tensors(builder, profile, string)
    for code, series in enumerate(profile.manifest.series):
        own = profile.samples["series"] == code
        at_ns = profile.samples["at_ns"][own] + zero_ns
        builder.add_samples(series, at_ns, profile.samples["value"][own])


def _module_calls(builder: ProfileBuilder, framework: Profile) -> Table:
    """The calls of modules that the trace has, by the clock of 1970."""
    calls = framework.module_calls
    track = _codes([*map(builder.tracks.code, framework.tracks)])
    string = _codes([*map(builder.strings.code, framework.strings)])
    columns = {
        "track": track[calls["track"]],
        "name": string[calls["name"]],
        "start_ns": calls["start_ns"] + framework.manifest.start_unix_ns,
        "duration_ns": calls["duration_ns"],
    }
    return Table.of(MODULE_CALL_COLUMNS, columns)


def _add_tensors(builder: ProfileBuilder, profile: Profile, string: Column) -> None:
    tensors = profile.tensors
    texts = {name: string[tensors[name]] for name in TENSOR_TEXTS}
    builder.add_tensors({**{name: tensors[name] for name in TENSOR_COLUMNS}, **texts})


def _codes(codes: Sequence[int]) -> Column:
    """New codes by old ones; the last place is that of -1, which stays."""
    return np.array([*codes, NONE], np.int64)


def _frames(builder: ProfileBuilder, profile: Profile) -> Column:
    frames = profile.frames
    places = zip(
        map(int, frames["file"]),
        map(int, frames["line"]),
        map(int, frames["function"]),
        strict=True,
    )
    return _codes(
        [
            builder.frame(
                profile.files[file].path, line, profile.strings[function] if function >= 0 else ""
            )
            for file, line, function in places
        ]
    )


def _stacks(builder: ProfileBuilder, profile: Profile, frame: Column) -> Column:
    codes: list[int] = []
    nodes = zip(map(int, profile.stacks["parent"]), map(int, profile.stacks["frame"]), strict=True)
    for parent, place in nodes:  # parents come first
        caller = codes[parent] if parent >= 0 else NONE
        codes.append(builder.stacks.code((caller, int(frame[place]))))
    return _codes(codes)


def _manifest(ours: Manifest, theirs: Manifest, notes: Sequence[QualityNote]) -> Manifest:
    devices = [each.device for each in (theirs, ours) if each.device not in _NO_DEVICES]
    line_level = ours.line_level if ours.line_level != "none" else theirs.line_level
    answered = {
        *_ANSWERED,
        *(("no_device_rows",) if devices else ()),
        *(("no_stacks",) if line_level != "none" else ()),
    }
    missing = [note for note in (*ours.quality, *theirs.quality) if note.code not in answered]
    return msgspec.structs.replace(
        ours,
        format=FORMAT_NAME,
        device=devices[0] if devices else "cpu",
        start_unix_ns=0,
        line_level=line_level,
        versions={**theirs.versions, **ours.versions},
        inputs=[*dict.fromkeys((*ours.inputs, *theirs.inputs))],
        host=ours.host or theirs.host,
        core=_core(ours.core, theirs.core),
        vendor_metrics={**ours.vendor_metrics, **theirs.vendor_metrics},
        kpis=[*ours.kpis, *theirs.kpis],
        pricing=None,  # what was priced is another profile
        quality=[*dict.fromkeys((*notes, *missing))],
    )


def _core(ours: CoreFigures | None, theirs: CoreFigures | None) -> CoreFigures | None:
    """What is known of the core; how much HBM it has, only the system's profile may know."""
    if ours is None or theirs is None:
        return theirs or ours
    capacity_bytes = theirs.hbm_capacity_bytes or ours.hbm_capacity_bytes
    return msgspec.structs.replace(theirs, hbm_capacity_bytes=capacity_bytes)


def _steps(framework: Profile, joined: Profile) -> Table:
    """The trace's steps, by the new zero; one that is the whole recording holds all there is."""
    later_ns = framework.manifest.start_unix_ns - joined.manifest.start_unix_ns
    steps = framework.steps
    if len(steps) < 2 and framework.manifest.steps_from in ("run", "profiler"):
        return joined.steps
    return Table.of(STEP_COLUMNS, {name: steps[name] + later_ns for name in ("start_ns", "end_ns")})
