"""What each category of a torch.profiler trace means: the one table.

The names are those of Kineto's ``ActivityType.h`` (``toString``), which writes them as ``cat``.
Those of Kineto before 2022 (``Operator``, ``Kernel``, ...) differ, and are the last block. Case is
ignored. A name that is not listed is shown on the timeline and never counted, which the quality
report says. Which of a device's rows are waits, whatever their category: :mod:`.stream_waits`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sidelight.profile.tables import Category


class Meaning(NamedTuple):
    """What the rows of a trace category are.

    Attributes:
        category: What they count as.
        on_device: Whether their ``pid`` and ``tid`` name a device and a stream of it.
    """

    category: Category
    on_device: bool = False


UNKNOWN: Final = Meaning(Category.OTHER)

MEANINGS: Final[dict[str, Meaning]] = {
    # The host.
    "cpu_op": Meaning(Category.OPERATOR),
    "user_annotation": Meaning(Category.ANNOTATION),
    "python_function": Meaning(Category.FUNCTION),
    # Device work. XPU and most PrivateUse1 backends write the same three as CUDA and ROCm.
    "kernel": Meaning(Category.DEVICE, on_device=True),
    "gpu_memcpy": Meaning(Category.DEVICE, on_device=True),
    "gpu_memset": Meaning(Category.DEVICE, on_device=True),
    "mtia_ccp_events": Meaning(Category.DEVICE, on_device=True),
    # TorchNeuron: from dispatch to completion, on a thread named by the stream.
    "privateuse1_driver": Meaning(Category.DEVICE_COARSE, on_device=True),
    # Calls of a device's runtime, on a host thread. PrivateUse1's stand for its device's work where
    # the trace has nothing finer.
    "privateuse1_runtime": Meaning(Category.DEVICE_RUNTIME),
    "cuda_runtime": Meaning(Category.RUNTIME),
    "cuda_driver": Meaning(Category.RUNTIME),
    "mtia_runtime": Meaning(Category.RUNTIME),
    "xpu_runtime": Meaning(Category.RUNTIME),
    "xpu_driver": Meaning(Category.RUNTIME),
    "glow_runtime": Meaning(Category.RUNTIME),
    "hpu_op": Meaning(Category.RUNTIME),
    # On a device's streams, but no work of its own: a user's region projected onto them (it spans
    # the idle time between kernels too), waits, and counters.
    "gpu_user_annotation": Meaning(Category.ANNOTATION, on_device=True),
    "cuda_sync": Meaning(Category.OTHER, on_device=True),
    "cuda_event": Meaning(Category.OTHER, on_device=True),
    "cuda_profiler_range": Meaning(Category.OTHER, on_device=True),
    "mtia_insight": Meaning(Category.OTHER, on_device=True),
    "mtia_counters": Meaning(Category.OTHER, on_device=True),
    "xpu_scope_profiler": Meaning(Category.OTHER, on_device=True),
    # On the host, and no work: the profiler's own time, its span, what only joins rows, and
    # collectives as their library tells of them (their kernels have rows of their own).
    "overhead": UNKNOWN,
    "trace": UNKNOWN,
    "external_correlation": UNKNOWN,
    "cpu_instant_event": UNKNOWN,
    "collective_comm": UNKNOWN,
    # Waits of the host, and barriers, which the profiler puts on the thread that asked for them.
    "xpu_sync": UNKNOWN,
    # Before 2022.
    "operator": Meaning(Category.OPERATOR),
    "python": Meaning(Category.FUNCTION),
    "runtime": Meaning(Category.RUNTIME),
    "memcpy": Meaning(Category.DEVICE, on_device=True),
    "memset": Meaning(Category.DEVICE, on_device=True),
}


def meaning_of(trace_category: str) -> Meaning:
    """What the rows whose ``cat`` is ``trace_category`` are."""
    return MEANINGS.get(trace_category.casefold(), UNKNOWN)


def is_listed(trace_category: str) -> bool:
    """Whether it is known what the rows whose ``cat`` is ``trace_category`` are.

    Those without one are of no kind that could be missing here.
    """
    return not trace_category or trace_category.casefold() in MEANINGS


def device_of(trace_categories: set[str], *, rocm: bool, neuron: bool) -> str:
    """The kind of device that wrote the rows of a trace.

    Args:
        trace_categories: Every ``cat`` in it.
        rocm: Whether the trace's header speaks of AMD's runtime, which writes CUDA's categories.
        neuron: Whether the trace speaks of Neuron, which shares PrivateUse1's with others.

    Returns:
        ``cuda``, ``rocm``, ``mtia``, ``xpu``, ``neuron`` or ``privateuse1``.
    """
    names = {name.casefold() for name in trace_categories}
    if any(name.startswith("mtia_") for name in names):
        return "mtia"
    if any(name.startswith("xpu_") for name in names):
        return "xpu"
    if neuron:
        return "neuron"
    if any(name.startswith("privateuse1_") for name in names):
        return "privateuse1"
    return "rocm" if rocm else "cuda"
