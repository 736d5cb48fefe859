"""``sidelight hardware``: what the predictions know of the chips."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from sidelight.cli.arguments import Parser, Verb, WrongUsageError
from sidelight.cli.output import Output
from sidelight.hardware.chips import CHIP_NAMES, Chip, HardwareError, chip
from sidelight.hardware.cores import LogicalCore, logical_core
from sidelight.hardware.roofline import ridge_point


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument(
        "--device", choices=CHIP_NAMES, help="every figure of this chip, with its source"
    )
    parser.add_argument(
        "--lnc",
        type=int,
        choices=(1, 2),
        help="how many physical cores make a logical core (default: as the chip comes; with "
        "--device, every number it can have)",
    )


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the figures: of one chip with their sources, or a table of all chips.

    Returns:
        0.

    Raises:
        WrongUsageError: The chip does not have the configuration asked for.
    """
    try:
        asked = [chip(options.device)] if options.device else _chips_with(options.lnc)
        cores = {each.name: _cores(each, options.lnc) for each in asked}
    except HardwareError as error:
        raise WrongUsageError("no_such_lnc", str(error)) from error
    if output.json:
        output.document({"chips": [_entry(each, cores[each.name]) for each in asked]})
        return 0
    from sidelight.cli.chip_tables import render_chip, render_chips

    if options.device:
        (only,) = asked
        output.show(lambda console: render_chip(console, only, cores[only.name]))
        return 0
    defaults = [logical_core(each.name, options.lnc) for each in asked]
    output.show(lambda console: render_chips(console, defaults))
    return 0


def _chips_with(lnc: int | None) -> list[Chip]:
    """Every chip, or those that have a configuration."""
    every = [chip(name) for name in CHIP_NAMES]
    return [each for each in every if lnc is None or lnc in each.lnc_choices]


def _cores(whole: Chip, lnc: int | None) -> list[LogicalCore]:
    choices = whole.lnc_choices if lnc is None else (lnc,)
    return [logical_core(whole.name, choice) for choice in choices]


def _entry(whole: Chip, cores: list[LogicalCore]) -> dict[str, object]:
    return {
        "name": whole.name,
        "title": whole.title,
        "physical_cores": whole.physical_cores,
        "lnc_choices": whole.lnc_choices,
        "default_lnc": whole.default_lnc,
        "figures": [
            {
                **asdict(figure),
                "others": [{"value": value, "source": source} for value, source in figure.others],
            }
            for figure in whole.figures
        ],
        "logical_cores": [
            {
                **asdict(core),
                "physical_cores": core.physical_cores,
                "ridge_points_flop_per_byte": {
                    dtype: ridge_point(core, dtype) for dtype in core.tensor_flops_per_s
                },
            }
            for core in cores
        ],
    }


VERB = Verb(
    "hardware",
    "Show the chips' figures that predictions are made with, and where each comes from.",
    add_arguments,
    run,
)
