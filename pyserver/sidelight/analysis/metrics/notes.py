"""What the data-quality report says of a profile's headline figures."""

from __future__ import annotations

from sidelight.analysis.metrics.impossible import notes_on_speed
from sidelight.analysis.metrics.rows import figures_of_rows
from sidelight.analysis.metrics.vendor import notes_on_figures
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote


def notes_on_metrics(profile: Profile) -> list[QualityNote]:
    """Notes on figures that contradict one another, or that no chip reaches.

    Args:
        profile: Any profile; one without figures and without the work of engines has none.
    """
    of_vendor = profile.manifest.vendor_metrics
    if not of_vendor and not len(profile.work):
        return []
    of_rows = figures_of_rows(profile)
    return [*notes_on_figures(of_vendor, of_rows), *notes_on_speed(profile, of_rows)]
