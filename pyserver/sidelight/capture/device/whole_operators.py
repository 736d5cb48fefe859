"""Operators that the device runs as one kernel though torch makes them of others.

The predictor has rules for them, so that a profile prices each as a whole: forward, and backward
where there is a rule for that too. On the device's clock they are to be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Callable

import torch

from ...hardware.prediction import work_of
from . import private
from .clock import DeviceClock
from .kernel_calls import BackwardCall, KernelCall, shown

_NAMES = (
    *("rms_norm", "lstm", "gru", "rnn_tanh", "rnn_relu", "isclose", "isfinite"),
    *("softmax", "log_softmax", "one_hot"),
)

_KEYS = ("PrivateUse1", "AutogradPrivateUse1")

_PLAIN = (torch.Tensor, torch.nn.Parameter)
"""The types of the program's own tensors; a compiler that looks at what is called has others."""

_MOST_NODES = 1 << 16
"""Nodes of autograd's that are remembered at most; their backward passes have long been then."""

_MOST_CALLS = 1 << 12
"""Calls of different shapes that are told apart at most."""

_registered: list[Any] = []
"""What is registered holds as long as its library lives."""


class _Forward:
    """One call, whose backward pass is to come.

    Args:
        call: The call.
    """

    def __init__(self, call: KernelCall) -> None:
        self.call = call
        self._evaluated: set[int] = set()
        self._current = -1

    def begins(self, node: int) -> bool:
        """Whether a backward pass begins with an operator that a node runs.

        A node that runs again after others has a pass of its own: the graph was kept.
        """
        repeats = node in self._evaluated and node != self._current
        begins = repeats or not self._evaluated
        if repeats:
            self._evaluated.clear()
        self._evaluated.add(node)
        self._current = node
        return begins


class WholeOperators:
    """Tells a clock of the device's operators, of some as a whole.

    Args:
        clock: The clock.
    """

    def __init__(self, clock: DeviceClock) -> None:
        self._clock = clock
        self._forward_of: dict[int, _Forward] = {}
        self._with_rule: dict[KernelCall, bool] = {}

    def install(self) -> None:
        """Be told of the operators from now on. The device must be registered by then."""
        library: Any = torch.library.Library("aten", "IMPL")
        for operator in _operators():
            for key in _KEYS:
                library.impl(operator, self.whole(operator, operator.decompose), key)
        _registered.append(library)

    def ran(
        self,
        operator: Any,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        computing_ns: int,
    ) -> None:
        """An operator of the device was answered: see :meth:`DeviceClock.ran`."""
        node = private.current_node() if self._forward_of else None
        number = -1 if node is None else node._sequence_nr()
        forward = self._forward_of.get(number)
        if forward is None:
            self._clock.ran(operator, arguments, keywords, computing_ns)
        elif forward.begins(number):
            self._clock.ran_whole(BackwardCall(forward.call), computing_ns)
        else:
            self._clock.computed(computing_ns)

    def whole(self, operator: Any, compute: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel of an operator's that tells the clock of it as one.

        Args:
            operator: The operator.
            compute: Computes it, of others.
        """

        def kernel(*arguments: Any, **keywords: Any) -> Any:
            given = tuple(map(shown, arguments))
            call = KernelCall(operator, given, tuple((k, shown(v)) for k, v in keywords.items()))
            if type(arguments[0]) not in _PLAIN or not self._has_rule(call):
                return compute(*arguments, **keywords)
            first_node = private.next_node()
            with self._clock.running(call):
                result = compute(*arguments, **keywords)
            self._remember(range(first_node, private.next_node()), call)
            return result

        return kernel

    def _has_rule(self, call: KernelCall) -> bool:
        """Whether the predictor knows what the call as a whole asks for."""
        has_rule = self._with_rule.get(call)
        if has_rule is None:
            if len(self._with_rule) > _MOST_CALLS:
                self._with_rule.clear()
            has_rule = work_of(call.call(), self._clock.setup)[1]
            self._with_rule[call] = has_rule
        return has_rule

    def _remember(self, nodes: range, call: KernelCall) -> None:
        """Know the nodes that a call's backward pass will evaluate."""
        if len(nodes) < 2 or not BackwardCall(call).is_known:
            return
        forward = _Forward(call)
        self._forward_of.update(dict.fromkeys(nodes, forward))
        if len(self._forward_of) > _MOST_NODES:
            for node in list(islice(self._forward_of, _MOST_NODES // 2)):
                del self._forward_of[node]


def _operators() -> Iterator[Any]:
    for name in _NAMES:
        operators = getattr(torch.ops.aten, name)
        for overload in operators.overloads():
            if not overload.endswith("out"):
                yield getattr(operators, overload)
