"""What a prediction is for. Cheap to import: no operator's rule in here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from .cores import LogicalCore, logical_core
from .parameters import Parameters

AUTO_CASTS: Final = ("all", "matmult", "none")
"""What of fp32 runs as bf16: everything, matrix products, or nothing. The values are those of
neuronx-cc's option of the same name."""

DEFAULT_AUTO_CAST: Final = "matmult"
"""neuronx-cc's own default: "By default, the Neuron Compiler will automatically cast FP32 matrix
multiplication operations to BF16" (AWS Neuron documentation, Mixed Precision, neuronx-cc)."""


@dataclass(frozen=True)
class Setup:
    """What a prediction is for.

    Attributes:
        core: The logical core it runs on.
        auto_cast: One of :data:`AUTO_CASTS`.
        parameters: What else it reckons with.
    """

    core: LogicalCore = field(default_factory=logical_core)
    auto_cast: str = DEFAULT_AUTO_CAST
    parameters: Parameters = field(default_factory=Parameters)
