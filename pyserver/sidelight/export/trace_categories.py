"""What trace formats call the categories of events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sidelight.profile.tables import Category

_CATEGORIES: Final[Mapping[Category, str]] = {
    Category.OPERATOR: "cpu_op",
    Category.LINE: "python_function",
    Category.ANNOTATION: "user_annotation",
    Category.STEP: "user_annotation",
    Category.FUNCTION: "python_function",
    Category.RUNTIME: "runtime",
    Category.DEVICE: "kernel",
    Category.DEVICE_COARSE: "privateuse1_driver",
    Category.OTHER: "other",
    Category.DEVICE_RUNTIME: "privateuse1_runtime",
    Category.HOST_OPERATOR: "cpu_op",
    Category.ENGINE_WORK: "engine",
    Category.COMPILED_OPERATOR: "compiled_operator",
}
"""torch.profiler's where it has one, which its users know."""

_OF_DEVICE: Final[Mapping[str, Mapping[Category, str]]] = {
    "cuda": {Category.RUNTIME: "cuda_runtime"},
    "rocm": {Category.RUNTIME: "cuda_runtime"},
    "mtia": {Category.RUNTIME: "mtia_runtime", Category.DEVICE: "mtia_ccp_events"},
    "xpu": {Category.RUNTIME: "xpu_runtime"},
}
"""What it calls them otherwise on some devices: by that readers tell whose work it is."""


def trace_categories(device: str) -> list[str]:
    """What each category is called, by its number.

    Args:
        device: What the profile's device times are of, as its manifest has it.
    """
    names = {**_CATEGORIES, **_OF_DEVICE.get(device, {})}
    return [names[category] for category in Category]
