"""How long a core took and what of it was busy, from the rows of its engines.

The formulas are those of AWS's page on the profile schema, table Summary (AWS Neuron SDK
documentation, SDK 2.32.0, aws-neuron-sdk 81ce03a, profile-schema-reference.rst). An engine of a
logical core of two physical cores is active while either's is, as in the profiler's own figures.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.analysis.intervals import Intervals
from sidelight.analysis.metrics.figures import ENGINES, Figures
from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.manifest import TrackEngine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

_SECOND_NS = 1e9
_MATMUL = "MATMUL"

_TRACK_ENGINES: Final[tuple[TrackEngine, ...]] = (*ENGINES, "dma", "collective")


def core_time(profile: Profile) -> Figures:
    """Times in seconds, their parts of the whole, and counts of instructions.

    Waits for semaphores are no activity, but count as instructions. A kind of rows that the profile
    has none of (transfers, collectives, instructions) gives None: it need not have been recorded.

    Args:
        profile: Any profile; one without rows of engines knows no more than its total time.
    """
    events = profile.events
    engine = _engines(profile)
    is_work = events["category"] == Category.ENGINE_WORK
    total_ns = _total_ns(profile, is_work)
    found: dict[str, float | None] = {"total_time": _seconds(total_ns)}

    def add_activity(name: str, rows: Mask) -> None:
        active_ns = Intervals.of_rows(events, rows).total_ns
        found[f"{name}_active_time"] = _seconds(active_ns)
        found[f"{name}_active_time_percent"] = active_ns / total_ns if total_ns else None

    if is_work.any():
        add_activity("total", is_work)
    if (is_work & (engine >= 0) & (engine < len(ENGINES))).any():
        for number, name in enumerate(ENGINES):
            is_of_engine = engine == number
            add_activity(f"{name}_engine", is_work & is_of_engine)
            found.update(_instructions(profile, name, is_of_engine, is_work))
    for number, name in enumerate(("dma", "cc_op"), len(ENGINES)):
        if (is_work & (engine == number)).any():
            add_activity(name, is_work & (engine == number))
    return found


def cores_of(profile: Profile) -> int:
    """How many logical cores have rows of engines."""
    events = profile.events
    tracks = np.unique(events["track"][events["category"] == Category.ENGINE_WORK])
    numbers: list[int] = tracks.tolist()
    return len({profile.tracks[number].pid for number in numbers})


def _engines(profile: Profile) -> IntColumn:
    """Which of the engines each event is of, by number; -1 for none."""
    numbers = [
        _TRACK_ENGINES.index(track.engine) if track.engine else -1 for track in profile.tracks
    ]
    return np.array([*numbers, -1])[profile.events["track"]]


def _total_ns(profile: Profile, is_work: Mask) -> int | None:
    """From the hardware's start to its end, idle time included; else from first row to last."""
    core, events = profile.manifest.core, profile.events
    if core and core.first_ns is not None and core.last_ns is not None:
        return max(core.last_ns - core.first_ns, 0) or None
    start_ns = events["start_ns"][is_work]
    end_ns = start_ns + events["duration_ns"][is_work]
    return int(end_ns.max() - start_ns.min()) or None if len(start_ns) else None


def _instructions(
    profile: Profile, name: str, is_of_engine: Mask, is_work: Mask
) -> dict[str, float]:
    events = profile.events
    is_instruction = is_of_engine & (is_work | (events["category"] == Category.OTHER))
    time_ns = int(events["duration_ns"][is_of_engine & is_work].sum())
    counts: dict[str, float] = {
        f"{name}_engine_instruction_count": int(is_instruction.sum()),
        f"{name}_engine_instruction_time": time_ns / _SECOND_NS,
    }
    if name == "tensor":
        is_product = np.array([text == _MATMUL for text in profile.strings], np.bool_)
        rows = events["name"][is_of_engine & is_work]
        counts["matmul_instruction_count"] = int(is_product[rows].sum())
    return counts


def _seconds(duration_ns: int | None) -> float | None:
    return None if duration_ns is None else duration_ns / _SECOND_NS
