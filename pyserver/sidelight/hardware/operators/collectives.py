"""Collective communication (``c10d``): what crosses NeuronLink.

By the ring algorithms' costs (Thakur, Rabenseifner and Gropp, 2005), for many ranks: a tensor of N
bytes crosses each rank's links twice in an all-reduce, once in an all-gather or reduce-scatter of
it, and once in a broadcast. The whole of what is gathered or scattered is the larger of the two
sides; where only one is known, and the number of ranks is not, it is that one.
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


def _gathered(call: OperatorCall) -> Work | None:
    """Every rank's part is read, the whole written; functional collectives say how many ranks."""
    if not call.tensors:
        return None
    sides, ranks = _sides(call), call.number(1) or 1
    part, whole = min(sides), max(sides)
    whole = whole * ranks if whole == part else whole
    return _work(call, part, whole, whole)


def _scattered(call: OperatorCall) -> Work | None:
    """The whole is read, and a rank's part of it written."""
    if not call.tensors:
        return None
    sides, ranks = _sides(call), call.number(2) or 1
    part, whole = min(sides), max(sides)
    part = part // max(ranks, 1) if whole == part else part
    return _work(call, whole, part, whole)


def _nothing(_: OperatorCall) -> Work:
    """A wait or a barrier: what is waited for has its own price."""
    return Work("wait for a collective")


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
            "send",
            "isend",
            "recv",
            "irecv",
            "recv_any_source",
        ),
        _exchanged(1),
    ),
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
