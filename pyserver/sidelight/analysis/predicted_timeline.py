"""The timeline of a program that ran on no device: as the chip would have run it.

A recording in which something stood in for the device has true operators, lines and order; how
long it took to answer the device's operators means nothing. So the host's clock is set anew: each
kernel's submission takes it the launch time, and a wait takes it until the device is done. What
else the host did takes what it took where the program's values were computed, and nothing where
none were: then it did not all happen. The launch time is that of eager code, so that what the host
did since it last turned to the device is contained in it. The device runs the kernels in order,
each once it was submitted and the one before it is done. The host is never more than a step ahead
of it, and where no step comes before the first it waits for it in the end: so the steps of a
program that waits for nothing take what the device takes for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sidelight.analysis.attribution import attribute
from sidelight.analysis.kernels import KernelWalk
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.places import NODE_PREFIX
from sidelight.analysis.predictions import UNPRICED, is_priced
from sidelight.analysis.pricing_notes import HOST_TIME_PREDICTED, PRICING_CODES
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

# What happens at an instant, in this order.
_BOUNDARY, _LAUNCH, _WAIT = range(3)

_NOT_TRUE_ANY_MORE = frozenset({"cpu_is_device", "no_device_rows"})
"""Codes of what is said where the CPU's own time is shown."""


@dataclass(frozen=True)
class Layout:
    """The new clock, and when each kernel runs by it.

    Attributes:
        old_ns: Instants of the recording at which anything begins or ends, ascending.
        new_ns: The same instants on the new clock, strictly ascending.
        device_start_ns: When each kernel starts, by the new clock.
    """

    old_ns: IntColumn
    new_ns: IntColumn
    device_start_ns: IntColumn

    def moved(self, time_ns: IntColumn) -> IntColumn:
        """The same instants, each one of ``old_ns``, on the new clock."""
        return self.new_ns[np.searchsorted(self.old_ns, time_ns)]


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
    layout = lay_out(
        instants_ns,
        _time_of_the_host(events, instants_ns) if computes else np.ones_like(instants_ns),
        events["start_ns"][kernels],
        events["launch_ns"][kernels],
        events["predicted_ns"][kernels],
        events["start_ns"][walk.waits],
        boundaries_ns,
        waits_at_last=profile.manifest.step_before_ns is None,
    )
    host, device = _moved_host_rows(events, layout), _device_rows(profile, kernels, layout)
    profile.events = Table({name: np.concatenate((host[name], device[name])) for name in device})
    _move_steps(profile, layout)
    profile.clock = Table.of(
        CLOCK_COLUMNS, {"recorded_ns": layout.old_ns, "shown_ns": layout.new_ns}
    )
    _describe(profile)
    # What attribution finds was found and told when it was first done.
    told = list(profile.manifest.quality)
    attribute(profile)
    profile.manifest.quality = told
    _count_under_own_names(profile)
    if not events["predicted_ns"][kernels].any():
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
        events = events.with_columns(_moved_times(events, back))
        profile.tracks = [track for track in profile.tracks if track.kind != "device"]
        _move_steps(profile, back)
    profile.events = Table(
        {name: events[name] for name in events if name not in PREDICTION_COLUMNS}
    )
    manifest.quality = [note for note in manifest.quality if note.code not in PRICING_CODES]


def lay_out(
    instants_ns: IntColumn,
    elapsed_ns: IntColumn,
    kernel_starts_ns: IntColumn,
    launch_ns: IntColumn,
    duration_ns: IntColumn,
    waits_ns: IntColumn,
    boundaries_ns: IntColumn,
    *,
    waits_at_last: bool,
) -> Layout:
    """Set the clock.

    A launch takes its time from when the host last turned to the device, unless that has passed. It
    and a wait move the clock on at the instant they begin, and a step's boundary is reached once
    the device has done all that was launched before the boundary before it.

    Args:
        instants_ns: Every instant at which anything begins or ends, ascending, each once.
        elapsed_ns: What else passes from each of them to the next: at least a nanosecond, so that
            what was nested stays so. The last has none that follows.
        kernel_starts_ns: Start of each kernel's operator, ascending.
        launch_ns: What each takes the host.
        duration_ns: What each takes the device.
        waits_ns: When the host begins to wait for the device.
        boundaries_ns: Where a step gives way to the next, ascending.
        waits_at_last: Whether the last of them is reached once the device has done everything.
    """
    happenings = [
        *_happenings(instants_ns, boundaries_ns, _BOUNDARY),
        *_happenings(instants_ns, kernel_starts_ns, _LAUNCH),
        *_happenings(instants_ns, waits_ns, _WAIT),
    ]
    last_boundary = len(boundaries_ns) - 1 if waits_at_last else -1
    launches: list[int] = launch_ns.tolist()
    durations: list[int] = duration_ns.tolist()
    added_ns = np.zeros(len(instants_ns) + 1, np.int64)
    passed = np.concatenate((np.zeros(1, np.int64), np.cumsum(elapsed_ns[:-1])))
    passed_ns: list[int] = passed.tolist()
    device_start_ns = np.zeros(len(durations), np.int64)
    moved_ns = device_done_ns = done_at_boundary_ns = turned_to_device_ns = 0
    for at, what, index in sorted(happenings):
        since_ns = passed_ns[at] - turned_to_device_ns
        turned_to_device_ns = passed_ns[at]
        if what == _LAUNCH:
            rest_ns = max(launches[index] - since_ns, 0)
            added_ns[at + 1] += rest_ns
            moved_ns += rest_ns
            start_ns = max(device_done_ns, passed_ns[at] + moved_ns)
            device_start_ns[index] = start_ns
            device_done_ns = start_ns + durations[index]
            continue
        is_behind = what == _BOUNDARY and index != last_boundary
        until_ns = done_at_boundary_ns if is_behind else device_done_ns
        waited_ns = max(until_ns - (passed_ns[at] + moved_ns), 0)
        added_ns[at if what == _BOUNDARY else at + 1] += waited_ns
        moved_ns += waited_ns
        if what == _BOUNDARY:
            done_at_boundary_ns = device_done_ns
    new_ns = passed + np.cumsum(added_ns)[:-1]
    return Layout(instants_ns, new_ns, device_start_ns)


def _happenings(
    instants_ns: IntColumn, times_ns: IntColumn, what: int
) -> Iterator[tuple[int, int, int]]:
    """``(index of the instant, what, index of the time)`` for each time."""
    for index, at in enumerate(np.searchsorted(instants_ns, times_ns).tolist()):
        yield at, what, index


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
            **_moved_times(events, layout),
            # Each operator gets a number that its kernels name as what launched them.
            "external_id": np.arange(1, len(events) + 1),
            "correlation_id": nothing,
            "price": np.where(events["price"] == UNPRICED, UNPRICED, _NO_PRICE).astype(np.int32),
            "predicted_ns": nothing,
            "launch_ns": np.zeros(len(events), np.int64),
        }
    )


def _moved_times(events: Table, layout: Layout) -> dict[str, IntColumn]:
    start_ns = layout.moved(events["start_ns"])
    end_ns = layout.moved(events["start_ns"] + events["duration_ns"])
    return {"start_ns": start_ns, "duration_ns": end_ns - start_ns}


def _move_steps(profile: Profile, layout: Layout) -> None:
    profile.steps = Table(
        {name: layout.moved(profile.steps[name]) for name in ("start_ns", "end_ns")}
    )
    before_ns = profile.manifest.step_before_ns
    if before_ns is not None:
        profile.manifest.step_before_ns = int(layout.moved(np.array([before_ns]))[0])


def _device_rows(profile: Profile, kernels: IntColumn, layout: Layout) -> Table:
    """One row of the device for each kernel, or each operator's part of one, in order of start."""
    events, prices = profile.events, profile.prices
    count = len(kernels)
    price = events["price"][kernels]
    is_alone = prices["parts"][price] == 1
    columns = {
        "track": np.full(count, len(profile.tracks)),
        "category": np.full(count, Category.DEVICE),
        # A kernel of a backward pass that was recorded in pieces has a name of its own.
        "name": np.where(is_alone, prices["operator"][price], events["name"][kernels]),
        "start_ns": layout.device_start_ns,
        "duration_ns": events["predicted_ns"][kernels],
        "forward_thread": np.zeros(count),
        "external_id": kernels + 1,
        "entry": np.zeros(count),
        "price": price,
        "predicted_ns": events["predicted_ns"][kernels],
        "launch_ns": events["launch_ns"][kernels],
    }
    return Table.of({**EVENT_COLUMNS, **PREDICTION_COLUMNS}, columns)


def _describe(profile: Profile) -> None:
    """Say in the manifest what the profile now is."""
    manifest, pricing = profile.manifest, profile.manifest.pricing
    if pricing is None:
        raise ValueError("only a priced profile has predictions to lay out")
    stream = Track("device", f"{pricing.label}, predicted", pricing.chip, "predicted")
    profile.tracks = [*profile.tracks, stream]
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
            f"device, which the host is a step ahead of at most; {rest}.",
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
