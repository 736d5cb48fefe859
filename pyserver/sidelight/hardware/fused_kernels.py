"""The kernels that a compiler makes of a graph, with their times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .fusion import Operation, fused_groups, fused_work
from .graph_edges import values_read
from .prediction import Prediction, predict
from .setup import Setup


@dataclass(frozen=True)
class FusedKernel:
    """A kernel of one or more operators.

    Attributes:
        indices: The operators, by their place in the graph.
        prediction: Its time on the device.
        launch_ns: What submitting it takes the host: the graph is submitted once, with its first.
    """

    indices: Sequence[int]
    prediction: Prediction
    launch_ns: int


def fused_kernels(
    operations: Sequence[Operation], known: Sequence[bool], setup: Setup
) -> list[FusedKernel]:
    """Predict a compiled graph: it starts once, and its operators share kernels.

    Args:
        operations: The graph's operators, in its order.
        known: Whether there is a rule for each.
        setup: What it runs on.

    Returns:
        The kernels that leave the device something to do, in the graph's order.
    """
    parameters = setup.parameters
    kernels: list[FusedKernel] = []
    groups = fused_groups(operations)
    readers = Counter(
        value for group in groups for value in values_read([operations[index] for index in group])
    )
    for group in groups:
        own = [operations[index] for index in group]
        is_first = not kernels
        prediction = predict(
            fused_work(own, readers - Counter(values_read(own))),
            setup,
            fixed_ns=2 * parameters.dma_latency_ns
            + (parameters.kernel_start_ns if is_first else 0),
            is_known=all(known[index] for index in group),
        )
        if prediction.duration_ns:
            launch_ns = parameters.graph_launch_ns if is_first else 0
            kernels.append(FusedKernel(group, prediction, launch_ns))
    return kernels
