"""Tensors as the predictor sees them: a shape and a dtype, no values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_SIZES: Final = {
    "bool": 1,
    "int8": 1,
    "uint8": 1,
    "float8_e4m3fn": 1,
    "float8_e5m2": 1,
    "float8_e4m3fnuz": 1,
    "float8_e5m2fnuz": 1,
    "float8_e8m0fnu": 1,
    "int16": 2,
    "uint16": 2,
    "float16": 2,
    "bfloat16": 2,
    "int32": 4,
    "uint32": 4,
    "float32": 4,
    "complex32": 4,
    "int64": 8,
    "uint64": 8,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}
"""Bytes an element takes, by torch's name of the dtype."""

_UNKNOWN_SIZE: Final = 4

_MATMUL_NAMES: Final = {"bfloat16": "bf16", "float16": "fp16"}


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

    def shaped(self, shape: Iterable[int]) -> Tensor:
        """A tensor of the same dtype and another shape."""
        return Tensor(tuple(shape), self.dtype)


def product(sizes: Iterable[int]) -> int:
    """The product of sizes; 1 for none."""
    result = 1
    for size in sizes:
        result *= size
    return result


def element_size(dtype: str) -> int:
    """Bytes an element takes; 4 for a dtype that is not known."""
    return _SIZES.get(dtype, _UNKNOWN_SIZE)


def is_floating(dtype: str) -> bool:
    """Whether a dtype is one of floating-point or complex numbers."""
    return dtype.startswith(("float", "bfloat", "complex"))


def matmul_dtype(dtype: str) -> str:
    """How the Tensor Engine's figures call a dtype: ``bf16``, ``fp16``, ``fp8`` or ``fp32``.

    Whatever the engine has no mode of its own for (integers, 64 bits) runs as fp32.
    """
    if dtype.startswith("float8"):
        return "fp8"
    return _MATMUL_NAMES.get(dtype, "fp32")


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
