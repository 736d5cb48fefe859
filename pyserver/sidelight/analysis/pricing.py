"""What a profile's operators would cost on a NeuronCore: a price for each, kept with the events."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sidelight.analysis.kernels import Kernel, KernelWalk, find_kernels
from sidelight.analysis.predictions import UNPRICED
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.hardware.fusion import fused_groups, fused_work
from sidelight.hardware.prediction import (
    Prediction,
    Setup,
    eager_fixed_ns,
    predict,
)
from sidelight.hardware.work import Engine
from sidelight.profile.manifest import FitError, Pricing, PricingParameter
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import PRICE_COLUMNS, Table

HOST_TIME_PREDICTED = "host_time_predicted"
PRICING_CODES = frozenset(
    {"priced_by_bytes", "not_priced", "memory_exceeds_capacity", HOST_TIME_PREDICTED}
)
"""Codes of what the data-quality report says of prices: they go when a profile is priced anew."""

_MOST_NAMES = 8
_LONGEST_NS = 1 << 53
"""No kernel takes 104 days; a trace that claims so gives sizes that are no sizes."""


@dataclass(frozen=True)
class PricedKernel:
    """One kernel with its price, and the operators that share it.

    Attributes:
        kernels: The operators: one, or those that a compiler fuses.
        prediction: The kernel's time.
        launch_ns: What submitting it takes.
        part_ns: The part of its time that each operator has; they add up to it.
    """

    kernels: Sequence[Kernel]
    prediction: Prediction
    launch_ns: int
    part_ns: Sequence[int]


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
    priced = price_kernels(walk.kernels, setup)
    _write_prices(profile, priced, walk.without_shapes)
    profile.manifest.pricing = _described(request, setup, fit_errors)
    _note(profile, walk, setup)
    return walk


def price_kernels(kernels: Sequence[Kernel], setup: Setup) -> list[PricedKernel]:
    """Price kernels: each alone, or in the groups that a compiler makes of a compiled region."""
    alone = [
        PricedKernel((kernel,), prediction, setup.parameters.eager_launch_ns, (duration_ns,))
        for kernel in kernels
        if kernel.region < 0
        for prediction in (_alone(kernel, setup),)
        if 0 < (duration_ns := prediction.duration_ns) < _LONGEST_NS
    ]
    regions: defaultdict[tuple[int, bool], list[Kernel]] = defaultdict(list)
    for kernel in kernels:
        if kernel.region >= 0:
            regions[kernel.region, kernel.is_backward].append(kernel)
    return alone + [group for each in regions.values() for group in _price_graph(each, setup)]


def _alone(kernel: Kernel, setup: Setup) -> Prediction:
    work, fixed_ns = kernel.step.work, eager_fixed_ns(setup)
    return predict(work, setup, fixed_ns=fixed_ns, is_known=kernel.is_known)


def _price_graph(kernels: Sequence[Kernel], setup: Setup) -> list[PricedKernel]:
    """Price a compiled graph: it starts once, and its operators share kernels."""
    parameters = setup.parameters
    priced: list[PricedKernel] = []
    for indices in fused_groups([kernel.step for kernel in kernels]):
        group = [kernels[index] for index in indices]
        known = all(kernel.is_known for kernel in group)
        fixed_ns = 2 * parameters.dma_latency_ns + (0 if priced else parameters.kernel_start_ns)
        work = fused_work([kernel.step for kernel in group])
        prediction = predict(work, setup, fixed_ns=fixed_ns, is_known=known)
        if 0 < prediction.duration_ns < _LONGEST_NS:
            weights = [_alone(kernel, setup).duration_ns for kernel in group]
            launch_ns = 0 if priced else parameters.graph_launch_ns
            parts = shares(prediction.duration_ns, weights)
            priced.append(PricedKernel(group, prediction, launch_ns, parts))
    return priced


def shares(total: int, weights: Sequence[int]) -> list[int]:
    """Split a whole number in proportion to weights, by largest remainder: the parts add up."""
    whole = sum(weights)
    if not whole:
        weights, whole = [1] * len(weights), len(weights)
    parts = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: -(total * weights[i] % whole))
    for index in by_remainder[: total - sum(parts)]:
        parts[index] += 1
    return parts


def _write_prices(
    profile: Profile, priced: Sequence[PricedKernel], unpriced: Sequence[int]
) -> None:
    events = profile.events
    price_of = np.full(len(events), -1, np.int32)
    price_of[list(unpriced)] = UNPRICED
    predicted_ns = np.full(len(events), -1, np.int64)
    launch_ns = np.zeros(len(events), np.int64)
    strings = _Strings(profile.strings)
    rows: dict[tuple[int, ...], int] = {}
    for kernel in priced:
        index = rows.setdefault(_price_row(kernel, strings), len(rows))
        for part, part_ns in zip(kernel.kernels, kernel.part_ns, strict=True):
            price_of[part.row] = index
            predicted_ns[part.row] = part_ns
        launch_ns[kernel.kernels[0].row] = kernel.launch_ns
    profile.prices = Table.of(
        PRICE_COLUMNS,
        {name: [row[index] for row in rows] for index, name in enumerate(PRICE_COLUMNS)},
    )
    profile.strings = strings.texts
    profile.events = events.with_columns(
        {"price": price_of, "predicted_ns": predicted_ns, "launch_ns": launch_ns}
    )


def _price_row(kernel: PricedKernel, strings: _Strings) -> tuple[int, ...]:
    """A row of the prices table, in the order of its columns."""
    prediction = kernel.prediction
    return (
        strings.index(prediction.rule),
        strings.index(prediction.engine.value),
        strings.index(prediction.bound.value),
        strings.index(prediction.dtype),
        prediction.flops,
        prediction.hbm_bytes,
        prediction.duration_ns,
        prediction.fixed_ns,
        prediction.roof_ns,
        kernel.launch_ns,
        *(round(prediction.engines_ns[engine]) for engine in Engine),
        len(kernel.kernels),
    )


class _Strings:
    """A profile's string table, added to."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        self._index = {text: index for index, text in enumerate(self.texts)}

    def index(self, text: str) -> int:
        index = self._index.setdefault(text, len(self.texts))
        if index == len(self.texts):
            self.texts.append(text)
        return index


def _described(request: PricingRequest, setup: Setup, fit_errors: Sequence[FitError]) -> Pricing:
    return Pricing(
        chip=setup.core.chip,
        lnc=setup.core.lnc,
        label=setup.core.label,
        auto_cast=setup.auto_cast,
        calibration=request.calibration,
        hbm_bytes=setup.core.hbm_bytes,
        errors=list(fit_errors),
        parameters=[
            PricingParameter(each.name, each.value, each.unit, each.source)
            for each in setup.parameters.described()
        ],
    )


def _note(profile: Profile, walk: KernelWalk, setup: Setup) -> None:
    unknown = Counter(kernel.step.call.name for kernel in walk.kernels if not kernel.is_known)
    if unknown:
        profile.note(
            QualityNote(
                "priced_by_bytes",
                "info",
                "For some operators there is no rule, or the trace lacks what it needs; they are "
                f"priced by the bytes they were given: {_listed(unknown)}.",
                unknown.total(),
            )
        )
    missing = Counter(
        profile.strings[int(profile.events["name"][row])] for row in walk.without_shapes
    )
    if missing:
        profile.note(
            QualityNote(
                "not_priced",
                "warning",
                f"The shapes of some operators are not in the recording, so that they have no "
                f"price: {_listed(missing)}. Record with record_shapes=True to see them.",
                missing.total(),
            )
        )
    memory = profile.manifest.memory
    if memory and memory.peak_bytes > setup.core.hbm_bytes:
        profile.note(
            QualityNote(
                "memory_exceeds_capacity",
                "warning",
                f"It does not fit: the program holds {_gib(memory.peak_bytes)} at its peak, and "
                f"one logical core ({setup.core.label}) has {_gib(setup.core.hbm_bytes)} of HBM. "
                "Use a smaller batch or model, fewer bits, or more cores.",
            )
        )


def _listed(names: Counter[str]) -> str:
    listed = ", ".join(name for name, _ in names.most_common(_MOST_NAMES))
    more = len(names) - _MOST_NAMES
    return f"{listed} and {more} more" if more > 0 else listed


def _gib(size_bytes: int) -> str:
    return f"{size_bytes / 2**30:.1f} GiB"
