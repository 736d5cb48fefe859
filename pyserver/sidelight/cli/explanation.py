"""What the predicted times of a line rest on, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from sidelight.analysis.annotations import KernelDetail
from sidelight.analysis.kernel_text import (
    kernel_time,
    kernel_work,
    launch_text,
    pricing_text,
    roofline_text,
)
from sidelight.analysis.line_roofline import line_roofline
from sidelight.cli.paragraphs import print_facts, print_paragraph
from sidelight.cli.printable import printable
from sidelight.profile import units
from sidelight.profile.manifest import Pricing, PricingParameter


def render_explanation(
    console: Console,
    place: str,
    source: str,
    kernels: Sequence[KernelDetail],
    pricing: Pricing,
    steps: int,
    *,
    is_priced: bool,
) -> None:
    """Print a line's predicted kernels, and what all predictions reckon with.

    Args:
        console: Where to; its width is respected.
        place: The line, as people call it.
        source: Its text.
        kernels: Its kernels, over all recorded steps.
        pricing: What they are predicted for.
        steps: How many steps those are.
        is_priced: Whether it could be priced; where not, it has no kernels.
    """
    print_paragraph(console, printable(f"{place}  {source.strip()}"), "bold")
    print_paragraph(console, f"Predicted for {printable(pricing_text(pricing))}")
    if not is_priced:
        print_paragraph(console, "What the line asks of the device is not in the recording.")
    elif not kernels:
        print_paragraph(console, "The line has no operator that runs on the device.")
    else:
        if roofline := line_roofline(kernels, pricing):
            print_paragraph(console, printable(roofline_text(roofline, steps)))
        if launch := launch_text(kernels):
            print_paragraph(console, launch)
    for kernel in kernels:
        time = units.duration(kernel.total_ns / max(steps, 1), predicted=True)
        count = units.mean_count(kernel.count, steps)
        direction = ", backward" if kernel.backward else ""
        inputs = f"({', '.join(kernel.shapes)})" if kernel.shapes else ""
        console.print()
        head = f"{time} a step, {count}×  {kernel.name}{inputs}{direction}"
        print_paragraph(console, printable(head), mark="·")
        for text in (kernel.rule, kernel_work(kernel), kernel_time(kernel)):
            print_paragraph(console, printable(text), "dim", mark=" ")
    console.print()
    print_paragraph(console, "Reckoned with, beside the chip's figures (`sidelight hardware`):")
    print_facts(console, [(printable(each.name), _parameter(each)) for each in pricing.parameters])


def _parameter(parameter: PricingParameter) -> str:
    if parameter.unit == "ns":
        value = units.duration(parameter.value, predicted=True)
    else:
        value = f"{parameter.value:g} {parameter.unit}".strip()
    return printable(f"{value}  ({parameter.source})")
