"""Whether a profile knows a device's work, or only what the host did."""

from __future__ import annotations

import numpy as np

from sidelight.profile.model import Profile
from sidelight.profile.tables import DEVICE_TIME_LEVELS


def has_device_rows(profile: Profile) -> bool:
    """Whether any row counts as the time of a device, rather than of the CPU."""
    events = profile.events
    is_device = np.isin(events["category"], DEVICE_TIME_LEVELS)
    return bool((is_device & (events["duration_ns"] > 0)).any())
