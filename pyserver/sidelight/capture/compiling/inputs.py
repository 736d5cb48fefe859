"""What the nodes of a compiled graph are given: as the profiler and as the predictor have it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import torch

from ...hardware.calls import Argument
from ...hardware.dtypes import dtype_of_code
from ...hardware.tensors import Tensor
from ..device.kernel_calls import argument

_ops: Any = cast("Any", torch)._ops


class UnknownSizeError(Exception):
    """A size is in values: it is not known before the graph runs."""


_CODES = {name: code for code in range(64) if (name := dtype_of_code(code))}
"""The number that the profiler writes for a dtype."""

_Node = Any
"""A ``torch.fx.Node``, whose attributes are of any type."""

_Written = tuple[Any, str, str]
"""Sizes, type and value of one input, as the profiler writes them."""

_NOTHING: _Written = ([], "", "")

_DTYPE_OF_NUMBER = {
    bool: torch.bool,
    int: torch.int64,
    float: torch.float64,
    complex: torch.complex128,
}
"""What a number is as a tensor."""

_NUMBERS = tuple(_DTYPE_OF_NUMBER)


def inputs_of(node: _Node) -> Iterator[tuple[Any, bool]]:
    """A node's inputs in the order of its operator's schema, those left out included.

    Yields:
        Each with whether it is, or stands for, a tensor by the schema.
    """
    if not isinstance(node.target, _ops.OpOverload):
        for value in (*node.args, *node.kwargs.values()):
            yield value, False
        return
    for index, parameter in enumerate(node.target._schema.arguments):
        is_tensor = str(parameter.type) in ("Tensor", "Optional[Tensor]")
        if index < len(node.args):
            yield node.args[index], is_tensor
        else:
            yield node.kwargs.get(parameter.name, parameter.default_value), is_tensor


def tensors_in(value: Any, stands_for_tensor: bool) -> Iterator[Any]:
    """The tensors that an input is: nodes, or a number that stands for one.

    Args:
        value: The input.
        stands_for_tensor: Whether it is, or stands for, a tensor by the schema.
    """
    if _is_tensor(value) or (stands_for_tensor and isinstance(value, _NUMBERS)):
        yield value
    elif isinstance(value, (list, tuple)) and _tensor_list(value):
        yield from value


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.fx.Node) and isinstance(value.meta.get("val"), torch.Tensor)


def _tensor_list(values: Any) -> bool:
    return bool(values) and all(map(_is_tensor, values))


def tensors_of(example: Any) -> list[Any]:
    """The tensors that an example of a node's result holds, in order."""
    values: tuple[Any, ...] = (example,)
    if isinstance(example, (list, tuple)):
        values = tuple(cast("Any", example))
    return [value for value in values if isinstance(value, torch.Tensor)]


def elements_of(tensor: Any) -> int:
    """How many elements a tensor has; 1 where there is none.

    Raises:
        UnknownSizeError: A size is in values.
    """
    count = 1
    for size in () if tensor is None else _sizes(tensor):
        count *= size
    return count


def _sizes(tensor: Any) -> list[int]:
    return [_known(size) for size in tensor.shape]


def _known(size: Any) -> int:
    """A size, or the one that a size which may vary had when the graph was compiled."""
    known = size if isinstance(size, int) else _hint(size)
    if known is None:
        raise UnknownSizeError
    return int(known)


def argument_of(value: Any, stands_for_tensor: bool) -> Argument:
    """An input as the predictor has it.

    Args:
        value: The input.
        stands_for_tensor: Whether it is, or stands for, a tensor by the schema.
    """
    if _is_tensor(value):
        return _tensor(value)
    if stands_for_tensor and isinstance(value, _NUMBERS):
        return Tensor((), _dtype_name(_DTYPE_OF_NUMBER[type(value)]))
    if isinstance(value, torch.fx.Node):
        return argument(_hint(value.meta.get("val")))
    if isinstance(value, (list, tuple)) and _tensor_list(value):
        return tuple(map(_tensor, cast("Any", value)))
    return argument(value)


def _tensor(node: _Node) -> Tensor:
    example = node.meta["val"]
    return Tensor(tuple(_sizes(example)), _dtype_name(example.dtype))


def types_in(value: Any) -> list[str] | None:
    """The types of the tensors in an input that is a list of such; None for another input."""
    if not isinstance(value, (list, tuple)) or not _tensor_list(value):
        return None
    return [_dtype_name(each.meta["val"].dtype) for each in cast("Any", value)]


def written(value: Any, stands_for_tensor: bool) -> _Written:
    """An input's sizes, type and value as the profiler writes them.

    Args:
        value: The input.
        stands_for_tensor: Whether it is, or stands for, a tensor by the schema.
    """
    if isinstance(value, torch.fx.Node):
        example = value.meta.get("val")
        if isinstance(example, torch.Tensor):
            return _sizes(example), _dtype_name(example.dtype), ""
        return _NOTHING if example is None else _written_number(example)
    if isinstance(value, (list, tuple)):
        return _written_list(cast("Any", value))
    if isinstance(value, torch.dtype):
        code = _CODES.get(_dtype_name(value))
        return _NOTHING if code is None else ([], "Scalar", str(code))
    if stands_for_tensor and isinstance(value, _NUMBERS):
        return [], _dtype_name(_DTYPE_OF_NUMBER[type(value)]), ""
    if isinstance(value, (*_NUMBERS, str)):
        return [], "Scalar", str(value)
    return _NOTHING


def _written_list(values: Any) -> _Written:
    if _tensor_list(values):
        return [_sizes(each.meta["val"]) for each in values], "TensorList", ""
    if all(isinstance(each, _NUMBERS) for each in values):
        return [], "ScalarList", f"[{', '.join(map(str, values))}]"
    return [], "GenericList", ""


def _written_number(example: Any) -> _Written:
    """A number that another node of the graph gives, such as a size."""
    hint = _hint(example)
    return _NOTHING if hint is None else ([], "Scalar", str(hint))


def _hint(example: Any) -> Any:
    """A number, or the one that a number which may vary had when the graph was compiled."""
    if isinstance(example, _NUMBERS):
        return example
    return getattr(getattr(example, "node", None), "hint", None)


def _dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).rpartition(".")[2]
