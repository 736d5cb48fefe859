"""What to price a profile for. Cheap to import: no numpy in here."""

from __future__ import annotations

from dataclasses import dataclass, field

from sidelight.hardware.chips import DEFAULT_CHIP
from sidelight.hardware.cores import logical_core
from sidelight.hardware.parameters import Parameters
from sidelight.hardware.setup import DEFAULT_AUTO_CAST, Setup


@dataclass(frozen=True)
class PricingRequest:
    """What to price a profile for.

    Attributes:
        chip: The chip, such as ``trn2``.
        lnc: Physical cores in a logical core; None for the chip's default.
        auto_cast: What of fp32 runs as bf16: ``all``, ``matmult`` or ``none``.
        parameters: What else to reckon with.
        calibration: The name of the fit that they come from.
        measured_on: The device that it was fitted to.
        fit_as: Fit them to the device times that the profile itself has, and keep that under this
            name.
    """

    chip: str = DEFAULT_CHIP
    lnc: int | None = None
    auto_cast: str = DEFAULT_AUTO_CAST
    parameters: Parameters = field(default_factory=Parameters)
    calibration: str | None = None
    measured_on: str | None = None
    fit_as: str | None = None

    def setup(self) -> Setup:
        """The same, as the predictor wants it.

        Raises:
            HardwareError: There is no such chip, or it has no such configuration.
        """
        return Setup(logical_core(self.chip, self.lnc), self.auto_cast, self.parameters)
