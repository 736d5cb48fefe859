"""The figures that a profile's own rows give."""

from __future__ import annotations

from sidelight.analysis.metrics.core_time import core_time
from sidelight.analysis.metrics.core_work import core_work
from sidelight.analysis.metrics.figures import Figures
from sidelight.profile.model import Profile


def figures_of_rows(profile: Profile) -> Figures:
    """What the rows of engines give; names without a value are not in it.

    Args:
        profile: Any profile.
    """
    found: dict[str, float | None] = dict(core_time(profile))
    found.update(core_work(profile, found["total_time"]))
    if not profile.manifest.vendor_metrics.get("model_flops"):
        # Where the compiler did not count the model's products, those of instructions stand in.
        found["mfu_estimated_percent"] = found["mfu_inst_estimated_percent"]
    return {name: value for name, value in found.items() if value is not None}
