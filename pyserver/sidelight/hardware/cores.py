"""What one logical core can do: the device that one process gets.

One physical core makes a logical core, or two do: that is its configuration (LNC). What each
physical core has of its own counts as often as there are physical cores in it. What the cores of a
chip share (HBM, DMA, NeuronLink) is divided evenly over them, as if all were at work: on Trainium2,
a pair of cores has one 24 GiB bank of HBM, a single core half of it. The grouping is that of AWS's
page on it (AWS Neuron SDK documentation (aws-neuron-sdk 81ce03a),
about-neuron/arch/neuron-features/logical-neuroncore-config.rst).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from . import chips
from .chips import DEFAULT_CHIP, Chip, HardwareError

_PEAK = "core_peak_"
_MX_FORMATS = ("mxfp8", "mxfp4")


@dataclass(frozen=True)
class LogicalCore:
    """One logical core; every figure is of the whole of it unless it says otherwise.

    Attributes:
        chip: The chip's name.
        lnc: The logical NeuronCore configuration: how many physical cores make the logical core.
        tensor_flops_per_s: Dense peak of the Tensor Engines by dtype: ``bf16``, ``fp16``, ``tf32``,
            ``fp32`` and ``fp8``; ``mxfp8`` and ``mxfp4`` where the chip has them.
        hbm_bytes: Its share of the chip's HBM.
        hbm_bytes_per_s: Its share of the HBM's bandwidth.
        dma_bytes_per_s: Its share of the DMA engines' bandwidth.
        dma_engines: Its share of the DMA engines.
        sbuf_bytes: Its SBUF.
        psum_bytes: Its PSUM.
        tensor_hz: Clock of a Tensor Engine.
        vector_hz: Clock of a Vector Engine.
        scalar_hz: Clock of a Scalar Engine.
        gpsimd_hz: Clock of a GpSimd Engine.
        array_rows: Rows of one Tensor Engine's systolic array.
        array_columns: Columns of it.
        lanes: Elements that a Vector, Scalar or GpSimd Engine of one core takes in a cycle.
        vector_half_width_speedup: How much faster the Vector Engine is at elementwise work on
            types of two bytes.
        scalar_half_width_speedup: The same of the Scalar Engine.
        neuronlink_bytes_per_s: Its share of the bandwidth to other chips.
    """

    chip: str
    lnc: int
    # A mapping has no hash; the chip and the configuration tell cores apart without it.
    tensor_flops_per_s: Mapping[str, float] = field(hash=False)
    hbm_bytes: int
    hbm_bytes_per_s: float
    dma_bytes_per_s: float
    dma_engines: int
    sbuf_bytes: int
    psum_bytes: int
    tensor_hz: float
    vector_hz: float
    scalar_hz: float
    gpsimd_hz: float
    array_rows: int
    array_columns: int
    lanes: int
    vector_half_width_speedup: float
    scalar_half_width_speedup: float
    neuronlink_bytes_per_s: float

    @property
    def physical_cores(self) -> int:
        """How many physical cores make the logical core."""
        return self.lnc

    def mode_of(self, dtype: str) -> str:
        """What products of a dtype run as: fp8 where the Tensor Engine has no MX formats."""
        is_missing = dtype in _MX_FORMATS and dtype not in self.tensor_flops_per_s
        return "fp8" if is_missing else dtype

    @property
    def label(self) -> str:
        """What people call it: ``trn2, LNC 2``, or ``trn1`` where there is no LNC to choose."""
        has_choice = len(chips.chip(self.chip).lnc_choices) > 1
        return f"{self.chip}, LNC {self.lnc}" if has_choice else self.chip


@cache
def logical_core(chip: str = DEFAULT_CHIP, lnc: int | None = None) -> LogicalCore:
    """What one logical core of a chip can do.

    Args:
        chip: The chip's name.
        lnc: How many physical cores make the logical core; None takes the runtime's default.

    Raises:
        HardwareError: There is no such chip, or it does not have that configuration.
    """
    whole = chips.chip(chip)
    cores = _checked_lnc(whole, lnc)

    def share(name: str) -> float:
        return whole.figure(f"chip_{name}").base_value * cores / whole.physical_cores

    def of_cores(name: str) -> float:
        return cores * of_one(name)

    def of_one(name: str) -> float:
        return whole.figure(f"core_{name}").base_value

    return LogicalCore(
        chip=chip,
        lnc=cores,
        tensor_flops_per_s={
            figure.name[len(_PEAK) :]: cores * figure.base_value
            for figure in whole.figures
            if figure.name.startswith(_PEAK)
        },
        hbm_bytes=int(share("hbm_capacity")),
        hbm_bytes_per_s=share("hbm_bandwidth"),
        dma_bytes_per_s=share("dma_bandwidth"),
        dma_engines=int(share("dma_engines")),
        sbuf_bytes=int(of_cores("sbuf")),
        psum_bytes=int(of_cores("psum")),
        tensor_hz=of_one("clock_tensor"),
        vector_hz=of_one("clock_vector"),
        scalar_hz=of_one("clock_scalar"),
        gpsimd_hz=of_one("clock_gpsimd"),
        array_rows=int(of_one("array_rows")),
        array_columns=int(of_one("array_columns")),
        lanes=int(of_one("lanes")),
        vector_half_width_speedup=of_one("half_width_speedup_vector"),
        scalar_half_width_speedup=of_one("half_width_speedup_scalar"),
        neuronlink_bytes_per_s=share("neuronlink"),
    )


def _checked_lnc(whole: Chip, lnc: int | None) -> int:
    if lnc is None:
        return whole.default_lnc
    if lnc in whole.lnc_choices:
        return lnc
    if len(whole.lnc_choices) == 1:
        raise HardwareError(
            f"{whole.name} has no LNC {lnc}: a logical core is a physical core there. "
            "Leave `--lnc` out."
        )
    choices = " or ".join(map(str, whole.lnc_choices))
    raise HardwareError(f"{whole.name} has no LNC {lnc}. Choose {choices}.")
