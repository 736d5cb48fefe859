"""Calls of operators on the device: what makes two of them cost the same, and what one costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

import torch

from ...hardware.calls import Argument, OperatorCall
from ...hardware.dtypes import code_of_dtype
from ...hardware.fused_kernels import fused_kernels
from ...hardware.fusion import Operation
from ...hardware.graph_edges import Edges
from ...hardware.operators.registry import backward_rule_for, is_free, unknown_work
from ...hardware.prediction import backward_work_of, eager_fixed_ns, predict, predict_call, work_of
from ...hardware.setup import Setup
from ...hardware.tensors import Tensor

_STUMBLES = (ArithmeticError, LookupError, TypeError, ValueError)
"""What rules raise for arguments that they do not expect."""

_OPTIONAL_TENSORS = "List[Optional[Tensor]]"
"""Indices, of which a recording says nothing: a call is to cost what its recording does."""

_Shown = Any
"""An argument without its values: a tensor is a pair of shape and dtype, a list is a tuple."""


class KernelCall(NamedTuple):
    """A call of an operator, without the values it was given.

    Attributes:
        operator: torch's operator, with its overload.
        given: What it was given by position.
        named: What it was given by name, as pairs.
    """

    operator: Any
    given: tuple[_Shown, ...]
    named: tuple[tuple[str, _Shown], ...]

    @property
    def name(self) -> str:
        """The operator's qualified name, such as ``aten::mm``."""
        return self.operator._schema.name

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators that the device ran one by one: this one."""
        return (self.name,)

    def launch_ns(self, setup: Setup) -> int:
        """What submitting the call takes the host."""
        return setup.parameters.eager_launch_ns

    def duration_ns(self, setup: Setup) -> int:
        """What the call takes the device as a kernel of its own; 0 where there is nothing to do."""
        if is_free(self.name):
            return 0
        call = self.call()
        try:
            prediction = predict_call(call, setup)
        except _STUMBLES:
            # The script goes on, whatever it gave to an operator: what is moved is priced.
            work = unknown_work(call)
            prediction = work and predict(work, setup, fixed_ns=eager_fixed_ns(setup))
        return prediction.duration_ns if prediction else 0

    def call(self) -> OperatorCall:
        """The call as the predictor has it."""
        return OperatorCall(self.name, tuple(map(argument, self._in_order())))

    def _in_order(self) -> Iterator[_Shown]:
        named = dict(self.named)
        for index, argument in enumerate(self.operator._schema.arguments):
            if str(argument.type) == _OPTIONAL_TENSORS:
                yield None
            elif index < len(self.given):
                yield self.given[index]
            else:
                yield named.get(argument.name, argument.default_value)


class BackwardCall(NamedTuple):
    """The backward pass of an operator that runs as one kernel.

    Attributes:
        forward: The operator's call.
    """

    forward: KernelCall

    @property
    def is_known(self) -> bool:
        """Whether there is a rule for it."""
        return backward_rule_for(self.forward.name) is not None

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators that the device ran one by one: this one."""
        return (f"{self.forward.name}_backward",)

    def launch_ns(self, setup: Setup) -> int:
        """What submitting the kernel takes the host."""
        return setup.parameters.eager_launch_ns

    def duration_ns(self, setup: Setup) -> int:
        """What the kernel takes the device."""
        work = backward_work_of(self.forward.call(), setup)
        if work is None:
            return 0
        return predict(work, setup, fixed_ns=eager_fixed_ns(setup)).duration_ns


class GraphCall:
    """An execution of a compiled graph, which is submitted as one.

    Args:
        operators: The graph's operators with their edges, in order.

    Attributes:
        operator_count: How many operators it has.
    """

    operators: tuple[str, ...] = ()
    """None ran by itself."""

    def __init__(self, operators: Iterable[tuple[OperatorCall, Edges]]) -> None:
        self._parts = tuple(operators)
        self.operator_count = len(self._parts)

    def launch_ns(self, setup: Setup) -> int:
        """What submitting the graph takes the host."""
        return setup.parameters.graph_launch_ns

    def duration_ns(self, setup: Setup) -> int:
        """What the graph takes the device."""
        operations: list[Operation] = []
        known: list[bool] = []
        for call, edges in self._parts:
            try:
                work, is_known = work_of(call, setup)
            except _STUMBLES:
                work, is_known = unknown_work(call), False
            if work is not None:
                operations.append(Operation(call, work, edges))
                known.append(is_known)
        kernels = fused_kernels(operations, known, setup)
        return sum(kernel.prediction.duration_ns for kernel in kernels)


def shown(value: Any) -> _Shown:
    """An argument without its values, to compare calls by."""
    if isinstance(value, torch.Tensor):
        return value.shape, value.dtype
    if isinstance(value, (list, tuple)):
        return tuple(map(shown, cast("Sequence[Any]", value)))
    return value


def argument(value: _Shown) -> Argument:
    """An argument as the predictor has it, which is as a recording would."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, torch.dtype):
        return code_of_dtype(_dtype_name(value))
    if _is_tensor(value):
        return _tensor(value)
    return _list(cast("Sequence[_Shown]", value)) if isinstance(value, (list, tuple)) else None


def _list(values: Sequence[_Shown]) -> tuple[Tensor, ...] | list[int] | str:
    if any(map(_is_tensor, values)):
        return tuple(map(_tensor, filter(_is_tensor, values)))
    if all(type(value) is int for value in values):
        return list(values)
    return str(list(values))


def _is_tensor(value: _Shown) -> bool:
    if not isinstance(value, tuple):
        return False
    pair = cast("tuple[_Shown, ...]", value)
    return len(pair) == 2 and isinstance(pair[1], torch.dtype)


def _tensor(value: _Shown) -> Tensor:
    shape, dtype = value
    return Tensor(tuple(shape), _dtype_name(dtype))


def _dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).rpartition(".")[2]
