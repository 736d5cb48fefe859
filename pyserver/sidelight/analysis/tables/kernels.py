"""The table of kernels: what ran on the device, by its own name."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.grouping import Groups
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.predictions import PricedRows, is_priced
from sidelight.analysis.tables.main_lines import MAIN_LINE_COLUMNS, main_lines, no_line
from sidelight.analysis.tables.table import (
    MEAN,
    SELF,
    SHARE,
    Row,
    by_device_time,
    count,
    mean,
    number,
    share,
    step_sum,
    text,
)
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

_UNKNOWN: Final = -1

KERNEL_COLUMNS: Final = (
    text("name", "kernel", "What the device calls it."),
    text("operator", "operator", "The operator that most of its time counts under."),
    text("engine", "engine", "What of a NeuronCore it ran on; unknown of other devices."),
    SELF,
    count("How often it ran."),
    MEAN,
    number("least_ns", "least", "ns", "The shortest that it ran."),
    number("most_ns", "most", "ns", "The longest that it ran."),
    SHARE,
    step_sum("flops", "FLOPs", "FLOP", "Floating-point operations, all of them."),
    step_sum("hbm_bytes", "HBM bytes", "bytes", "What moves between HBM and the core."),
    *MAIN_LINE_COLUMNS,
)


def kernel_rows(profile: Profile, device_ns: int) -> list[Row]:
    """Every kernel, instruction or transfer that is device time.

    Args:
        profile: An attributed profile; where the CPU is the device there are no kernels.
        device_ns: Its device time.
    """
    events = profile.events
    counted = counted_rows(events) & (events["step"] >= 0)
    rows = np.flatnonzero(counted & (events["category"] != Category.OPERATOR))
    engines = [track.engine or "" for track in profile.tracks]
    names = list(dict.fromkeys(engines))
    engine_of_track = np.array([names.index(engine) for engine in engines] or [0], np.int64)
    engine = engine_of_track[events["track"][rows]]
    groups = Groups([events["name"][rows], engine])
    flops, hbm_bytes = _work(profile, rows)
    ran_ns = events["duration_ns"][rows]
    columns = (
        groups.sum(events["device_ns"][rows]),
        groups.sum(np.ones(len(rows), np.int64)),
        groups.least(ran_ns),
        groups.most(ran_ns),
        *(
            groups.sum(values)
            for amount in (flops, hbm_bytes)
            for values in (np.maximum(amount, 0), (amount >= 0).astype(np.int64))
        ),
    )
    operators = _main_operators(profile, rows, engine)
    name_of: IntColumn = events["name"].astype(np.int64)
    line_of = main_lines(profile, name_of * len(names) + engine_of_track[events["track"]])
    found: list[Row] = []
    for name, of_engine, *numbers in zip(
        *(column.tolist() for column in (*groups.keys, *columns)), strict=True
    ):
        self_ns, times, least_ns, most_ns, flop_count, has_flops, moved, has_moved = numbers
        found.append(
            {
                "name": profile.strings[name],
                "operator": operators[name, of_engine],
                "engine": names[of_engine] or None,
                "self_ns": self_ns,
                "count": times,
                "mean_ns": mean(self_ns, times),
                "least_ns": least_ns,
                "most_ns": most_ns,
                "share": share(self_ns, device_ns),
                "flops": flop_count if has_flops else None,
                "hbm_bytes": moved if has_moved else None,
                **line_of.get(name * len(names) + of_engine, no_line()),
            }
        )
    return by_device_time(found)


def _work(profile: Profile, rows: IntColumn) -> tuple[IntColumn, IntColumn]:
    """FLOPs and bytes of rows, as their own prices or the file tells; ``_UNKNOWN`` for none."""
    flops, hbm_bytes = (np.full(len(profile.events), _UNKNOWN, np.int64) for _ in range(2))
    if is_priced(profile.events) and profile.manifest.time_kind == "predicted":
        found = PricedRows(profile)
        flops[found.rows] = found.part_of("flops")
        hbm_bytes[found.rows] = found.part_of("hbm_bytes")
    work = profile.work
    if len(work):
        flops[work["event"]] = work["flops"]
        read_bytes, write_bytes = work["hbm_read_bytes"], work["hbm_write_bytes"]
        moved = np.maximum(read_bytes, 0) + np.maximum(write_bytes, 0)
        is_known = (read_bytes >= 0) | (write_bytes >= 0)
        hbm_bytes[work["event"]] = np.where(is_known, moved, _UNKNOWN)
    return flops[rows], hbm_bytes[rows]


def _main_operators(
    profile: Profile, rows: IntColumn, engine: IntColumn
) -> dict[tuple[int, int], str | None]:
    """By name and engine, the operator with most of the time; None where rows name none."""
    events = profile.events
    operator = events["operator"][rows]
    named = np.where(operator != rows, events["name"][operator], _UNKNOWN)
    groups = Groups([named, events["name"][rows], engine])
    longest: dict[tuple[int, int], tuple[int, str | None]] = {}
    sums = groups.sum(events["device_ns"][rows])
    found: list[tuple[int, ...]] = list(
        zip(*(column.tolist() for column in (*groups.keys, sums)), strict=True)
    )
    for of_operator, name, of_engine, device_ns in found:
        text_of_it = profile.strings[of_operator] if of_operator >= 0 else None
        before = longest.get((name, of_engine))
        if before is None or device_ns > before[0]:
            longest[name, of_engine] = (device_ns, text_of_it)
    return {key: text_of_it for key, (_, text_of_it) in longest.items()}
