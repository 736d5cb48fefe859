"""Dtypes, by torch's names: their sizes, how they combine, and what the engines make of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_SIZES: Final = {
    "bool": 1,
    "int8": 1,
    "uint8": 1,
    "qint8": 1,
    "quint8": 1,
    "float8_e4m3fn": 1,
    "float8_e5m2": 1,
    "float8_e4m3fnuz": 1,
    "float8_e5m2fnuz": 1,
    "float8_e8m0fnu": 1,
    "float4_e2m1fn_x2": 1,
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
"""Bytes an element takes."""

_UNKNOWN_SIZE: Final = 4

_BY_CODE: Final = {
    0: "uint8",
    1: "int8",
    2: "int16",
    3: "int32",
    4: "int64",
    5: "float16",
    6: "float32",
    7: "float64",
    8: "complex32",
    9: "complex64",
    10: "complex128",
    11: "bool",
    12: "qint8",
    13: "quint8",
    14: "qint32",
    15: "bfloat16",
    23: "float8_e5m2",
    24: "float8_e4m3fn",
    25: "float8_e5m2fnuz",
    26: "float8_e4m3fnuz",
    27: "uint16",
    28: "uint32",
    29: "uint64",
    44: "float8_e8m0fnu",
    45: "float4_e2m1fn_x2",
}
"""torch's ``ScalarType``: a dtype among an operator's arguments is recorded as its number."""

_CODES: Final = {name: code for code, name in _BY_CODE.items()}

_MATMUL_NAMES: Final = {"bfloat16": "bf16", "float16": "fp16"}

_DEFAULT_FLOAT: Final = "float32"
_DEFAULT_INTEGER: Final = "int64"


def element_size(dtype: str) -> int:
    """Bytes an element takes; 4 for a dtype that is not known."""
    return _SIZES.get(dtype, _UNKNOWN_SIZE)


def known_element_size(dtype: str) -> int | None:
    """Bytes an element takes; None for a dtype that is not known."""
    return _SIZES.get(dtype)


def numbers_in_element(dtype: str) -> int:
    """How many numbers an element is: 2 where torch packs them in pairs."""
    return 2 if dtype.endswith("_x2") else 1


def dtype_of_code(code: int | None) -> str | None:
    """The dtype that an argument of an operator stands for; None where it stands for none."""
    return None if code is None else _BY_CODE.get(code)


def code_of_dtype(dtype: str) -> int | None:
    """What a dtype is among an operator's arguments; None for a dtype that is not known."""
    return _CODES.get(dtype)


def is_floating(dtype: str) -> bool:
    """Whether a dtype is one of floating-point or complex numbers."""
    return _kind(dtype) >= 2


def is_complex(dtype: str) -> bool:
    """Whether a dtype is one of complex numbers: pairs of fractions, which the engines have not."""
    return dtype.startswith("complex")


def as_floating(dtype: str) -> str:
    """What integers become where an operator gives fractions; other dtypes stay."""
    return dtype if is_floating(dtype) else _DEFAULT_FLOAT


def as_sum(dtype: str) -> str:
    """What sums of a dtype are in, unless told otherwise: integers are summed in 64 bits."""
    return dtype if is_floating(dtype) else _DEFAULT_INTEGER


def as_real(dtype: str) -> str:
    """The dtype of a complex number's parts; other dtypes stay."""
    return {"complex32": "float16", "complex64": "float32", "complex128": "float64"}.get(
        dtype, dtype
    )


def as_complex(dtype: str) -> str:
    """The dtype of complex numbers made of a dtype; complex dtypes stay."""
    if is_complex(dtype):
        return dtype
    return {"float16": "complex32", "float64": "complex128"}.get(dtype, "complex64")


def promoted(
    dimensioned: Iterable[str], scalars: Iterable[str] = (), *, with_fraction: bool = False
) -> str:
    """The dtype that operands give together (torch's ``result_type``).

    Args:
        dimensioned: The dtypes of the tensors that have dimensions.
        scalars: Those of the tensors that have none; they count where they are of a higher kind.
        with_fraction: Whether a plain number that is no whole one takes part.
    """
    first, second = _joined(dimensioned), _joined(scalars)
    result = first or second or _DEFAULT_FLOAT
    if first and second and _kind(second) > _kind(first):
        # A complex number without dimensions takes over the precision of fractions.
        result = as_complex(first) if is_floating(first) else second
    return as_floating(result) if with_fraction else result


def _joined(dtypes: Iterable[str]) -> str:
    result = ""
    for dtype in dtypes:
        result = _pair(result, dtype) if result else dtype
    return result


def _pair(left: str, right: str) -> str:
    if left == right:
        return left
    if _kind(left) != _kind(right):
        higher, lower = (left, right) if _kind(left) > _kind(right) else (right, left)
        both_have_fractions = is_floating(lower)
        return as_complex(_pair(as_real(higher), lower)) if both_have_fractions else higher
    if element_size(left) == element_size(right):
        # bfloat16 and float16, or signed and unsigned: neither holds the other's numbers.
        size = 2 * element_size(left)
        return f"float{8 * size}" if is_floating(left) else f"int{min(8 * size, 64)}"
    return max(left, right, key=element_size)


def _kind(dtype: str) -> int:
    """Truth values, whole numbers, fractions, complex numbers, in this order."""
    if is_complex(dtype):
        return 3
    if dtype.startswith(("float", "bfloat")):
        return 2
    return 0 if dtype == "bool" else 1


def halved(dtype: str) -> str:
    """What the compiler's automatic cast makes of a dtype: bf16 of fp32, and of nothing else."""
    return "bfloat16" if dtype == _DEFAULT_FLOAT else dtype


def is_half_width(dtype: str) -> bool:
    """Whether the Vector and Scalar Engines have a faster mode for it: bf16 and fp16."""
    return as_real(dtype) in _MATMUL_NAMES


def matmul_dtype(dtype: str, *, has_block_scales: bool = False) -> str:
    """How the Tensor Engine's figures call a dtype: ``bf16``, ``fp16``, ``fp8`` or ``fp32``.

    Whatever the engine has no mode of its own for (integers, 64 bits) runs as fp32: products of
    int8 too, which the chips' pages have a peak for, but no documented instruction takes (AWS NKI
    documentation, ``nki.isa.nc_matmul``). Complex numbers run as their parts, and numbers of four
    bits, which fp8 holds, as those.

    Args:
        dtype: torch's name.
        has_block_scales: Whether each 32 numbers of fp8 or four bits have a scale: those are the MX
            formats, ``mxfp8`` and ``mxfp4``.
    """
    bits = next((bits for bits in (8, 4) if dtype.startswith(f"float{bits}_")), 0)
    if bits:
        return f"mxfp{bits}" if has_block_scales else "fp8"
    return _MATMUL_NAMES.get(as_real(dtype), "fp32")
