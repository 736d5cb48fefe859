"""The time predictor: a kernel's demands, on a core, in nanoseconds. A pure function.

The engines of a core work side by side on tiles of the data, so a kernel takes as long as the
slowest of them (:mod:`.engine_times`), and what it costs to start and end it. The plain roofline
(:mod:`.roofline`) stands beside the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .calls import Argument, OperatorCall
from .cores import LogicalCore
from .dtypes import halved
from .engine_times import engine_times_ns, slowest_ns
from .operators.registry import backward_rule_for, rule_for, unknown_work
from .roofline import Bound, is_overhead, roofline_ns
from .setup import Setup
from .tensors import Tensor
from .work import Engine, Work


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


def work_of(call: OperatorCall, setup: Setup) -> tuple[Work | None, bool]:
    """What a call asks for, and whether its operator is known.

    An operator without a rule, or one that lacks what its rule needs, is priced by its bytes; one
    that was given no tensor is not priced, nor a collective of which the ranks are not known.
    """
    call = cast_call(call, setup)
    rule = rule_for(call.name)
    work = rule(call) if rule else None
    if work is None or not work.is_possible:
        return unknown_work(call), False
    return _fastest(_cast_work(work, setup), setup), True


def backward_work_of(call: OperatorCall, setup: Setup) -> Work | None:
    """What the backward pass of a fused operator asks for as one kernel, from its forward call.

    Returns:
        The work; None for an operator that is not fused, or that lacks what its rule needs.
    """
    rule = backward_rule_for(call.name)
    work = rule(cast_call(call, setup)) if rule else None
    return _cast_work(work, setup) if work and work.is_possible else None


def predict_call(call: OperatorCall, setup: Setup) -> Prediction | None:
    """Predict an operator run as a kernel of its own, as eager execution does.

    Returns:
        The prediction; None for an operator that has no price.
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
    engines_ns = engine_times_ns(work, setup.core, setup.parameters)
    engine = max(engines_ns, key=lambda each: engines_ns[each])
    busy_ns = slowest_ns(work, setup.core, setup.parameters)
    if busy_ns == 0:
        fixed_ns = 0
    duration_ns = fixed_ns + round(busy_ns)
    if is_overhead(fixed_ns, duration_ns):
        bound = Bound.OVERHEAD
    else:
        bound = Bound.MEMORY if engine in (Engine.DMA, Engine.COLLECTIVE) else Bound.COMPUTE
    return Prediction(
        rule=work.rule,
        engine=engine,
        dtype=setup.core.mode_of(work.matmul_dtype),
        flops=work.flops,
        hbm_bytes=work.hbm_bytes,
        duration_ns=duration_ns,
        fixed_ns=fixed_ns,
        roof_ns=round(_roof_ns(work, setup.core)),
        bound=bound,
        engines_ns=engines_ns,
        is_known=is_known,
    )


def _roof_ns(work: Work, core: LogicalCore) -> float:
    """The plain roofline: the Tensor Engine's peak for products, HBM's bandwidth, NeuronLink's."""
    # Of the products, those that only transpose are no useful FLOPs.
    flops = min(work.flops, sum(matmul.flops for matmul in work.matmuls))
    link_ns = 1e9 * work.link_bytes / core.neuronlink_bytes_per_s
    dtype = core.mode_of(work.matmul_dtype)
    return max(roofline_ns(core, dtype, flops, work.hbm_bytes), link_ns)


def cast_call(call: OperatorCall, setup: Setup) -> OperatorCall:
    """The call as it runs: with all that is fp32 in bf16, where everything is cast."""
    if setup.auto_cast != "all":
        return call
    return replace(call, arguments=tuple(map(_halved, call.arguments)), runs_halved=True)


def _cast_work(work: Work, setup: Setup) -> Work:
    """The work with its fp32 products in bf16, unless nothing is cast."""
    if setup.auto_cast == "none":
        return work
    return replace(
        work,
        matmuls=tuple(replace(each, dtype=halved(each.dtype)) for each in work.matmuls),
        alternatives=tuple(_cast_work(each, setup) for each in work.alternatives),
        stages=tuple(_cast_work(each, setup) for each in work.stages),
    )


def _fastest(work: Work, setup: Setup) -> Work:
    """Of all ways to do it, the one whose slowest engine is done first."""
    if not work.alternatives:
        return work
    ways = (replace(work, alternatives=()), *work.alternatives)
    return min(ways, key=lambda way: slowest_ns(way, setup.core, setup.parameters))


def _halved(argument: Argument) -> Argument:
    """The argument with its fp32 tensors in bf16."""
    if isinstance(argument, Tensor):
        return argument.typed(halved(argument.dtype))
    if isinstance(argument, tuple):
        return tuple(each.typed(halved(each.dtype)) for each in argument)
    return argument
