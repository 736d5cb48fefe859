"""Tensors as the predictor sees them: a shape and a dtype, no values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .dtypes import element_size


@dataclass(frozen=True)
class Tensor:
    """A dense tensor.

    Attributes:
        shape: Its sizes; empty for a scalar.
        dtype: torch's name of its dtype, such as ``bfloat16``.
    """

    shape: tuple[int, ...]
    dtype: str

    @property
    def numel(self) -> int:
        """How many elements it has."""
        return product(self.shape)

    @property
    def nbytes(self) -> int:
        """How many bytes its elements take."""
        return self.numel * element_size(self.dtype)

    def size(self, dimension: int) -> int:
        """The size along a dimension, which may count from the end; 1 where there is none."""
        if -len(self.shape) <= dimension < len(self.shape):
            return self.shape[dimension]
        return 1

    def shaped(self, shape: Iterable[int]) -> Tensor:
        """A tensor of the same dtype and another shape."""
        return Tensor(tuple(shape), self.dtype)

    def typed(self, dtype: str) -> Tensor:
        """A tensor of the same shape and another dtype."""
        return Tensor(self.shape, dtype)


def product(sizes: Iterable[int]) -> int:
    """The product of sizes; 1 for none."""
    result = 1
    for size in sizes:
        result *= size
    return result


def total_bytes(tensors: Iterable[Tensor]) -> int:
    """How many bytes tensors take together."""
    return sum(tensor.nbytes for tensor in tensors)


def broadcast(tensors: Iterable[Tensor]) -> tuple[int, ...]:
    """The shape that elementwise operands give together; sizes that do not fit take the larger."""
    result: list[int] = []
    for tensor in tensors:
        shape = tensor.shape
        missing = len(shape) - len(result)
        result = [1] * missing + result if missing > 0 else result
        offset = len(result) - len(shape)
        for index, size in enumerate(shape):
            current = result[offset + index]
            result[offset + index] = 0 if 0 in (size, current) else max(size, current)
    return tuple(result)
