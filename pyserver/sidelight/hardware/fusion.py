"""What a compiler makes of a graph's operators: fewer kernels, and less traffic.

A product starts a kernel, and what follows it joins in, up to the next product: results in between
stay in SBUF. Whatever gathers pieces of memory or crosses NeuronLink stays alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from .calls import OperatorCall
from .graph_edges import Edges, read_bytes, written_bytes
from .work import Matmul, Work


@dataclass(frozen=True)
class Operation:
    """One operator of a graph.

    Attributes:
        call: Its call.
        work: What it would ask for alone.
        edges: What joins it to the others; None where that is not known.
    """

    call: OperatorCall
    work: Work
    edges: Edges | None = None


def fused_groups(operations: Sequence[Operation]) -> list[list[int]]:
    """Which operators of a graph share a kernel: indices, in the graph's order."""
    groups: list[list[int]] = []
    last_is_open = False
    for index, operation in enumerate(operations):
        stands_alone = bool(operation.work.link_bytes or operation.work.descriptors)
        if last_is_open and not stands_alone and not operation.work.matmuls:
            groups[-1].append(index)
        else:
            groups.append([index])
        last_is_open = not stands_alone
    return groups


def fused_work(operations: Sequence[Operation], read_elsewhere: Collection[int] = ()) -> Work:
    """What a fused kernel asks for.

    By the graph's edges, what none of the operators makes is read, and what is needed outside of
    the kernel is written. Where the edges are not known, operands are told apart by their size: one
    is read where as many of its size were neither read before nor are the result of an operator
    before, and the last result is written. What passes through the engines stays. A change of
    layout slows all that moves.

    Args:
        operations: The kernel's operators, in their order.
        read_elsewhere: The values that other kernels of the graph read.
    """
    if len(operations) == 1:
        return operations[0].work
    works = [operation.work for operation in operations]
    knows_edges = all(operation.edges for operation in operations)
    heaviest = max(works, key=lambda work: work.hbm_bytes)
    return Work(
        f"{len(operations)} operators fused by the compiler",
        flops=sum(work.flops for work in works),
        read_bytes=read_bytes(operations) if knows_edges else _read_bytes_by_size(operations),
        written_bytes=(
            written_bytes(operations, read_elsewhere) if knows_edges else _last_written_bytes(works)
        ),
        matmuls=_matmuls(works),
        vector_elements=sum(work.vector_elements for work in works),
        reduced_elements=sum(work.reduced_elements for work in works),
        scalar_elements=sum(work.scalar_elements for work in works),
        gpsimd_elements=sum(work.gpsimd_elements for work in works),
        dtype=heaviest.dtype,
        reread_bytes=max(work.reread_bytes for work in works),
        transposes=any(work.transposes for work in works),
    )


def _last_written_bytes(works: Sequence[Work]) -> int:
    """The last result: some operators have none of their own (a wait, a dropout that is off)."""
    return next((work.written_bytes for work in reversed(works) if work.written_bytes), 0)


def _matmuls(works: Sequence[Work]) -> tuple[Matmul, ...]:
    """The products; what follows one in the kernel takes its result from PSUM.

    An operator of several products moves theirs as its rule says, whatever follows.
    """
    *earlier, last = works
    products: list[Matmul] = []
    for work in earlier:
        is_plain = len(work.matmuls) == 1
        products += [replace(each, stays_in_psum=True) for each in work.matmuls if is_plain]
        products += [] if is_plain else work.matmuls
    return (*products, *last.matmuls)


def _read_bytes_by_size(operations: Sequence[Operation]) -> int:
    in_sbuf: Counter[int] = Counter()
    total = 0
    for operation in operations:
        needed = Counter(tensor.nbytes for tensor in operation.call.tensors)
        missing = needed - in_sbuf
        loaded = sum(size_bytes * times for size_bytes, times in missing.items())
        # An operator may have tensors that it only writes.
        total += min(loaded, operation.work.read_bytes)
        in_sbuf |= needed
        in_sbuf |= Counter([operation.work.written_bytes])
    return total
