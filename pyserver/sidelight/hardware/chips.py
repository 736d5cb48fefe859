"""The chips and their figures, each with its source.

``figures.json`` holds them as AWS's pages print them, in the pages' own units. A figure that starts
with ``chip_`` is of a whole chip, one that starts with ``core_`` of one physical NeuronCore. Where
pages disagree, the file holds every figure, and why one of them is used.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

CHIP_NAMES: tuple[str, ...] = ("trn1", "trn2", "trn3", "inf2")
"""The chips, as the command line calls them."""

DEFAULT_CHIP = "trn2"

_FIGURES_FILE = Path(__file__).with_name("figures.json")

_BASE_UNITS = {
    "TFLOP/s": 1e12,
    "TB/s": 1e12,
    "GB/s": 1e9,
    "GHz": 1e9,
    "GiB": 2.0**30,
    "MiB": 2.0**20,
}


class HardwareError(ValueError):
    """What was asked for is no chip, or the chip does not have it: one plain sentence or two."""


@dataclass(frozen=True)
class Figure:
    """One figure of a chip.

    Attributes:
        name: What it is of; ``chip_`` or ``core_`` comes first.
        value: In its unit.
        unit: As AWS's pages print it: ``TFLOP/s``, ``TB/s``, ``GB/s``, ``GHz``, ``GiB``, ``MiB``,
            or what is counted.
        source: The page that prints it; what else there is to say follows after a colon, which is
            ``derived`` where the figure was worked out from what the page prints.
        why: Why this figure is used; empty where there is nothing to choose.
        others: What else is printed, in the same unit, each with its source.
    """

    name: str
    value: float
    unit: str
    source: str
    why: str
    others: tuple[tuple[float, str], ...]

    @property
    def base_value(self) -> float:
        """The figure in FLOP/s, bytes, bytes/s or Hz; a count stays as it is."""
        return self.value * _BASE_UNITS.get(self.unit, 1.0)


@dataclass(frozen=True)
class Chip:
    """A chip.

    Attributes:
        name: As the command line calls it.
        title: As people call it.
        physical_cores: NeuronCores on it.
        lnc_choices: How many physical cores may make one logical core. Trainium1 and Inferentia2
            know no logical cores: there it is 1 alone.
        default_lnc: What the Neuron runtime takes unless told otherwise.
        figures: All that is known of it and of one of its physical cores.
    """

    name: str
    title: str
    physical_cores: int
    lnc_choices: tuple[int, ...]
    default_lnc: int
    figures: tuple[Figure, ...]

    def figure(self, name: str) -> Figure:
        """The figure of a name.

        Raises:
            HardwareError: The chip has no such figure.
        """
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise HardwareError(f"Nothing is known about {name} of {self.name}.")


@cache
def chip(name: str) -> Chip:
    """The chip that the command line calls ``name``.

    Raises:
        HardwareError: There is no such chip.
    """
    if name not in CHIP_NAMES:
        known = ", ".join(CHIP_NAMES[:-1])
        raise HardwareError(
            f"{name} is no chip that Sidelight knows. Choose {known} or {CHIP_NAMES[-1]}."
        )
    data = json.loads(_FIGURES_FILE.read_text(encoding="utf-8"))
    entry = data["chips"][name]
    figures = [*entry["figures"], *data["cores"][entry["core"]]]
    return Chip(
        name=name,
        title=entry["title"],
        physical_cores=entry["physical_cores"],
        lnc_choices=tuple(entry["lnc_choices"]),
        default_lnc=entry["default_lnc"],
        figures=tuple(
            _figure(figure_name, figure, data["sources"])
            for figure in figures
            for figure_name in figure["names"]
        ),
    )


def _figure(name: str, entry: dict[str, Any], sources: dict[str, str]) -> Figure:
    return Figure(
        name=name,
        value=entry["value"],
        unit=entry["unit"],
        source=_source(entry, sources),
        why=entry.get("why", ""),
        others=tuple(
            (other["value"], _source(other, sources)) for other in entry.get("others", ())
        ),
    )


def _source(entry: dict[str, Any], sources: dict[str, str]) -> str:
    """The page, and where the entry says more than its figure, that too."""
    page = sources[entry["source"]]
    return f"{page}: {entry['note']}" if "note" in entry else page
