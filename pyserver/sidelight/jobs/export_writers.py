"""What writes each format, given what analysis knows. Brings numpy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, Final

import numpy as np

from sidelight.analysis.launching import launching_rows
from sidelight.export.chrome_trace import write_chrome_trace
from sidelight.export.csv_rows import write_csv
from sidelight.export.perfetto.trace import write_perfetto_trace
from sidelight.export.source import Indexes, Progress, Source, Written
from sidelight.jobs.report_sections import write_report
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

Writer = Callable[[IO[bytes], Source, Progress], Written]

WRITERS: Final[Mapping[str, Writer]] = {
    "perfetto": write_perfetto_trace,
    "chrome": write_chrome_trace,
    "csv": write_csv,
    "html": write_report,
}
"""The writer of each format."""


def launching_events(profile: Profile) -> Indexes:
    """The row that launched each event's work on the device, -1 for none.

    Args:
        profile: An attributed profile.
    """
    category = profile.events["category"]
    is_device = np.isin(category, (Category.DEVICE, Category.DEVICE_COARSE))
    return launching_rows(profile, is_device)
