"""Which host row launched each row of device work."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sidelight.analysis.chosen_rows import rows_on_host
from sidelight.analysis.nesting import IntColumn, Mask, operator_rows
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category


def launching_rows(profile: Profile, is_device: Mask) -> npt.NDArray[np.int32]:
    """Find the host row that launched each device row.

    The correlation id names the call of the runtime, which lies in the launching row. Where there
    is no such call, the External id names the innermost record function open at the launch; where
    there is, it is not needed, and older traces write other numbers into it. Where calls of a
    runtime stand for the device's own work, each is its own launch.

    Args:
        profile: Its events.
        is_device: The rows of devices.

    Returns:
        Index of a host row for each event, -1 for none.
    """
    events = profile.events
    category = events["category"]
    device_rows = np.flatnonzero(is_device)
    is_launching = operator_rows(events)
    is_launching |= np.isin(category, (Category.LINE, Category.ANNOTATION))
    is_launching &= rows_on_host(profile)
    external_id, correlation_id = events["external_id"], events["correlation_id"]
    by_external = rows_with_id(
        external_id[device_rows], external_id, np.flatnonzero(is_launching & (external_id > 0))
    )
    is_call = np.isin(category, (Category.RUNTIME, Category.DEVICE_RUNTIME))
    by_correlation = rows_with_id(
        correlation_id[device_rows], correlation_id, np.flatnonzero(is_call & (correlation_id > 0))
    )
    owner = np.full(len(events), -1, np.int32)
    owner[device_rows] = np.where(by_correlation >= 0, by_correlation, by_external)
    device_calls = np.flatnonzero(category == Category.DEVICE_RUNTIME)
    owner[device_calls] = device_calls
    return owner


def rows_with_id(wanted: IntColumn, ids: IntColumn, rows: IntColumn) -> IntColumn:
    """For each wanted id, the last of ``rows`` that has it, -1 for none."""
    if not len(rows):
        return np.full(len(wanted), -1, np.int64)
    rows = rows[np.argsort(ids[rows], kind="stable")]
    position = np.searchsorted(ids[rows], wanted, side="right") - 1
    found = (position >= 0) & (ids[rows[position]] == wanted)
    return np.where(found, rows[position], -1)
