"""The time predictor: a kernel's demands, on a core, in nanoseconds. A pure function.

The engines of a core work side by side on tiles of the data, so a kernel takes as long as the
slowest of them, and what it costs to start and end it. The Tensor Engine is reckoned in cycles of
its systolic array (how the sizes fill tiles matters), the others in elements a lane and cycle, and
DMA in bytes at HBM's bandwidth. The plain roofline (:mod:`.roofline`) stands beside the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from .calls import Argument, OperatorCall
from .cores import LogicalCore, logical_core
from .operators.registry import rule_for, unknown_work
from .parameters import Parameters
from .roofline import Bound
from .tensors import Tensor, element_size, matmul_dtype
from .tile_cycles import matmul_cycles, matmul_traffic_bytes
from .work import Engine, Matmul, Work

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


@dataclass(frozen=True)
class Prediction:
    """A kernel's predicted time, and what it is made of.

    Attributes:
        rule: How the operator was understood, in words.
        engine: What takes longest.
        dtype: The dtype that the roof is of, such as ``bf16``.
        flops: Useful floating-point operations.
        hbm_bytes: What moves between HBM and the core, each operand once.
        duration_ns: The kernel's device time: ``fixed_ns`` and the slowest engine's time.
        fixed_ns: The part of it that starting and ending the kernel takes.
        roof_ns: What the plain roofline allows.
        bound: What keeps it from being faster.
        engines_ns: Busy time of each engine.
        is_known: Whether there is a rule for the operator.
    """

    rule: str
    engine: Engine
    dtype: str
    flops: int
    hbm_bytes: int
    duration_ns: int
    fixed_ns: int
    roof_ns: int
    bound: Bound
    engines_ns: Mapping[Engine, float]
    is_known: bool = True

    @property
    def is_free(self) -> bool:
        """Whether there is nothing for the device to do."""
        return self.duration_ns == 0


def work_of(call: OperatorCall, setup: Setup) -> tuple[Work | None, bool]:
    """What a call asks for, and whether its operator is known.

    An operator without a rule, or one that lacks what its rule needs, is priced by its bytes; one
    that was given no tensor is not priced.
    """
    if setup.auto_cast == "all":
        call = OperatorCall(call.name, tuple(map(_halved, call.arguments)))
    rule = rule_for(call.name)
    work = rule(call) if rule else None
    if work is None:
        return unknown_work(call), False
    return (_with_cast_matmuls(work) if setup.auto_cast == "matmult" else work), True


def predict_call(call: OperatorCall, setup: Setup) -> Prediction | None:
    """Predict an operator run as a kernel of its own, as eager execution does.

    Returns:
        The prediction; None for an operator that was given no tensor.
    """
    work, known = work_of(call, setup)
    if work is None:
        return None
    return predict(work, setup, fixed_ns=eager_fixed_ns(setup), is_known=known)


def eager_fixed_ns(setup: Setup) -> int:
    """Device time of starting and ending an eager kernel: its start, a first load, a last store."""
    return setup.parameters.kernel_start_ns + 2 * setup.parameters.dma_latency_ns


def predict(work: Work, setup: Setup, *, fixed_ns: int, is_known: bool = True) -> Prediction:
    """Predict a kernel.

    Args:
        work: What it asks for.
        setup: What it runs on.
        fixed_ns: What starting and ending it takes.
        is_known: Whether the work is that of a known operator.
    """
    engines_ns = _engine_times(work, setup)
    engine = max(engines_ns, key=lambda each: engines_ns[each])
    slowest_ns = engines_ns[engine]
    if slowest_ns == 0:
        fixed_ns = 0
    duration_ns = fixed_ns + round(slowest_ns)
    if fixed_ns > duration_ns / 2:
        bound = Bound.OVERHEAD
    else:
        bound = Bound.MEMORY if engine in (Engine.DMA, Engine.COLLECTIVE) else Bound.COMPUTE
    return Prediction(
        rule=work.rule,
        engine=engine,
        dtype=work.matmul_dtype,
        flops=work.flops,
        hbm_bytes=work.hbm_bytes,
        duration_ns=duration_ns,
        fixed_ns=fixed_ns,
        roof_ns=round(_roof_ns(work, setup.core)),
        bound=bound,
        engines_ns=engines_ns,
        is_known=is_known,
    )


def efficiency_key(engine: Engine, work: Work) -> str:
    """What the efficiency of an engine at some work is listed under."""
    dtype = work.matmul_dtype if engine is Engine.TENSOR else work.dtype
    return f"{engine.value} {dtype}"


def _engine_times(work: Work, setup: Setup) -> dict[Engine, float]:
    """Nanoseconds that each engine is busy, all physical cores of the logical one together."""
    core, parameters = setup.core, setup.parameters
    half_width = element_size(work.dtype) <= 2
    vector = _lane_rate(core, core.vector_hz, work.rows)
    scalar = _lane_rate(core, core.scalar_hz, work.rows)
    if half_width:
        vector *= core.vector_half_width_speedup
        scalar *= core.scalar_half_width_speedup
    # Results leave PSUM through the Vector and the Scalar Engine, which share that work.
    evicted = sum(each.batch * each.m * each.n for each in work.matmuls)
    eviction_s = evicted / _lane_rate(core, core.vector_hz + core.scalar_hz, 0)
    seconds = {
        Engine.TENSOR: sum(_tensor_cycles(each, setup) for each in work.matmuls) / core.tensor_hz,
        Engine.VECTOR: work.vector_elements / vector + eviction_s,
        Engine.SCALAR: work.scalar_elements / scalar + eviction_s,
        Engine.GPSIMD: work.gpsimd_elements / _lane_rate(core, core.gpsimd_hz, work.rows),
        Engine.DMA: _traffic_bytes(work, setup) / core.hbm_bytes_per_s,
        Engine.COLLECTIVE: work.link_bytes / core.neuronlink_bytes_per_s,
    }
    if work.transposes:
        seconds[Engine.DMA] /= parameters.dma_transpose_efficiency
    return {
        engine: 1e9 * value / parameters.efficiency.get(efficiency_key(engine, work), 1.0)
        for engine, value in seconds.items()
    }


def _lane_rate(core: LogicalCore, hz: float, rows: int) -> float:
    """Elements a second: one a lane and cycle. Fewer rows than lanes leave the others idle."""
    lanes = core.lanes * core.physical_cores
    return hz * (min(lanes, rows) if rows else lanes)


def _tensor_cycles(matmul: Matmul, setup: Setup) -> float:
    return matmul_cycles(
        matmul, setup.core, setup.parameters, speedup=_dtype_speedup(matmul.dtype, setup)
    )


def _dtype_speedup(dtype: str, setup: Setup) -> float:
    """Rate of a dtype relative to bf16: a quarter for fp32, double for fp8 on newer chips."""
    name = matmul_dtype(dtype)
    if name == "fp32":
        return 1 / setup.parameters.fp32_passes
    peaks = setup.core.tensor_flops_per_s
    return round(peaks.get(name, peaks["bf16"]) / peaks["bf16"]) or 1


def _traffic_bytes(work: Work, setup: Setup) -> int:
    """What really moves: operands that outgrow SBUF are read again, small pieces cost more."""
    again = sum(
        matmul_traffic_bytes(matmul, setup.core) - _operand_bytes(matmul)
        for matmul in work.matmuls
        # Within a fused kernel products feed one another from SBUF.
        if len(work.matmuls) == 1
    )
    pieces = 2 * work.descriptors * setup.parameters.dma_minimum_bytes
    return max(work.hbm_bytes + again, pieces)


def _operand_bytes(matmul: Matmul) -> int:
    size = element_size(matmul.dtype)
    return matmul.batch * (matmul.m * matmul.k + matmul.k * matmul.n) * size


def _roof_ns(work: Work, core: LogicalCore) -> float:
    """The plain roofline: the peak of whatever computes it, or HBM's bandwidth."""
    compute_s = 0.0
    if work.matmuls:
        compute_s = work.flops / core.tensor_flops_per_s[work.matmul_dtype]
    elif work.flops:
        vector_peak = _lane_rate(core, core.vector_hz, 0) * (
            core.vector_half_width_speedup if element_size(work.dtype) <= 2 else 1
        )
        compute_s = work.vector_elements / vector_peak
    return 1e9 * max(
        compute_s,
        work.hbm_bytes / core.hbm_bytes_per_s,
        work.link_bytes / core.neuronlink_bytes_per_s,
    )


def _with_cast_matmuls(work: Work) -> Work:
    if all(matmul_dtype(each.dtype) != "fp32" for each in work.matmuls):
        return work
    cast = tuple(
        replace(each, dtype="bfloat16") if matmul_dtype(each.dtype) == "fp32" else each
        for each in work.matmuls
    )
    return replace(work, matmuls=cast)


def _halved(argument: Argument) -> Argument:
    """The argument with its fp32 tensors in bf16."""
    if isinstance(argument, Tensor):
        return _half_tensor(argument)
    if isinstance(argument, tuple):
        return tuple(map(_half_tensor, argument))
    return argument


def _half_tensor(tensor: Tensor) -> Tensor:
    return Tensor(tensor.shape, "bfloat16") if tensor.dtype == "float32" else tensor
