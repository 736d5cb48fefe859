"""How long each engine of a core is busy with a kernel.

The Tensor Engine is reckoned in cycles of its systolic array (how the sizes fill tiles matters),
the others in elements a lane and cycle, and DMA in bytes at HBM's bandwidth. Whatever has elements
is spread over all lanes: a long row is reduced in parts.
"""

from __future__ import annotations

from typing import Final

from .cores import LogicalCore
from .dtypes import element_size, is_complex, is_half_width, numbers_in_element
from .parameters import Parameters
from .tile_cycles import matmul_cycles, matmul_traffic_bytes
from .work import Engine, Matmul, Work

_SHARED_PSUM: Final = frozenset(("trn1", "inf2"))
"""Chips whose Vector and Scalar Engines cannot read PSUM at the same time (AWS NKI documentation,
Trainium/Inferentia2 architecture guide, "Data Movement")."""


def efficiency_key(engine: Engine, work: Work) -> str:
    """What the efficiency of an engine at some work is listed under."""
    dtype = work.matmul_dtype if engine is Engine.TENSOR else work.dtype
    return f"{engine.value} {dtype}"


def engine_times_ns(work: Work, core: LogicalCore, parameters: Parameters) -> dict[Engine, float]:
    """Nanoseconds that each engine is busy, all physical cores of the logical one together."""
    if work.stages:
        of_stages = [engine_times_ns(stage, core, parameters) for stage in work.stages]
        return {engine: sum(times[engine] for times in of_stages) for engine in Engine}
    vector_s, scalar_s = _lane_engines_s(work, core)
    seconds = {
        Engine.TENSOR: _tensor_cycles(work, core, parameters) / core.tensor_hz,
        Engine.VECTOR: vector_s,
        Engine.SCALAR: scalar_s,
        Engine.GPSIMD: work.gpsimd_elements / _lane_rate(core, core.gpsimd_hz),
        Engine.DMA: _dma_s(work, core, parameters),
        Engine.COLLECTIVE: work.link_bytes / core.neuronlink_bytes_per_s,
    }
    efficiency = parameters.efficiency
    return {
        engine: 1e9 * value / efficiency.get(efficiency_key(engine, work), 1.0)
        for engine, value in seconds.items()
    }


def slowest_ns(work: Work, core: LogicalCore, parameters: Parameters) -> float:
    """Nanoseconds until the last engine is done; stages follow one another."""
    if work.stages:
        return sum(slowest_ns(stage, core, parameters) for stage in work.stages)
    return max(engine_times_ns(work, core, parameters).values())


def _lane_rate(core: LogicalCore, hz: float) -> float:
    """Elements a second: one a lane and cycle."""
    return hz * core.lanes * core.physical_cores


def _lane_engines_s(work: Work, core: LogicalCore) -> tuple[float, float]:
    """Seconds that the Vector and the Scalar Engine are busy.

    Products leave PSUM through these two, whichever has time for it.
    """
    vector_rate = _lane_rate(core, core.vector_hz)
    scalar_rate = _lane_rate(core, core.scalar_hz)
    half_width = is_half_width(work.dtype)
    vector_speedup = core.vector_half_width_speedup if half_width else 1
    scalar_speedup = core.scalar_half_width_speedup if half_width else 1
    parts = _parts(work.dtype)
    vector_elements = work.vector_elements / vector_speedup + work.reduced_elements
    vector_s = parts * vector_elements / vector_rate
    scalar_s = parts * work.scalar_elements / (scalar_rate * scalar_speedup)
    evicted = sum(
        _parts(each.dtype) * each.batch * each.m * each.n
        for each in work.matmuls
        if not each.stays_in_psum
    )
    if core.chip in _SHARED_PSUM:
        return vector_s, scalar_s + evicted / scalar_rate
    at_once = evicted + vector_s * vector_rate + scalar_s * scalar_rate
    together_s = at_once / (vector_rate + scalar_rate)
    if together_s >= max(vector_s, scalar_s):
        return together_s, together_s
    if vector_s > scalar_s:
        return vector_s, scalar_s + evicted / scalar_rate
    return vector_s + evicted / vector_rate, scalar_s


def _tensor_cycles(work: Work, core: LogicalCore, parameters: Parameters) -> float:
    return sum(
        # A product of complex numbers is one of each part with each; their sums stay in PSUM.
        _parts(each.dtype) ** 2
        * matmul_cycles(each, core, parameters, speedup=_speedup(each, core, parameters))
        for each in work.matmuls
    )


def _parts(dtype: str) -> int:
    """How many numbers the engines make of one."""
    return 2 if is_complex(dtype) else 1


def _speedup(matmul: Matmul, core: LogicalCore, parameters: Parameters) -> float:
    """Rate relative to bf16: a quarter for fp32, double for fp8 on newer chips, fourfold for MX."""
    mode = core.mode_of(matmul.mode)
    if mode == "fp32":
        return 1 / parameters.fp32_passes
    peaks = core.tensor_flops_per_s
    return round(peaks.get(mode, peaks["bf16"]) / peaks["bf16"]) or 1


def _dma_s(work: Work, core: LogicalCore, parameters: Parameters) -> float:
    """Seconds of moving the data: HBM's time for the bytes, or the DMA engines' for the pieces."""
    hbm_s = _traffic_bytes(work, core) / core.hbm_bytes_per_s
    if work.transposes:
        hbm_s /= parameters.dma_transpose_efficiency
    if not work.descriptors:
        return hbm_s
    pieces_s = 1e-9 * work.descriptors * parameters.dma_descriptor_ns / core.dma_engines
    return max(hbm_s, pieces_s + work.hbm_bytes / core.dma_bytes_per_s)


def _traffic_bytes(work: Work, core: LogicalCore) -> int:
    """What really moves: what outgrows SBUF is read again."""
    again = sum(
        matmul_traffic_bytes(matmul, core) - _operand_bytes(matmul)
        for matmul in work.matmuls
        # Within a fused kernel products feed one another from SBUF.
        if len(work.matmuls) == 1
    )
    if work.reread_bytes > core.sbuf_bytes:
        again += work.reread_bytes
    return work.hbm_bytes + again


def _operand_bytes(matmul: Matmul) -> int:
    elements = matmul.m * matmul.k + matmul.k * matmul.n
    size, packed = element_size(matmul.dtype), numbers_in_element(matmul.dtype)
    return matmul.batch * elements * size // packed
