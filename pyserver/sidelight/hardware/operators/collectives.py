"""Collective communication (``c10d``): what crosses NeuronLink.

By the ring algorithms' costs (Thakur, Rabenseifner and Gropp, 2005), for many ranks: a tensor of N
bytes crosses each rank's links twice in an all-reduce, once in an all-gather or reduce-scatter of
it, and once in a broadcast. The whole of what is gathered or scattered is the larger of the two
sides. Where one side is a list of lists, which the profiler does not record, the other is as many
times as large as there are ranks; all of the program's are taken to take part.
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, total_bytes
from ..work import Work
from .rule import Rule


def _sides(call: OperatorCall) -> list[int]:
    """Bytes of each argument that is a tensor or a list of them, of which ranks hold the same."""
    lists = (
        (each,) if isinstance(each, Tensor) else each
        for each in call.arguments
        if isinstance(each, (Tensor, tuple))
    )
    return [total_bytes(tensors) for tensors in lists]


def group_size(call: OperatorCall) -> int | None:
    """How many ranks functional collectives say that there are: the last number of theirs.

    Args:
        call: A collective's call.

    Returns:
        None where it is not told: then all of the program's may take part.
    """
    if call.name.startswith(_WITH_PROCESS_GROUP):
        return None
    numbers = [call.number(index) for index in range(len(call.arguments))]
    return next((number for number in reversed(numbers) if number), None)


def _work(call: OperatorCall, read: int, written: int, link_bytes: int) -> Work:
    dtype = call.tensors[0].dtype
    return Work(
        "collective", read_bytes=read, written_bytes=written, link_bytes=link_bytes, dtype=dtype
    )


def _exchanged(crossings: int) -> Rule:
    """As much comes as goes."""

    def work(call: OperatorCall) -> Work | None:
        if not call.tensors:
            return None
        whole = max(_sides(call))
        return _work(call, whole, whole, crossings * whole)

    return work


def _sent(call: OperatorCall) -> Work | None:
    """What one rank reads and another writes."""
    whole = total_bytes(call.tensors)
    return _work(call, whole, 0, whole) if call.tensors else None


def _received(call: OperatorCall) -> Work | None:
    whole = total_bytes(call.tensors)
    return _work(call, 0, whole, whole) if call.tensors else None


def _gathered(call: OperatorCall) -> Work | None:
    """Every rank's part is read, the whole written; where one side is known, it is the part."""
    sides = _sides(call)
    if len(sides) == 1:
        ranks = group_size(call) or call.ranks
        sides = [sides[0], sides[0] * ranks] if ranks else []
    return _work(call, min(sides), max(sides), max(sides)) if call.tensors and sides else None


def _scattered(call: OperatorCall) -> Work | None:
    """The whole is read, and a rank's part of it written.

    Where one side is known, functional collectives are given the whole, others the part.
    """
    sides = _sides(call)
    if len(sides) == 1:
        size = group_size(call)
        ranks = size or call.ranks
        other = sides[0] // size if size else sides[0] * (ranks or 0)
        sides = [sides[0], other] if ranks else []
    return _work(call, max(sides), min(sides), max(sides)) if call.tensors and sides else None


def _nothing(_: OperatorCall) -> Work:
    """A wait or a barrier: what is waited for has its own price."""
    return Work("wait for a collective")


_WITH_PROCESS_GROUP: Final = "c10d::"
"""Begins the names of collectives that are given a process group, of which nothing is recorded."""

RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(
        ("allreduce", "all_reduce", "allreduce_coalesced", "all_reduce_coalesced"), _exchanged(2)
    ),
    **dict.fromkeys(
        (
            "broadcast",
            "reduce",
            "alltoall",
            "alltoall_base",
            "all_to_all_single",
        ),
        _exchanged(1),
    ),
    **dict.fromkeys(("send", "isend"), _sent),
    **dict.fromkeys(("recv", "irecv", "recv_any_source"), _received),
    **dict.fromkeys(
        (
            "allgather",
            "allgather_coalesced",
            "_allgather_base",
            "all_gather_into_tensor",
            "all_gather_into_tensor_out",
            "all_gather_into_tensor_coalesced",
            "allgather_into_tensor_coalesced",
            "gather",
        ),
        _gathered,
    ),
    **dict.fromkeys(
        (
            "reduce_scatter",
            "_reduce_scatter_base",
            "reduce_scatter_tensor",
            "reduce_scatter_tensor_out",
            "reduce_scatter_tensor_coalesced",
            "scatter",
        ),
        _scattered,
    ),
    **dict.fromkeys(("wait_tensor", "barrier", "monitored_barrier", "check_for_nan"), _nothing),
}

NAMESPACES: Final = (
    "c10d",
    "_c10d_functional",
    "_c10d_functional_autograd",
    "c10d_functional",
)
"""The namespaces of collective operators."""
