"""A profile's numbers as people read them: means per recorded step, the same on every screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sidelight.analysis.annotations import Annotations
from sidelight.analysis.headline import provenance
from sidelight.analysis.report import LineStats
from sidelight.profile import units
from sidelight.profile.manifest import Attribution, TimeKind

ATTRIBUTIONS: Mapping[Attribution, str] = {
    "exact": "attributed exactly",
    "apportioned": "apportioned: one execution is split over several lines",
    "mixed": "apportioned in part: some executions are split over several lines",
}
"""How device time is known to belong to a line, in words."""


def known_text(annotations: Annotations, kind: TimeKind) -> str:
    """How device times are known, such as ``predicted for trn2, LNC 2``."""
    pricing = annotations.pricing
    if kind == "measured" or pricing is None:
        return provenance(annotations.device, kind)
    return provenance(pricing.label, kind)


@dataclass(frozen=True)
class Figures:
    """Writes sums over a profile's recorded steps.

    Attributes:
        steps: How many steps the sums are over.
        device_time_ns: What shares are of.
        kind: How times are known that have no kind of their own.
        chip: What times are predicted for; empty where none are.
    """

    steps: int
    device_time_ns: int
    kind: TimeKind
    chip: str

    @classmethod
    def of(cls, annotations: Annotations) -> Figures:
        """Those of a profile."""
        return cls(
            annotations.steps,
            annotations.device_time_ns,
            annotations.time_kind,
            annotations.pricing.chip if annotations.pricing else "",
        )

    def time(self, total_ns: int, kind: TimeKind | None = None) -> str:
        """A time such as ``6.67 ms`` a step; ``≈`` stands before what is not all measured."""
        predicted = (kind or self.kind) != "measured"
        return units.duration(total_ns / max(self.steps, 1), predicted=predicted)

    def predicted_beside(self, stats: LineStats) -> str:
        """What is predicted of a line whose own time is measured; empty where nothing is."""
        if stats.predicted_ns is None or stats.time_kind != "measured":
            return ""
        return self.time(stats.predicted_ns, "predicted")

    def share(self, part_ns: int) -> str:
        """Its part of the device time, such as ``24.2 %``."""
        return units.share(part_ns, self.device_time_ns).replace("%", " %")

    def share_of_one(self, part_ns: int) -> float:
        """Its part of the device time, 0 to 1."""
        return part_ns / self.device_time_ns if self.device_time_ns else 0.0

    def count(self, total: int) -> str:
        """How often something happens in a step, such as ``12×``."""
        return f"{units.mean_count(total, self.steps)}×"
