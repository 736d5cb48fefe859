"""The options that say what to predict device times for."""

from __future__ import annotations

import argparse
from typing import Final

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.cli.arguments import Parser, WrongUsageError
from sidelight.hardware.chips import CHIP_NAMES, DEFAULT_CHIP, HardwareError
from sidelight.hardware.cores import logical_core
from sidelight.hardware.prediction import AUTO_CASTS, DEFAULT_AUTO_CAST

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


def pricing_request(options: argparse.Namespace, *, always: bool = False) -> PricingRequest | None:
    """What the options ask for; None where they ask for no prediction.

    Args:
        options: The parsed command line.
        always: Predict for the usual chip where none is named.

    Raises:
        WrongUsageError: The chip has no such configuration, or there is a detail and no chip.
    """
    if options.device is None and not always:
        if options.lnc is not None or options.auto_cast is not None:
            raise WrongUsageError(
                "usage", "`--lnc` and `--auto-cast` are about a chip. Name it with `--device`."
            )
        return None
    chip = options.device or DEFAULT_CHIP
    try:
        logical_core(chip, options.lnc)
    except HardwareError as error:
        raise WrongUsageError("no_such_lnc", str(error)) from error
    return PricingRequest(chip, options.lnc, options.auto_cast or DEFAULT_AUTO_CAST)
