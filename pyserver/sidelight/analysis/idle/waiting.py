"""When the device only moved or exchanged data, and nothing computed: its rows alone tell."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.device_kinds import DeviceKind, device_kinds
from sidelight.analysis.idle.causes import CAUSES
from sidelight.analysis.idle.stretches import Stretches, joined
from sidelight.analysis.intervals import Intervals
from sidelight.analysis.nesting import IntColumn
from sidelight.profile.model import Profile


def waiting_stretches(profile: Profile, busy: Intervals) -> Stretches:
    """The stretches of busy time in which only collectives, or only transfers, ran.

    A stretch is that of the work that starts to compute where it ends; where none does, that of
    the collective or transfer itself. Where a collective moves its data by DMA, it is a
    collective's. What of an execution no engine's row tells counts as computing.

    Args:
        profile: An attributed profile.
        busy: When it was busy within recorded steps.

    Returns:
        In order of time; their witnesses are rows that ran in them.
    """
    events, kinds = profile.events, device_kinds(profile)
    kinds[events["step"] < 0] = DeviceKind.NONE
    computing = Intervals.of_rows(events, kinds == DeviceKind.COMPUTE)
    exchanging = Intervals.of_rows(events, kinds == DeviceKind.COLLECTIVE).minus(computing)
    moving = Intervals.of_rows(events, kinds == DeviceKind.DMA).minus(computing).minus(exchanging)
    compute_rows = np.flatnonzero(kinds == DeviceKind.COMPUTE)
    found = [
        _stretches(profile, busy.common(alone), cause, np.flatnonzero(kinds == kind), compute_rows)
        for alone, cause, kind in (
            (exchanging, "collective_wait", DeviceKind.COLLECTIVE),
            (moving, "dma_wait", DeviceKind.DMA),
        )
    ]
    return joined(found)


def _stretches(
    profile: Profile, alone: Intervals, cause: str, rows: IntColumn, compute_rows: IntColumn
) -> Stretches:
    witness = _last_at_or_before(profile, rows, alone.start_ns)
    following = _one_starting_at(profile, compute_rows, alone.end_ns)
    behind = np.where(following >= 0, following, witness)
    count = len(alone.start_ns)
    stack = np.where(behind >= 0, profile.events["stack"][behind], -1).astype(np.int64)
    number = CAUSES.index(cause)
    return Stretches(
        np.arange(count), alone.start_ns, alone.end_ns, np.full(count, number), stack, witness
    )


def _last_at_or_before(profile: Profile, rows: IntColumn, time_ns: IntColumn) -> IntColumn:
    """Of the rows, the last that starts no later than each instant, -1 for none."""
    if not len(rows):
        return np.full(len(time_ns), -1, np.int64)
    rows = rows[np.argsort(profile.events["start_ns"][rows], kind="stable")]
    index = np.searchsorted(profile.events["start_ns"][rows], time_ns, side="right") - 1
    return np.where(index >= 0, rows[np.maximum(index, 0)], -1)


def _one_starting_at(profile: Profile, rows: IntColumn, time_ns: IntColumn) -> IntColumn:
    """Of the rows, one that starts at each instant, -1 for none."""
    found = _last_at_or_before(profile, rows, time_ns)
    starts = profile.events["start_ns"][found] == time_ns
    return np.where((found >= 0) & starts, found, -1)
