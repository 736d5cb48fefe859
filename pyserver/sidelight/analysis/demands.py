"""What recorded operators ask of a NeuronCore: each distinct call is worked out once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from sidelight.analysis.graph_edges import edges_in
from sidelight.analysis.operator_calls import OperatorCalls
from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.fusion import Operation
from sidelight.hardware.graph_edges import Edges
from sidelight.hardware.prediction import backward_work_of, cast_call, work_of
from sidelight.hardware.setup import Setup
from sidelight.hardware.work import Work
from sidelight.profile.model import Profile

_MOST: Final = 1 << 62
"""What the tables' 64 bits hold with room to spare; no kernel asks for as much of anything."""

_STUMBLES: Final = (ArithmeticError, LookupError, ValueError)
"""What rules raise for sizes and dimensions that no operator can have been given."""


@dataclass(frozen=True)
class Demand:
    """What one call asks for.

    Attributes:
        operation: The call and its work; None where nothing was recorded that tells them.
        is_known: Whether a rule for the operator says so.
        is_scalar: Whether it was given tensors, and none of them has any dimension.
        lacks_a_list: Whether it was given a list of which nothing is known.
    """

    operation: Operation | None
    is_known: bool
    is_scalar: bool
    lacks_a_list: bool


class Demands:
    """Works out what the operators of a profile ask for.

    A trace can claim any sizes: what no operator can have been given asks for nothing that is
    known.

    Args:
        profile: Its events and strings.
        setup: What to price for: it decides how fp32 runs.
    """

    def __init__(self, profile: Profile, setup: Setup) -> None:
        self._strings = profile.strings
        self._setup = setup
        signature = profile.events["signature"]
        ids, counts = np.unique(signature[signature >= 0], return_counts=True)
        self._calls = OperatorCalls(
            {
                self._strings[text]: count
                for text, count in zip(ids.tolist(), counts.tolist(), strict=True)
            },
            profile.manifest.world_size,
        )
        self._known: dict[tuple[int, int], Demand] = {}
        self._backward: dict[int, Operation | None] = {}

    def of(self, name: int, signature: int) -> Demand:
        """What an operator asks for.

        Args:
            name: String id of its name.
            signature: String id of its signature, -1 for none.
        """
        key = (name, signature)
        if key not in self._known:
            text = self._strings[signature] if signature >= 0 else ""
            call = self._calls.call(self._strings[name], text)
            self._known[key] = self._work_out(cast_call(call, self._setup), edges_in(text, call))
        return self._known[key]

    def backward_of(self, forward: Operation) -> Operation | None:
        """The backward pass of a fused operator as one kernel, None if it is not fused.

        Args:
            forward: The operator's own, as :meth:`of` gave it.
        """
        key = id(forward)  # an operation has no hash, and those that were given out stay
        if key not in self._backward:
            self._backward[key] = self._work_out_backward(forward.call)
        return self._backward[key]

    def _work_out(self, call: OperatorCall, edges: Edges | None) -> Demand:
        try:
            work, known = work_of(call, self._setup)
        except _STUMBLES:
            work, known = None, False
        tensors = call.tensors
        # An empty list may be one whose tensors were too many to be recorded.
        lacks_a_list = () in call.arguments
        has_scalars_only = bool(tensors) and all(not tensor.shape for tensor in tensors)
        is_scalar = has_scalars_only and not lacks_a_list
        return Demand(_operation(call, work, edges), known, is_scalar, lacks_a_list)

    def _work_out_backward(self, forward: OperatorCall) -> Operation | None:
        try:
            call = replace(forward, name=f"{forward.name}_backward")
            return _operation(call, backward_work_of(forward, self._setup))
        except _STUMBLES:
            return None


def _operation(
    call: OperatorCall, work: Work | None, edges: Edges | None = None
) -> Operation | None:
    return Operation(call, work, edges) if work and _is_plausible(work) else None


def _is_plausible(work: Work) -> bool:
    """Whether every amount of it is one that the tables can hold."""
    amounts = [each for each in vars(work).values() if isinstance(each, int | float)]
    return all(0 <= amount < _MOST for amount in amounts)
