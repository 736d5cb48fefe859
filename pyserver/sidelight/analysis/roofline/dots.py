"""Dots of a roofline chart: device time and the work behind it, by whose they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec
import numpy as np

from sidelight.analysis.grouping import Groups, grouped_sums
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.parts import parts_in_pieces
from sidelight.analysis.roofline.position import RoofPosition, roof_position
from sidelight.analysis.roofline.roofs import CoreRoofs
from sidelight.analysis.roofline.work import WorkParts
from sidelight.analysis.roofline.work_sum import WorkSum
from sidelight.hardware.roofline import Bound
from sidelight.profile.manifest import Attribution, TimeKind
from sidelight.profile.model import Profile
from sidelight.profile.tables import Column

KeyOf = Callable[[IntColumn, IntColumn], IntColumn]
"""From events, and the calling contexts of their parts, to whose they are."""


class RooflineDot(RoofPosition, frozen=True, kw_only=True):
    """An operator, line or module under the roofline, over the recorded steps.

    Attributes:
        name: What it is.
        file: Where it is, of an operator most of it; None where it is no place in the source.
        line: 1-based; None likewise.
        device_ns: Device time of the work that is known: the dot's area.
        time_kind: Whether that is measured or predicted.
        time_ns: What the work is held against the roof with: ``device_ns``, but where that was
            measured on another device than the roof is of, the predicted time.
        rate_kind: Whether ``time_ns`` is measured or predicted.
        predicted_ns: Predicted device time; None where it is not predicted.
        attribution: Whether any of it is a part of what several share.
        dtype: What the roof is of: that of most of the FLOPs.
        flops: Useful floating-point operations; None where they are not known.
        hbm_bytes: What moves between HBM and the core; None likewise.
        bound: ``overhead`` where starting and ending kernels is over half of its predicted time,
            else what bounds most of the rest; of an engine's work the roof that is nearer. None
            where that is not known.
    """

    name: str
    file: str | None
    line: int | None
    device_ns: int
    time_kind: TimeKind
    time_ns: int
    rate_kind: TimeKind
    predicted_ns: int | None
    attribution: Attribution
    dtype: str | None
    flops: int | None
    hbm_bytes: int | None
    bound: str | None

    @property
    def is_on_chart(self) -> bool:
        """Whether it has a place on logarithmic axes."""
        return bool(self.intensity and self.achieved_flops_per_s)


def sum_work(profile: Profile, work: WorkParts, key_of: KeyOf) -> dict[int, WorkSum]:
    """Sum work by key."""
    groups = Groups([work.bound, work.dtype, key_of(work.row, work.stack)])
    one = np.ones(len(work.row), np.int64)
    columns: list[Column] = [
        *groups.keys,
        groups.sum(np.maximum(work.flops, 0)),
        groups.sum((work.flops >= 0).astype(np.int64)),
        groups.sum(np.maximum(work.hbm_bytes, 0)),
        groups.sum((work.hbm_bytes >= 0).astype(np.int64)),
        groups.sum(work.predicted_ns),
        groups.sum(work.fixed_ns),
        groups.sum(work.link_ns),
        groups.sum(work.is_apportioned.astype(np.int64)),
        groups.sum(one),
    ]
    sums: dict[int, WorkSum] = {}
    for row in zip(*(column.tolist() for column in columns), strict=True):
        bound, dtype, key, flops, flops_known, moved, moved_known = row[:7]
        predicted_ns, fixed_ns, link_ns, apportioned, parts = row[7:]
        found = sums.setdefault(key, WorkSum())
        if flops_known:
            found.flops = (found.flops or 0) + flops
        if moved_known:
            found.hbm_bytes = (found.hbm_bytes or 0) + moved
        found.parts = (found.parts[0] + apportioned, found.parts[1] + parts)
        if dtype >= 0:
            found.add_predicted(
                profile.strings[int(dtype)],
                profile.strings[int(bound)],
                flops,
                predicted_ns,
                fixed_ns=fixed_ns,
                link_ns=link_ns,
            )
    return sums


def device_time_by_key(
    profile: Profile, rows: IntColumn, key_of: KeyOf
) -> Iterator[tuple[int, int, int, int]]:
    """Device time by key.

    Args:
        profile: An attributed profile.
        rows: The events that count, ascending.
        key_of: Whose they are.

    Returns:
        Each key with its device time in nanoseconds, how many of its parts are of a row that is
        divided, and how many it has.
    """
    (keys,), columns = grouped_sums(
        (
            [key_of(parts.row, parts.stack)],
            [parts.device_ns, parts.is_divided.astype(np.int64), np.ones_like(parts.row)],
        )
        for parts in parts_in_pieces(profile, rows)
    )
    yield from zip(*(column.tolist() for column in (keys, *columns)), strict=True)


_NEURON: Final = "neuron"


def dot(
    profile: Profile,
    roofs: CoreRoofs,
    work: WorkSum,
    name: str,
    place: tuple[str, int] | None,
    device_ns: int,
    divided: tuple[int, int] = (0, 0),
) -> RooflineDot:
    """Place a sum of work under the roof.

    Args:
        profile: Whose it is.
        roofs: The profile's.
        work: The work.
        name: What it is of.
        place: Where that is, if it is a place in the source.
        device_ns: Its device time.
        divided: How many parts of that are of rows divided over lines, and how many there are.
    """
    manifest = profile.manifest
    predicted_ns = work.predicted_ns if work.dtype is not None else None
    is_elsewhere = manifest.time_kind == "measured" and manifest.device != _NEURON
    by_prediction = predicted_ns is not None and is_elsewhere
    time_ns = predicted_ns if by_prediction and predicted_ns is not None else device_ns
    position = roof_position(
        roofs.peak(work.dtype),
        flops=work.flops,
        hbm_bytes=work.hbm_bytes,
        time_ns=time_ns,
        link_ns=work.link_ns,
    )
    bound = work.bound
    if bound is None and position.intensity is not None and position.ridge_point is not None:
        is_compute = position.intensity >= position.ridge_point
        bound = Bound.COMPUTE.value if is_compute else Bound.MEMORY.value
    return RooflineDot(
        **msgspec.structs.asdict(position),
        name=name,
        file=place[0] if place else None,
        line=place[1] if place else None,
        device_ns=device_ns,
        time_kind=manifest.time_kind,
        time_ns=time_ns,
        rate_kind="predicted" if by_prediction else manifest.time_kind,
        predicted_ns=predicted_ns,
        attribution=_attribution(work.parts, divided),
        dtype=work.dtype,
        flops=work.flops,
        hbm_bytes=work.hbm_bytes,
        bound=bound,
    )


def _attribution(work: tuple[int, int], time: tuple[int, int]) -> Attribution:
    shared, parts = work[0] + time[0], work[1] + time[1]
    if not shared:
        return "exact"
    return "apportioned" if shared == parts else "mixed"
