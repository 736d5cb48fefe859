"""What a compiler makes of a graph's operators: fewer kernels, and less traffic.

Products, and whatever gathers rows or crosses NeuronLink, stay kernels of their own; between them,
everything runs as one kernel: its intermediate results stay in SBUF.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .calls import OperatorCall
from .tensors import Tensor
from .work import Work


@dataclass(frozen=True)
class Step:
    """One operator of a graph: its call, and what it would ask for alone."""

    call: OperatorCall
    work: Work


def fused_groups(steps: Sequence[Step]) -> list[list[int]]:
    """Which operators of a graph share a kernel: indices, in the graph's order."""
    groups: list[list[int]] = []
    open_group: list[int] = []
    for index, step in enumerate(steps):
        if _stands_alone(step.work):
            groups += [[index]] if not open_group else [open_group, [index]]
            open_group = []
        else:
            open_group.append(index)
    return [*groups, open_group] if open_group else groups


def fused_work(steps: Sequence[Step]) -> Work:
    """What a fused kernel asks for.

    The graph's edges are not known here, so operands are told apart by shape and dtype: each is
    read once, or as often as one operator takes several of a kind, and the last result is written.
    The passes over the elements stay.
    """
    if len(steps) == 1:
        return steps[0].work
    operands: Counter[Tensor] = Counter()
    for step in steps:
        operands |= Counter(step.call.tensors)
    works = [step.work for step in steps]
    heaviest = max(works, key=lambda work: work.hbm_bytes)
    return Work(
        f"{len(steps)} operators fused by the compiler",
        flops=sum(work.flops for work in works),
        read_bytes=sum(tensor.nbytes * times for tensor, times in operands.items()),
        written_bytes=works[-1].written_bytes,
        vector_elements=sum(work.vector_elements for work in works),
        scalar_elements=sum(work.scalar_elements for work in works),
        gpsimd_elements=sum(work.gpsimd_elements for work in works),
        dtype=heaviest.dtype,
        rows=heaviest.rows,
    )


def _stands_alone(work: Work) -> bool:
    return bool(work.matmuls or work.link_bytes or work.descriptors)
