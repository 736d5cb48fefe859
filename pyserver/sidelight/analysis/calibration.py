"""Fit the predictor to what a device was measured to take, and say how well it fits.

Each kernel's measured time is taken to be its fixed cost and the slowest engine's time, divided by
the part of that engine's rate that it reached. Two kinds of numbers are fitted: that part, for each
engine and dtype, and the fixed cost. Both by weighted medians, so that a few odd kernels do not
bend them. What ran in a compiled graph is left out: which operators shared a kernel there is not
known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.kernels import Kernel, KernelWalk, find_kernels
from sidelight.hardware.engine_times import efficiency_key
from sidelight.hardware.parameters import Parameters
from sidelight.hardware.prediction import Prediction, eager_fixed_ns, predict
from sidelight.hardware.roofline import Bound
from sidelight.hardware.setup import Setup
from sidelight.profile.errors import SidelightError
from sidelight.profile.manifest import FitError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

_ROUNDS = 8
"""The slowest engine depends on the fit, and the fit on it; it settles in a few rounds."""

_LEAST_EFFICIENCY, _MOST_EFFICIENCY = 0.01, 4.0
_LEAST_KERNELS = 3
"""So few kernels say nothing about a rate."""


class NothingMeasuredError(SidelightError):
    """There are no measured times to fit to."""


@dataclass(frozen=True)
class MeasuredKernel:
    """A kernel, and what the device took for it.

    Attributes:
        kernel: The operator.
        measured_ns: Device time of the rows it launched.
    """

    kernel: Kernel
    measured_ns: int


@dataclass(frozen=True)
class Fit:
    """A fit, and how well it meets the measurements.

    Attributes:
        parameters: What to predict with.
        errors: How far that is from the measurements, by operator.
    """

    parameters: Parameters
    errors: list[FitError]


def calibrate(profile: Profile, setup: Setup) -> Fit:
    """Fit the predictor to the device times of a profile.

    Args:
        profile: An attributed profile with rows of a device.
        setup: What to predict for; its parameters are where the fit starts.

    Raises:
        NothingMeasuredError: It has no device time that an operator with a price launched.
    """
    measured = measured_kernels(profile, find_kernels(profile, setup))
    if not measured:
        raise NothingMeasuredError(
            "nothing_measured",
            f"{profile.manifest.name} has no measured device time to fit to. A calibration needs "
            "a trace with device rows and shapes, recorded on the chip.",
        )
    parameters = fit(measured, setup)
    errors = errors_by_operator(measured, replace(setup, parameters=parameters))
    return Fit(parameters, errors)


def measured_kernels(profile: Profile, walk: KernelWalk) -> list[MeasuredKernel]:
    """The eager kernels whose device time was measured, in recorded steps.

    Rows of a driver or runtime are no measure of a kernel: they span from its dispatch on.

    Args:
        profile: An attributed profile.
        walk: Its kernels.
    """
    events = profile.events
    is_measured = counted_rows(events) & (events["category"] == Category.DEVICE)
    rows = np.flatnonzero(is_measured & (events["step"] >= 0))
    measured_ns = np.zeros(len(events), np.int64)
    kernel_of = walk.covered_by[events["operator"][rows]]
    explained = kernel_of >= 0
    np.add.at(measured_ns, kernel_of[explained], events["device_ns"][rows[explained]])
    return [
        MeasuredKernel(kernel, time_ns)
        for kernel in walk.kernels
        if (time_ns := int(measured_ns[kernel.row])) and kernel.region < 0
    ]


def fit(measured: Sequence[MeasuredKernel], setup: Setup) -> Parameters:
    """The parameters that predict the measured kernels best.

    Args:
        measured: Kernels and their measured times.
        setup: What to predict for; its parameters are where the fit starts.
    """
    parameters = setup.parameters
    for _ in range(_ROUNDS):
        current = replace(setup, parameters=parameters)
        predictions = [_predict(each, current) for each in measured]
        fitted = _fit_efficiency(measured, predictions, current)
        fitted = _fit_start(measured, predictions, replace(current, parameters=fitted))
        if fitted == parameters:
            break
        parameters = fitted
    return parameters


def errors_by_operator(measured: Sequence[MeasuredKernel], setup: Setup) -> list[FitError]:
    """How far predictions are from measurements, by operator, those with most time first."""
    ratios: defaultdict[str, list[float]] = defaultdict(list)
    time_ns: defaultdict[str, int] = defaultdict(int)
    for each in measured:
        name = each.kernel.operation.call.name
        ratios[name].append(_predict(each, setup).duration_ns / each.measured_ns)
        time_ns[name] += each.measured_ns
    return [
        FitError(
            operator=name,
            kernels=len(ratios[name]),
            measured_ns=time_ns[name],
            median_ratio=float(np.median(ratios[name])),
            p90_error=float(np.quantile(np.abs(np.array(ratios[name]) - 1), 0.9)),
        )
        for name in sorted(ratios, key=lambda name: -time_ns[name])
    ]


def _predict(measured: MeasuredKernel, setup: Setup) -> Prediction:
    work = measured.kernel.operation.work
    return predict(work, setup, fixed_ns=eager_fixed_ns(setup))


def _fit_efficiency(
    measured: Sequence[MeasuredKernel], predictions: Sequence[Prediction], setup: Setup
) -> Parameters:
    """For each engine and dtype, the part of its rate that its kernels reached."""
    reached: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for each, prediction in zip(measured, predictions, strict=True):
        work = each.kernel.operation.work
        key = efficiency_key(prediction.engine, work)
        at_work_ns = each.measured_ns - prediction.fixed_ns
        if prediction.bound is Bound.OVERHEAD or at_work_ns <= 0:
            continue
        known = setup.parameters.efficiency.get(key, 1.0)
        full_rate_ns = prediction.engines_ns[prediction.engine] * known
        reached[key].append((full_rate_ns / at_work_ns, each.measured_ns))
    fitted = {
        key: min(max(_weighted_median(values), _LEAST_EFFICIENCY), _MOST_EFFICIENCY)
        for key, values in reached.items()
        if len(values) >= _LEAST_KERNELS
    }
    return setup.parameters.with_efficiency({**setup.parameters.efficiency, **fitted})


def _fit_start(
    measured: Sequence[MeasuredKernel], predictions: Sequence[Prediction], setup: Setup
) -> Parameters:
    """The cost of starting a kernel, from those that do little else."""
    left = [
        (each.measured_ns - (prediction.duration_ns - prediction.fixed_ns), 1.0)
        for each, prediction in zip(measured, predictions, strict=True)
        if prediction.bound is Bound.OVERHEAD
    ]
    if len(left) < _LEAST_KERNELS:
        return setup.parameters
    start_ns = round(_weighted_median(left)) - 2 * setup.parameters.dma_latency_ns
    return replace(setup.parameters, kernel_start_ns=max(start_ns, 0))


def _weighted_median(values: Sequence[tuple[float, float]]) -> float:
    ordered = sorted(values)
    half = sum(weight for _, weight in ordered) / 2
    passed = 0.0
    for value, weight in ordered:
        passed += weight
        if passed >= half:
            return value
    return ordered[-1][0]
