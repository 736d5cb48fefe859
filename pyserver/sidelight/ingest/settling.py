"""Leaves out rows whose times mean nothing, and brings together what is far apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sidelight.ingest.stretches import Stretches
from sidelight.ingest.time_faults import TimeFaults
from sidelight.ingest.time_policy import APART_NS, Mask, goes_on_too_long, good_times
from sidelight.profile.tables import Column

Part = dict[str, Column]
"""Columns of one length."""


def settle(
    rows: Sequence[Part],
    instants: Sequence[Part],
    on_device: Callable[[Part], Mask],
    faults: TimeFaults,
) -> list[Mask]:
    """Apply the policies for times to the rows of one recording, in place.

    Args:
        rows: Parts of the rows, with ``start_ns`` and ``duration_ns``.
        instants: Parts of what else there is by the same clock; of each, ``at_ns`` is moved.
        on_device: Tells which of a part's rows are a device's.
        faults: Counts what was found.

    Returns:
        Which rows are left, part by part.
    """
    left = [np.ones(len(part["start_ns"]), np.bool_) for part in rows]
    for part, mask in zip(rows, left, strict=True):
        faults.left_out += _keep(part, mask, good_times(part["start_ns"], part["duration_ns"]))
    some = [part["start_ns"] for part in rows if len(part["start_ns"])]
    first_ns = min((int(starts.min()) for starts in some), default=0)
    last_ns = max((int(starts.max()) for starts in some), default=0)
    stretches = Stretches(np.concatenate(some)) if last_ns - first_ns > APART_NS else None
    for part, mask in zip(rows, left, strict=True):
        if stretches is not None:
            stray = stretches.stray(part["start_ns"])
            other_unit = stretches.other_unit(part["start_ns"])
            faults.stray += int(stray.sum())
            faults.other_unit += int(other_unit.sum())
            _keep(part, mask, ~stray & ~other_unit)
        end_ns = part["start_ns"] + part["duration_ns"]
        after_ns = end_ns - last_ns if stretches is None else stretches.after_last_ns(end_ns)
        faults.left_out += _keep(part, mask, ~goes_on_too_long(after_ns, on_device(part)))
    if stretches is not None and stretches.jumps:
        faults.jumps += stretches.jumps
        _close_up(rows, instants, stretches)
    return left


def _close_up(rows: Sequence[Part], instants: Sequence[Part], stretches: Stretches) -> None:
    starts_ns = np.concatenate([part["start_ns"] for part in rows])
    durations_ns = np.concatenate([part["duration_ns"] for part in rows])
    stretches.close_up(starts_ns, starts_ns + durations_ns)
    for part in rows:
        start_ns, duration_ns = part["start_ns"], part["duration_ns"]
        part["start_ns"] = stretches.moved(start_ns)
        # What was open while the clock was set lasts as long as what is left of it.
        part["duration_ns"] = stretches.moved(start_ns + duration_ns) - part["start_ns"]
    for part in instants:
        part["at_ns"] = stretches.moved(part["at_ns"])


def _keep(part: Part, left: Mask, good: Mask) -> int:
    """Leave the other rows out of a part, and tell how many those are."""
    count = int(np.count_nonzero(~good))
    if count:
        left[left] = good
        part.update({name: column[good] for name, column in part.items()})
    return count
