"""A profile's numbers as people read them: means per recorded step, the same on every screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sidelight.analysis.annotations import Annotations
from sidelight.profile import units
from sidelight.profile.manifest import Attribution, TimeKind

ATTRIBUTIONS: Mapping[Attribution, str] = {
    "exact": "attributed exactly",
    "apportioned": "apportioned: one execution is split over several lines",
    "mixed": "apportioned in part: some executions are split over several lines",
}
"""How device time is known to belong to a line, in words."""


@dataclass(frozen=True)
class Figures:
    """Writes sums over a profile's recorded steps.

    Attributes:
        steps: How many steps the sums are over.
        device_time_ns: What shares are of.
        kind: How times are known that have no kind of their own.
    """

    steps: int
    device_time_ns: int
    kind: TimeKind

    @classmethod
    def of(cls, annotations: Annotations) -> Figures:
        """Those of a profile."""
        return cls(annotations.steps, annotations.device_time_ns, annotations.time_kind)

    def time(self, total_ns: int, kind: TimeKind | None = None) -> str:
        """A time such as ``6.67 ms`` a step; ``≈`` stands before what is not all measured."""
        predicted = (kind or self.kind) != "measured"
        return units.duration(total_ns / max(self.steps, 1), predicted=predicted)

    def share(self, part_ns: int) -> str:
        """Its part of the device time, such as ``24.2 %``."""
        return units.share(part_ns, self.device_time_ns).replace("%", " %")

    def share_of_one(self, part_ns: int) -> float:
        """Its part of the device time, 0 to 1."""
        return part_ns / self.device_time_ns if self.device_time_ns else 0.0

    def count(self, total: int) -> str:
        """How often something happens in a step, such as ``12×``."""
        return f"{units.mean_count(total, self.steps)}×"
