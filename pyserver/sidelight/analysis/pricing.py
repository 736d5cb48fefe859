"""What a profile's operators would cost on a NeuronCore: a price for each, kept with the events."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.kernel_prices import PricedKernel, price_kernels
from sidelight.analysis.kernels import KernelWalk, find_kernels
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.predictions import UNPRICED
from sidelight.analysis.price_table import PriceTable
from sidelight.analysis.pricing_notes import note_pricing
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.hardware.setup import Setup
from sidelight.profile.manifest import FitError, Pricing, PricingParameter
from sidelight.profile.model import Profile
from sidelight.profile.tables import DEVICE_TIME_LEVELS

_LONGEST_NS = 1 << 53
"""No kernel takes 104 days; a trace that claims so gives sizes that are no sizes."""

_LARGEST_SUM = 1 << 62
"""What sums over any part of a profile stay below, with room to spare in 64 bits."""


def price(
    profile: Profile, request: PricingRequest, fit_errors: Sequence[FitError] = ()
) -> KernelWalk:
    """Price an attributed profile: its events get prices, its manifest what they are for.

    Args:
        profile: An attributed profile; its ``events``, ``prices`` and manifest are replaced.
        request: What to price it for.
        fit_errors: How well the request's parameters meet this profile's own device times.

    Returns:
        The kernels that were found.

    Raises:
        HardwareError: There is no such chip, or it has no such configuration.
    """
    setup = request.setup()
    walk = find_kernels(profile, setup)
    priced, absurd = _within_limits(price_kernels(walk.kernels, setup))
    without_sizes = [*walk.without_sizes, *absurd]
    device_rows = _device_rows(profile)
    accounted_by = walk.covered_by[profile.events["operator"][device_rows]]
    unexplained = device_rows[accounted_by < 0]
    _write_prices(profile, priced, [*without_sizes, *walk.generated_code, *unexplained.tolist()])
    profile.manifest.pricing = pricing = _described(request, setup, fit_errors)
    note_pricing(
        profile,
        walk,
        pricing,
        without_sizes=without_sizes,
        unexplained=unexplained,
        launching=set(accounted_by.tolist()),
    )
    return walk


def _within_limits(priced: Sequence[PricedKernel]) -> tuple[list[PricedKernel], list[int]]:
    """The kernels whose sums the tables hold, and the events of the others."""
    kept: list[PricedKernel] = []
    absurd: list[int] = []
    time_ns = flops = hbm_bytes = 0
    for kernel in priced:
        prediction = kernel.price.prediction
        with_it = (
            time_ns + prediction.duration_ns,
            flops + prediction.flops,
            hbm_bytes + prediction.hbm_bytes,
        )
        if prediction.duration_ns < _LONGEST_NS and max(with_it) < _LARGEST_SUM:
            time_ns, flops, hbm_bytes = with_it
            kept.append(kernel)
        else:
            absurd += [part.row for part in kernel.kernels]
    return kept, absurd


def _device_rows(profile: Profile) -> IntColumn:
    """Rows of a device's measured time, in recorded steps."""
    events = profile.events
    is_device = np.isin(events["category"], DEVICE_TIME_LEVELS) & (events["device_ns"] > 0)
    return np.flatnonzero(counted_rows(events) & is_device & (events["step"] >= 0))


def _write_prices(
    profile: Profile, priced: Sequence[PricedKernel], unpriced: Sequence[int]
) -> None:
    events = profile.events
    price_of = np.full(len(events), -1, np.int32)
    price_of[list(unpriced)] = UNPRICED
    predicted_ns = np.full(len(events), -1, np.int64)
    launch_ns = np.zeros(len(events), np.int64)
    table = PriceTable(profile.strings)
    for kernel in priced:
        index = table.index(kernel.price)
        for part, part_ns in zip(kernel.kernels, kernel.part_ns, strict=True):
            price_of[part.row] = index
            predicted_ns[part.row] = part_ns
        launch_ns[kernel.kernels[0].row] = kernel.price.launch_ns
    profile.prices, profile.strings = table.table(), table.strings
    profile.events = events.with_columns(
        {"price": price_of, "predicted_ns": predicted_ns, "launch_ns": launch_ns}
    )


def _described(request: PricingRequest, setup: Setup, fit_errors: Sequence[FitError]) -> Pricing:
    return Pricing(
        chip=setup.core.chip,
        lnc=setup.core.lnc,
        label=setup.core.label,
        auto_cast=setup.auto_cast,
        calibration=request.calibration,
        measured_on=request.measured_on,
        hbm_bytes=setup.core.hbm_bytes,
        errors=list(fit_errors),
        parameters=[
            PricingParameter(each.name, each.value, each.unit, each.source)
            for each in setup.parameters.described()
        ],
    )
