"""Backward passes of fused operators that were recorded in pieces: one kernel each.

Where an operator was made of others, its backward pass is a node for each of those. They are one
kernel, the first node's; with a retained graph there are several passes, each a kernel of its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sidelight.analysis.demands import Demands
from sidelight.hardware.fusion import Operation


@dataclass
class BackwardPass:
    """One backward pass through a fused operator.

    Attributes:
        row: The event of its kernel: that of its first node.
        operation: What the kernel asks for.
        forwards: The forward operators whose nodes it has evaluated.
    """

    row: int
    operation: Operation
    forwards: set[int] = field(default_factory=set[int])


class FusedBackward:
    """Tells which nodes of the backward pass are one kernel.

    Args:
        demands: What operators ask for.
    """

    def __init__(self, demands: Demands) -> None:
        self._demands = demands
        self._nodes_made_in: Counter[int] = Counter()
        self._passes: dict[int, BackwardPass] = {}
        self._kernels: set[int] = set()

    def count_node(self, kernel: int) -> None:
        """A forward operator that a kernel accounts for has made a node."""
        self._nodes_made_in[kernel] += 1

    def is_kernel(self, row: int) -> bool:
        """Whether an event is the kernel of a fused backward pass."""
        return row in self._kernels

    def enter(
        self, node: int, forward: int, kernel: int, operation: Operation
    ) -> BackwardPass | None:
        """The pass that a node is part of; it is a new one if its kernel is the node itself.

        Args:
            node: The node's event.
            forward: The event of the forward operator that made it.
            kernel: The event of the kernel that accounts for that.
            operation: What that kernel asks for.

        Returns:
            None where nodes are priced one by one.
        """
        if self._nodes_made_in[kernel] < 2:
            return None
        current = self._passes.get(kernel)
        if current is None or forward in current.forwards:
            # What a fused backward pass is made of is in no call, so its own backward cannot be
            # told.
            made = None if self.is_kernel(kernel) else self._demands.backward_of(operation)
            if made is None:
                return None
            current = self._passes[kernel] = BackwardPass(node, made)
            self._kernels.add(node)
        current.forwards.add(forward)
        return current
