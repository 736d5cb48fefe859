"""The timeline of a program that ran on no device: as the chip would have run it.

A recording in which something stood in for the device has true operators, lines and order; how
long it took to answer the device's operators means nothing. So the host's clock is set anew: each
kernel's submission takes it the launch time, and a wait takes it until the device is done. What
else the host did takes what it took where the program's values were computed, and nothing where
none were: then it did not all happen. The launch time is that of eager code, so that what the host
did since it last turned to the device is contained in it. The device runs the kernels of a stream
in order, each once it was submitted and the one before it is done. The host is never more than a
step ahead of it, and where no step comes before the first it waits for it in the end: so the steps
of a program that waits for nothing take what the device takes for them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from sidelight.analysis.attribution import attribute
from sidelight.analysis.device_layout import (
    DEFAULT_STREAM,
    Happening,
    Launch,
    Layout,
    Wait,
    lay_out,
)
from sidelight.analysis.kernels import KernelWalk
from sidelight.analysis.moved_times import move_module_calls, move_steps, moved_times
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.places import NODE_PREFIX
from sidelight.analysis.predictions import UNPRICED, is_priced
from sidelight.analysis.pricing_notes import HOST_TIME_PREDICTED, PRICING_CODES
from sidelight.analysis.stream_marks import StreamMarks, stream_marks
from sidelight.hardware.operators.free import SYNCHRONIZE
from sidelight.profile import units
from sidelight.profile.manifest import TARGETS_WITHOUT_VALUES, Track
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import (
    CLOCK_COLUMNS,
    EVENT_COLUMNS,
    PREDICTION_COLUMNS,
    Category,
    Table,
)

_NO_PRICE = -1

_NO_KERNELS: IntColumn = np.empty(0, np.int64)

_NOT_TRUE_ANY_MORE = frozenset({"cpu_is_device", "no_device_rows"})
"""Codes of what is said where the CPU's own time is shown."""


def lay_out_predictions(profile: Profile, walk: KernelWalk) -> None:
    """Give a priced profile the timeline of its predictions, and attribute it anew.

    Its device time is then predicted: rows of a device stream, each launched by its operator.

    Args:
        profile: A priced profile without device rows; its events and steps are replaced.
        walk: The kernels it was priced by.
    """
    events = profile.events
    kernels = np.flatnonzero(events["price"] >= 0)
    kernels = kernels[np.argsort(events["start_ns"][kernels], kind="stable")]
    boundaries_ns = _boundaries(profile)
    instants_ns = _instants(events, profile.steps, boundaries_ns)
    computes = profile.manifest.target not in TARGETS_WITHOUT_VALUES
    marks = stream_marks(profile)
    streams = marks.streams_of(events["track"][kernels], events["start_ns"][kernels])
    layout = lay_out(
        instants_ns,
        _time_of_the_host(events, instants_ns) if computes else np.ones_like(instants_ns),
        _happenings(profile, kernels, streams, walk.waits, marks),
        boundaries_ns,
        waits_at_last=profile.manifest.step_before_ns is None,
    )
    host = _moved_host_rows(events, layout)
    device = _device_rows(profile, kernels, streams, layout)
    profile.events = Table({name: np.concatenate((host[name], device[name])) for name in device})
    move_steps(profile, layout)
    move_module_calls(profile, layout)
    profile.clock = Table.of(
        CLOCK_COLUMNS, {"recorded_ns": layout.old_ns, "shown_ns": layout.new_ns}
    )
    _describe(profile, np.unique(streams).tolist())
    attribute_predicted(profile)


def attribute_predicted(profile: Profile) -> None:
    """Attribute a profile whose device time is predicted.

    Args:
        profile: Its device rows are those of predicted kernels, which carry their prices.
    """
    # What attribution finds was found and told when the recording itself was attributed.
    told = list(profile.manifest.quality)
    attribute(profile)
    profile.manifest.quality = told
    _count_under_own_names(profile)
    events = profile.events
    if not events["duration_ns"][events["category"] == Category.DEVICE].any():
        _count_no_operators(profile)


def without_predictions(profile: Profile) -> None:
    """Take a profile's prices away, and the timeline that was laid out by them."""
    events = profile.events
    if not is_priced(events):
        return
    manifest = profile.manifest
    if manifest.time_kind == "predicted":
        back = Layout(profile.clock["shown_ns"], profile.clock["recorded_ns"], _NO_KERNELS)
        kept = events["category"] != Category.DEVICE
        events = Table({name: events[name][kept] for name in events})
        events = events.with_columns(moved_times(events, back))
        profile.tracks = [track for track in profile.tracks if track.kind != "device"]
        move_steps(profile, back)
        move_module_calls(profile, back)
    profile.events = Table(
        {name: events[name] for name in events if name not in PREDICTION_COLUMNS}
    )
    manifest.quality = [note for note in manifest.quality if note.code not in PRICING_CODES]


def _happenings(
    profile: Profile,
    kernels: IntColumn,
    streams: IntColumn,
    waits: Sequence[int],
    marks: StreamMarks,
) -> list[Happening]:
    """What the host has to do with the device, in order.

    An operator that waits for what it gives waits for its stream, once its kernel was launched.
    """
    events = profile.events
    columns = (events["start_ns"], events["launch_ns"], events["predicted_ns"])
    launches = (*(column[kernels].tolist() for column in columns), streams.tolist())
    rows = np.array(waits, np.int64)
    waiting = marks.streams_of(events["track"][rows], events["start_ns"][rows])
    numbers: list[int] = events["name"][rows].tolist()
    names = [profile.strings[number] for number in numbers]
    happenings: list[Happening] = [
        *itertools.starmap(Launch, zip(*launches, strict=True)),
        *(
            Wait(at_ns, None if name == SYNCHRONIZE else stream)
            for at_ns, stream, name in zip(
                events["start_ns"][rows].tolist(), waiting.tolist(), names, strict=True
            )
        ),
        *marks.happenings,
    ]
    return sorted(happenings, key=lambda each: (each.at_ns, not isinstance(each, Launch)))


def _boundaries(profile: Profile) -> IntColumn:
    """When the last step before the recorded ones begins, the first of them, and when each ends.

    A step's own start may lie a little after the end of the one before it: it is no boundary more.
    """
    before_ns = profile.manifest.step_before_ns
    before = [] if before_ns is None else [before_ns]
    first = profile.steps["start_ns"][:1]
    return np.unique(np.concatenate((np.array(before, np.int64), first, profile.steps["end_ns"])))


def _instants(events: Table, steps: Table, boundaries_ns: IntColumn) -> IntColumn:
    start_ns = events["start_ns"]
    end_ns = start_ns + events["duration_ns"]
    return np.unique(np.concatenate((start_ns, end_ns, steps["start_ns"], boundaries_ns)))


def _time_of_the_host(events: Table, instants_ns: IntColumn) -> IntColumn:
    """What passes from each instant to the next, a nanosecond while the device is stood in for."""
    rows = np.flatnonzero(events["category"] == Category.OPERATOR)
    start_ns = events["start_ns"][rows]
    end_ns = start_ns + events["duration_ns"][rows]
    changes = np.zeros(len(instants_ns), np.int64)
    np.add.at(changes, np.searchsorted(instants_ns, start_ns), 1)
    np.add.at(changes, np.searchsorted(instants_ns, end_ns), -1)
    elapsed_ns = np.diff(instants_ns, append=instants_ns[-1:] + 1)
    return np.where(np.cumsum(changes) > 0, 1, elapsed_ns)


def _moved_host_rows(events: Table, layout: Layout) -> Table:
    nothing = np.full(len(events), _NO_PRICE)
    return events.with_columns(
        {
            **moved_times(events, layout),
            # Each operator gets a number that its kernels name as what launched them.
            "external_id": np.arange(1, len(events) + 1),
            "correlation_id": nothing,
            "price": np.where(events["price"] == UNPRICED, UNPRICED, _NO_PRICE).astype(np.int32),
            "predicted_ns": nothing,
            "launch_ns": np.zeros(len(events), np.int64),
        }
    )


def _device_rows(profile: Profile, kernels: IntColumn, streams: IntColumn, layout: Layout) -> Table:
    """One row of the device for each kernel, or operator's part of one, in the order of tables."""
    events, prices = profile.events, profile.prices
    order = np.lexsort((layout.device_start_ns, streams))
    kernels, start_ns = kernels[order], layout.device_start_ns[order]
    _, stream_index = np.unique(streams[order], return_inverse=True)
    count = len(kernels)
    price = events["price"][kernels]
    is_alone = prices["parts"][price] == 1
    columns = {
        "track": len(profile.tracks) + stream_index,
        "category": np.full(count, Category.DEVICE),
        # A kernel of a backward pass that was recorded in pieces has a name of its own.
        "name": np.where(is_alone, prices["operator"][price], events["name"][kernels]),
        "start_ns": start_ns,
        "duration_ns": events["predicted_ns"][kernels],
        "forward_thread": np.zeros(count),
        "external_id": kernels + 1,
        "entry": np.zeros(count),
        "price": price,
        "predicted_ns": events["predicted_ns"][kernels],
        "launch_ns": events["launch_ns"][kernels],
    }
    return Table.of({**EVENT_COLUMNS, **PREDICTION_COLUMNS}, columns)


def _describe(profile: Profile, streams: list[int]) -> None:
    """Say in the manifest what the profile now is, and name the device's streams."""
    manifest, pricing = profile.manifest, profile.manifest.pricing
    if pricing is None:
        raise ValueError("only a priced profile has predictions to lay out")
    label = f"{pricing.label}, predicted"
    for stream in streams or [DEFAULT_STREAM]:
        name = label if stream == DEFAULT_STREAM else f"{label}, stream {stream}"
        tid = "predicted" if stream == DEFAULT_STREAM else str(stream)
        profile.tracks = [*profile.tracks, Track("device", name, pricing.chip, tid)]
    manifest.device = pricing.chip
    manifest.time_kind = "predicted"
    shares_kernel = (profile.prices["parts"] > 1).any()
    manifest.attribution = "mixed" if shares_kernel else "exact"
    launch = {each.name: each.value for each in pricing.parameters}["eager_launch_ns"]
    manifest.quality = [note for note in manifest.quality if note.code not in _NOT_TRUE_ANY_MORE]
    if manifest.target in TARGETS_WITHOUT_VALUES:
        what_is_known = (
            "Nothing was computed: host times are predicted too, as what launching kernels takes"
        )
        rest = "Python's own time is not known and left out"
    else:
        what_is_known = (
            "The CPU stood in for the device: host times are predicted too, with what launching "
            "kernels takes"
        )
        rest = "what Python and the host's own operators take beyond that is as it was here"
    profile.note(
        QualityNote(
            HOST_TIME_PREDICTED,
            "info",
            f"{what_is_known} "
            f"({units.duration(launch, predicted=True)} each when eager) and waiting for the "
            f"device, which the host is a step ahead of at most; {rest}. Record on a device for "
            "measured ones.",
        )
    )


def _count_under_own_names(profile: Profile) -> None:
    """Let kernels of autograd nodes count under their own names: a node's is no operator's."""
    events = profile.events
    is_node = np.array([name.startswith(NODE_PREFIX) for name in profile.strings], np.bool_)
    of_node = is_node[events["name"][events["operator"]]]
    of_node &= events["category"] == Category.DEVICE
    operator = np.where(of_node, np.arange(len(events)), events["operator"])
    profile.events = events.with_columns({"operator": operator.astype(np.int32)})


def _count_no_operators(profile: Profile) -> None:
    """Where no kernel takes any time, keep operators from being taken for the device's work."""
    events = profile.events
    is_operator = events["category"] == Category.OPERATOR
    costs_nothing = is_operator & (events["price"] != UNPRICED)
    profile.events = events.with_columns(
        {
            "step": np.where(costs_nothing, -1, events["step"]).astype(np.int32),
            "device_ns": np.zeros(len(events), np.int64),
        }
    )
