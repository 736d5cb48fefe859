"""What heat and power limits took from a core's throughput."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from sidelight.analysis.nesting import IntColumn
from sidelight.profile.model import Profile

_LIMIT: Final = "utilisation limit"
"""How readers begin the name of the series that says what part of its throughput a core has."""

_ALL_KINDS: Final = "all"


@dataclass(frozen=True)
class LostTime:
    """What limits took.

    Attributes:
        lost_ns: Time in which a physical core could do nothing, were the limits of each instant
            made whole ones: of all cores together.
        physical_cores: Of how many the limits are known.
    """

    lost_ns: float
    physical_cores: int


def lost_time(profile: Profile) -> LostTime | None:
    """What limits took until the last row ends; None where they are not known.

    Where several limits hold at once, the lowest counts. Before a core's first is told, there is
    none.

    Args:
        profile: Any profile.
    """
    series, samples = profile.manifest.series, profile.samples
    of_core: dict[str, list[int]] = {}
    for number, each in enumerate(series):
        if each.name.startswith(_LIMIT):
            of_core.setdefault(each.owner, []).append(number)
    if of_core and len(samples):
        events = profile.events
        end_ns = int((events["start_ns"] + events["duration_ns"]).max(initial=0))
        lost_ns = sum(_lost_ns(profile, numbers, end_ns) for numbers in of_core.values())
        return LostTime(lost_ns, len(of_core))
    return _summed_up(profile)


def _lost_ns(profile: Profile, series: list[int], end_ns: int) -> float:
    """The integral of one less the lowest limit."""
    samples = profile.samples
    changes: IntColumn = samples["at_ns"][np.isin(samples["series"], series)]
    instants = np.unique(np.append(changes[changes < end_ns], end_ns))
    lowest = np.ones(len(instants))
    for number in series:
        rows = np.flatnonzero(samples["series"] == number)
        index = np.searchsorted(samples["at_ns"][rows], instants, side="right") - 1
        limit = np.append(samples["value"][rows], 1.0)[index]
        lowest = np.fmin(lowest, np.where(index >= 0, limit, 1.0))  # what is no number is no limit
    lost = np.maximum(1 - np.maximum(lowest[:-1], 0), 0) * np.diff(instants)
    return float(lost.sum())


def _summed_up(profile: Profile) -> LostTime | None:
    """By the profile's own summary of each core: of everything together, else the largest."""
    core = profile.manifest.core
    of_all: dict[int, float] = {}
    largest: dict[int, float] = {}
    for each in core.throttling if core else []:
        if each.active_ns is None or each.allowed_fraction is None:
            continue
        lost_ns = each.active_ns * (1 - each.allowed_fraction)
        if each.kind.casefold() == _ALL_KINDS:
            of_all[each.core] = lost_ns
        else:
            # Kinds may overlap in time: what one of them took is sure.
            largest[each.core] = max(largest.get(each.core, 0.0), lost_ns)
    sums = {**largest, **of_all}
    return LostTime(sum(sums.values()), len(sums)) if sums else None
