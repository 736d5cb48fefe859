"""The options that say what to predict device times for."""

from __future__ import annotations

import argparse
from typing import Final

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.cli.arguments import Parser, WrongUsageError
from sidelight.hardware.chips import CHIP_NAMES, DEFAULT_CHIP, HardwareError
from sidelight.hardware.cores import logical_core
from sidelight.hardware.parameters import Parameters
from sidelight.hardware.setup import AUTO_CASTS, DEFAULT_AUTO_CAST
from sidelight.profile.calibrations import (
    Calibration,
    is_calibration_name,
    load_calibration,
)
from sidelight.profile.store import Store

_LNC_CHOICES: Final = (1, 2)


def add_pricing_arguments(parser: Parser, *, device_help: str) -> None:
    """Declare ``--device``, ``--lnc`` and ``--auto-cast``.

    Args:
        parser: The verb's parser.
        device_help: What the verb does with the chip.
    """
    parser.add_argument("--device", choices=CHIP_NAMES, help=device_help)
    parser.add_argument(
        "--lnc",
        choices=_LNC_CHOICES,
        type=int,
        help="physical cores that make one logical core of it (the chip's own default)",
    )
    parser.add_argument(
        "--auto-cast",
        choices=AUTO_CASTS,
        help="which float32 operators the compiler is taken to run in bfloat16 (default: "
        f"{DEFAULT_AUTO_CAST}, as neuronx-cc does)",
    )
    parser.add_argument(
        "--calibration",
        metavar="NAME",
        type=calibration_name,
        help="predict with the fit to measured times that `sidelight open` kept under this name",
    )


def pricing_request(
    options: argparse.Namespace, store: Store, *, always: bool = False
) -> PricingRequest | None:
    """What the options ask for; None where they ask for no prediction.

    Args:
        options: The parsed command line.
        store: Where calibrations are kept.
        always: Predict for the usual chip where none is named.

    Raises:
        StoreError: There is no such calibration.
        WrongUsageError: The chip has no such configuration, or there is a detail and no chip.
    """
    calibration = load_calibration(store, options.calibration) if options.calibration else None
    chip = options.device or (calibration.chip if calibration else None)
    if chip is None and not always:
        if options.lnc is not None or options.auto_cast is not None or _fit_as(options):
            raise WrongUsageError(
                "usage",
                "`--lnc`, `--auto-cast` and `--calibrate` are about a chip. Name it with "
                "`--device`.",
            )
        return None
    chip = chip or DEFAULT_CHIP
    lnc = options.lnc if calibration is None else options.lnc or calibration.lnc
    parameters = _parameters(calibration, chip)
    try:
        logical_core(chip, lnc)
    except HardwareError as error:
        raise WrongUsageError("no_such_lnc", str(error)) from error
    return PricingRequest(
        chip,
        lnc,
        options.auto_cast or (calibration.auto_cast if calibration else DEFAULT_AUTO_CAST),
        parameters,
        calibration.name if calibration else None,
        calibration.measured_on if calibration else None,
        _fit_as(options),
    )


def _parameters(calibration: Calibration | None, chip: str) -> Parameters:
    if calibration is None:
        return Parameters()
    if calibration.chip != chip:
        raise WrongUsageError(
            "other_chip",
            f"The calibration {calibration.name} is of {calibration.chip}, not of {chip}. Fit one "
            f"to times that were measured on {chip}.",
        )
    return Parameters(
        kernel_start_ns=calibration.kernel_start_ns, efficiency=calibration.efficiency
    )


def _fit_as(options: argparse.Namespace) -> str | None:
    return getattr(options, "calibrate", None)


def calibration_name(text: str) -> str:
    """The type of an argument that names a calibration."""
    if not is_calibration_name(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} names no calibration: it takes letters, digits, dots, dashes, underscores"
        )
    return text
