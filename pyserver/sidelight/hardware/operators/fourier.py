"""Fourier transforms: products with a matrix of sines and cosines, as no engine has butterflies.

A transform of n points splits in two of about the root of n each (Bailey's four-step scheme): two
products of complex numbers, four real ones each. FLOPs are the usual 5 n log2 n.
"""

from __future__ import annotations

from math import isqrt, log2
from typing import Final

from ..calls import OperatorCall
from ..dtypes import as_complex, as_real
from ..tensors import Tensor, product
from ..work import Matmul, Work
from .rule import Rule


def _transformed(call: OperatorCall) -> Work | None:
    source, dimensions = call.tensor(0), call.numbers(1)
    if source is None or not dimensions:
        return None
    if not all(0 <= each < len(source.shape) for each in dimensions):
        return None
    result = _result(call, source, dimensions)
    lengths = [max(source.size(each), result.size(each)) for each in dimensions]
    points = max(source.numel, result.numel)
    steps = max(1, isqrt(max(product(lengths), 1)))
    products = Matmul(4 * 2, max(points // steps, 1), steps, steps, as_real(result.dtype))
    return Work(
        "Fourier transform",
        flops=int(5 * points * log2(max(product(lengths), 2))),
        read_bytes=source.nbytes,
        written_bytes=result.nbytes,
        matmuls=(products,),
        vector_elements=2 * points,
        dtype=as_real(source.dtype),
    )


def _result(call: OperatorCall, source: Tensor, dimensions: list[int]) -> Tensor:
    """Real to complex may keep one half; complex to real names the last length."""
    sizes = list(source.shape)
    if call.name.endswith("_r2c"):
        if call.flag(3):
            sizes[dimensions[-1]] = sizes[dimensions[-1]] // 2 + 1
        return Tensor(tuple(sizes), as_complex(source.dtype))
    if call.name.endswith("_c2r"):
        sizes[dimensions[-1]] = call.number(3) or sizes[dimensions[-1]]
        return Tensor(tuple(sizes), as_real(source.dtype))
    return source


RULES: Final[dict[str, Rule]] = dict.fromkeys(("_fft_r2c", "_fft_c2r", "_fft_c2c"), _transformed)
