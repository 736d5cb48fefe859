"""Collective communication (``c10d``): what crosses NeuronLink.

By the ring algorithms' costs (Thakur, Rabenseifner and Gropp, 2005), for many ranks: a tensor of N
bytes crosses each rank's links twice in an all-reduce, once in an all-gather or reduce-scatter of
it, and once in a broadcast.
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..work import Work
from .rule import Rule

_CROSSINGS: Final = {
    "allreduce": 2,
    "all_reduce": 2,
    "allreduce_coalesced": 2,
    "all_reduce_coalesced": 2,
    "allgather": 1,
    "_allgather_base": 1,
    "all_gather_into_tensor": 1,
    "all_gather_into_tensor_coalesced": 1,
    "allgather_into_tensor_coalesced": 1,
    "reduce_scatter": 1,
    "_reduce_scatter_base": 1,
    "reduce_scatter_tensor": 1,
    "reduce_scatter_tensor_coalesced": 1,
    "broadcast": 1,
    "reduce": 1,
    "alltoall": 1,
    "alltoall_base": 1,
    "all_to_all_single": 1,
    "gather": 1,
    "scatter": 1,
    "send": 1,
    "recv": 1,
}


def _collective(crossings: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        tensors = call.tensors
        if not tensors:
            return None
        # The whole tensor is the largest: that gathered, or that to be scattered.
        largest = max(tensors, key=lambda tensor: tensor.nbytes)
        return Work(
            "collective",
            read_bytes=largest.nbytes,
            written_bytes=largest.nbytes,
            link_bytes=crossings * largest.nbytes,
            dtype=largest.dtype,
        )

    return work


RULES: Final[dict[str, Rule]] = {name: _collective(times) for name, times in _CROSSINGS.items()}

NAMESPACES: Final = ("c10d", "_c10d_functional", "c10d_functional")
"""The namespaces of collective operators."""
