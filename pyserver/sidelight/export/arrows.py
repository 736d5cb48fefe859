"""Arrows from event to event: what launched what, and what waited for what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sidelight.export.source import Indexes, Source

LAUNCHES = "launches"


@dataclass(frozen=True)
class Arrows:
    """Arrows whose both ends are exported.

    Attributes:
        source: The event each leads from.
        target: The event it leads to, which does not begin before that.
        kind: Index into ``kinds``.
        kinds: What arrows say.
    """

    source: Indexes
    target: Indexes
    kind: Indexes
    kinds: list[str]


def arrows_of(source: Source) -> Arrows:
    """The arrows of what is exported: from launches to the device's work, and the file's own.

    Clocks that were joined by a guess may have an effect before its cause: trace formats draw no
    arrow back in time, so those are left out.
    """
    profile, events = source.profile, source.profile.events
    launched = np.flatnonzero(source.launched_by >= 0)
    launched = launched[source.launched_by[launched] != launched]
    flows = profile.flows
    kinds, kind = np.unique(flows["kind"], return_inverse=True)
    origin = np.concatenate((source.launched_by[launched], flows["source"])).astype(np.int64)
    target = np.concatenate((launched, flows["target"])).astype(np.int64)
    of_kind = np.concatenate((np.zeros(len(launched), np.int64), kind + 1))
    kept = source.in_time[origin] & source.in_time[target]
    kept &= events["start_ns"][origin] <= events["start_ns"][target]
    strings = profile.strings
    texts = [strings[each] if each >= 0 else "" for each in map(int, kinds)]
    return Arrows(origin[kept], target[kept], of_kind[kept], [LAUNCHES, *texts])
