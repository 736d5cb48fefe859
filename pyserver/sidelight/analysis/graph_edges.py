"""What a recording says of an operator's place in a compiled graph.

It comes from a file: whatever in it is not understood is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from sidelight.analysis.signatures import decode_signature, is_list
from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.graph_edges import Edges, Operand, Result

_MOST = 1 << 48
"""No tensor has as many elements, and no graph as many values."""


def edges_in(signature: str, call: OperatorCall) -> Edges | None:
    """The edges that a signature tells of; None where it tells of none.

    Args:
        signature: The JSON text.
        call: The call that it is of, as it was understood.
    """
    if "Operands" not in signature:
        return None
    known = decode_signature(signature)
    if known is None or not (is_list(known.operands) and is_list(known.results)):
        return None
    operands = [Operand(*each) for each in known.operands if _is_triple(each)]
    results = [
        Result(each[0], each[1], bool(each[2])) for each in known.results if _is_triple(each)
    ]
    is_whole = len(results) == len(known.results) and len(operands) == len(call.tensors)
    return Edges(tuple(operands), tuple(results)) if is_whole else None


def _is_triple(value: object) -> TypeGuard[Sequence[int]]:
    return (
        is_list(value)
        and len(value) == 3
        and all(type(each) is int and 0 <= each < _MOST for each in value)
    )
