"""Why the device had nothing to do, gap by gap.

A gap is the host's where the work that ends it was launched after the gap had begun. What the
launching thread was in meanwhile tells the cause, in this order: compiling, fetching a batch,
waiting for the device; else the host was late, on the line that it was in. From the launch on it
still is the launch that came late.

Where a wait had the host stand still until the device was done, the host lost the time of the wait
before that: it could have launched as much earlier. So as much of the lateness that follows, and no
more, is the wait's.

A gap that was over before its work was launched cannot be: where it had been launched already, or
no launch is known, a core's own rows tell whether it waited for a transfer or a collective. Else
the cause is unknown.

Where the CPU is the device, nobody waits for anybody: the one that would launch is the one that
computes. What lies between two operators is the program itself then, but for batches that it
fetched, compiling and collectives.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sidelight.analysis.chosen_rows import rows_of_engine
from sidelight.analysis.device_kinds import DeviceKind, device_kinds
from sidelight.analysis.idle.causes import CAUSES
from sidelight.analysis.idle.gaps import IdleGaps, breaks_between
from sidelight.analysis.idle.host_rows import compiler_rows, loader_rows, waiting_rows
from sidelight.analysis.idle.launches import Launches
from sidelight.analysis.idle.stretches import Stretches, joined
from sidelight.analysis.idle.threads import NOTHING, HostThreads, Regions
from sidelight.analysis.intervals import Intervals, distinct
from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

HOST_LATE = CAUSES.index("host_late")
_SYNCHRONIZE = CAUSES.index("synchronize")
_DATA_LOADER = CAUSES.index("data_loader")
_COMPILATION = CAUSES.index("compilation")
_DMA_WAIT = CAUSES.index("dma_wait")
_COLLECTIVE_WAIT = CAUSES.index("collective_wait")
_BETWEEN_OPERATORS = CAUSES.index("between_operators")
UNKNOWN = CAUSES.index("unknown")


def classify(profile: Profile, gaps: IdleGaps, launches: Launches) -> Stretches:
    """Cut gaps into stretches, each with the cause that is behind it.

    Args:
        profile: An attributed profile.
        gaps: Its gaps.
        launches: The launches of what ends them.

    Returns:
        In order of time. Together they are the gaps without what lies between steps, exactly.
    """
    found = joined(
        [
            _of_host(profile, gaps, launches),
            _of_device(profile, gaps, np.flatnonzero(~launches.is_late)),
        ]
    )
    if profile.manifest.device != "cpu":
        return found
    takes_two = np.isin(found.cause, (HOST_LATE, _SYNCHRONIZE, UNKNOWN))
    return replace(found, cause=np.where(takes_two, _BETWEEN_OPERATORS, found.cause)).merged()


def _of_host(profile: Profile, gaps: IdleGaps, launches: Launches) -> Stretches:
    """The stretches of gaps that ended with a late launch."""
    events, host = profile.events, HostThreads(profile)
    loading = Regions(profile, loader_rows(profile))
    compiling = Regions(profile, compiler_rows(profile))
    waiting = Regions(profile, waiting_rows(profile))
    launch, late = launches.row, np.flatnonzero(launches.is_late)
    bounds = [each.bounds_ns() for each in (host, loading, compiling, waiting)]
    cut = _cut(profile, gaps, late, [*bounds, launches.over_ns[late]])

    thread = host.busy_thread(events["track"][launch[cut.gap]].astype(np.int64), cut.start_ns)
    is_launched = cut.start_ns >= launches.over_ns[cut.gap]
    cause, witness = cut.cause, cut.witness
    for regions, number in (
        (waiting, _SYNCHRONIZE),
        (loading, _DATA_LOADER),
        (compiling, _COMPILATION),
    ):
        region = np.where(is_launched, NOTHING, regions.at(thread, cut.start_ns))
        cause = np.where(region >= 0, number, cause)
        witness = np.where(region >= 0, region, witness)
    row = np.where(is_launched, launch[cut.gap], host.innermost(thread, cut.start_ns))
    row = np.where(witness >= 0, witness, row)
    stack = np.where(row >= 0, events["stack"][row], -1).astype(np.int64)
    found = replace(cut, cause=cause, stack=stack, witness=witness).merged()
    first = host.busy_thread(events["track"][launch].astype(np.int64), gaps.start_ns)
    wait = waiting.at(first, gaps.start_ns, until_end=True)
    return _charge_waits(profile, gaps, found, wait)


def _charge_waits(profile: Profile, gaps: IdleGaps, found: Stretches, wait: IntColumn) -> Stretches:
    """Give to waits as much of the lateness behind them as the host had stood still for.

    Args:
        profile: Its events.
        gaps: Its gaps.
        found: Stretches of gaps, in order of time.
        wait: The wait in which each gap began, -1 for none.
    """
    events = profile.events
    lost_ns = np.where(wait >= 0, gaps.start_ns - events["start_ns"][wait], 0)[found.gap]
    is_late = found.cause == HOST_LATE
    late_ns = np.where(is_late, found.duration_ns, 0)
    late_before_ns = np.concatenate((np.zeros(1, np.int64), np.cumsum(late_ns)[:-1]))[: len(found)]
    is_first = np.ones(len(found), np.bool_)
    is_first[1:] = found.gap[1:] != found.gap[:-1]
    first_of_gap = np.maximum.accumulate(np.where(is_first, np.arange(len(found)), 0))
    late_before_ns = late_before_ns - late_before_ns[first_of_gap]
    charged_ns = np.minimum(np.maximum(lost_ns - late_before_ns, 0), late_ns)
    parted_ns = found.start_ns + charged_ns
    waits = wait[found.gap]
    of_waits = replace(
        found,
        end_ns=parted_ns,
        cause=np.full(len(found), _SYNCHRONIZE),
        stack=np.where(waits >= 0, events["stack"][waits], -1).astype(np.int64),
        witness=waits,
    ).chosen(charged_ns > 0)
    rest = replace(found, start_ns=parted_ns).chosen(found.end_ns > parted_ns)
    return joined([of_waits, rest]).merged()


def _of_device(profile: Profile, gaps: IdleGaps, others: IntColumn) -> Stretches:
    """The stretches of gaps that no launch explains."""
    kinds = device_kinds(profile)
    exchanging = _unseen_collectives(profile)
    cut = _cut(profile, gaps, others, [exchanging.start_ns, exchanging.end_ns])
    awaited = _awaited_rows(profile, gaps)[cut.gap]
    cause = np.full(len(cut), UNKNOWN)
    of = np.where(awaited >= 0, kinds[awaited], DeviceKind.NONE)
    cause[of == DeviceKind.DMA] = _DMA_WAIT
    cause[(of == DeviceKind.COLLECTIVE) | exchanging.hold(cut.start_ns)] = _COLLECTIVE_WAIT
    stack = profile.events["stack"][gaps.row[cut.gap]].astype(np.int64)
    witness = np.where(cause == UNKNOWN, NOTHING, awaited)
    return replace(cut, cause=cause, stack=stack, witness=witness).merged()


def _unseen_collectives(profile: Profile) -> Intervals:
    """When the cores that carry out collectives are on with one, waits included."""
    events = profile.events
    rows = (events["category"] == Category.OTHER) & rows_of_engine(profile, "collective")
    return Intervals.of_rows(events, rows)


def _awaited_rows(profile: Profile, gaps: IdleGaps) -> IntColumn:
    """What the work that ends each gap could not start before, as the file has it; -1 for nothing.

    Of several, what ended last.
    """
    flows, events = profile.flows, profile.events
    awaited = np.full(len(events), NOTHING, np.int64)
    is_end = np.zeros(len(events), np.bool_)
    is_end[gaps.row] = True
    source, target = (flows[name][is_end[flows["target"]]] for name in ("source", "target"))
    by_end = np.argsort(events["start_ns"][source] + events["duration_ns"][source], kind="stable")
    awaited[target[by_end]] = source[by_end]
    return awaited[gaps.row]


def _cut(
    profile: Profile, gaps: IdleGaps, chosen: IntColumn, bounds_ns: list[IntColumn]
) -> Stretches:
    """Cut gaps at instants, and leave out what lies between steps.

    Args:
        profile: Its steps.
        gaps: All gaps.
        chosen: Those to be cut, ascending.
        bounds_ns: Instants, of which those outside the gaps do not matter.
    """
    starts_ns, ends_ns = gaps.start_ns[chosen], gaps.end_ns[chosen]
    breaks = breaks_between(profile.steps)
    inner_ns = np.concatenate([*bounds_ns, breaks.start_ns, breaks.end_ns])
    inner_ns = inner_ns[_within(inner_ns, starts_ns, ends_ns)]
    time_ns = distinct(np.concatenate((starts_ns, ends_ns, inner_ns)))
    begin_ns, end_ns = time_ns[:-1], time_ns[1:]
    kept = _within(begin_ns, starts_ns, ends_ns) & ~breaks.hold(begin_ns)
    begin_ns, end_ns = begin_ns[kept], end_ns[kept]
    gap = chosen[np.searchsorted(starts_ns, begin_ns, side="right") - 1]
    none = np.full(len(gap), NOTHING)
    return Stretches(gap, begin_ns, end_ns, np.full(len(gap), HOST_LATE), none, none)


def _within(time_ns: IntColumn, starts_ns: IntColumn, ends_ns: IntColumn) -> Mask:
    """Which instants are in any of some stretches, which are in order of time."""
    if not len(starts_ns):
        return np.zeros(len(time_ns), np.bool_)
    index = np.searchsorted(starts_ns, time_ns, side="right") - 1
    return (index >= 0) & (time_ns < ends_ns[np.maximum(index, 0)])
