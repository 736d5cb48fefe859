"""Tensors that are made of the values of others: ``torch.tensor([first, second])``."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, Callable, cast

import torch
from torch._subclasses.fake_tensor import FakeTensor

_TYPES: dict[type, Callable[[], torch.dtype]] = {
    bool: lambda: torch.bool,
    int: lambda: torch.long,
    float: torch.get_default_dtype,
    complex: lambda: torch.promote_types(torch.get_default_dtype(), torch.complex32),
}
"""What torch makes of Python's numbers."""


def install() -> None:
    """Have torch take tensors without values in the place of numbers, from now on."""
    module, tensor = cast(Any, torch), cast(Any, torch.Tensor)
    module.tensor = _of_numbers(module.tensor, position=0)
    module.as_tensor = _of_numbers(module.as_tensor, position=0)
    tensor.new_tensor = _of_numbers(tensor.new_tensor, position=1)


def _of_numbers(real: Callable[..., Any], position: int) -> Callable[..., Any]:
    """A function that is given numbers at a position, where torch would read tensors' memory."""

    @functools.wraps(real)
    def make(*arguments: Any, **keywords: Any) -> Any:
        data = arguments[position] if position < len(arguments) else None
        if not isinstance(data, (list, tuple)) or not _holds_tensor(data):
            return real(*arguments, **keywords)
        if keywords.get("dtype") is None:
            keywords["dtype"] = reduce(torch.promote_types, map(_dtype, _flat(data)))
        before, after = arguments[:position], arguments[position + 1 :]
        return real(*before, _numbers(data), *after, **keywords)

    return make


def _holds_tensor(data: Any) -> bool:
    return any(
        isinstance(each, FakeTensor) or (isinstance(each, (list, tuple)) and _holds_tensor(each))
        for each in data
    )


def _flat(data: Any) -> Iterator[Any]:
    if isinstance(data, (list, tuple)):
        for each in cast("Sequence[Any]", data):
            yield from _flat(each)
    else:
        yield data


def _numbers(data: Any) -> Any:
    """The same with numbers in the place of tensors."""
    if isinstance(data, (list, tuple)):
        return [_numbers(each) for each in cast("Sequence[Any]", data)]
    if isinstance(data, torch.Tensor):
        tensor: Any = data
        return tensor.tolist() if tensor.dim() else tensor.item()
    return data


def _dtype(number: Any) -> torch.dtype:
    if isinstance(number, torch.Tensor):
        return number.dtype
    return _TYPES.get(number.__class__, torch.get_default_dtype)()
