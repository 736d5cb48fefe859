"""An operator's inputs as people read them, from its recorded signature."""

from __future__ import annotations

from typing import Any, TypeGuard

import msgspec

_DTYPES = {
    "float": "float32",
    "double": "float64",
    "c10::Half": "float16",
    "c10::BFloat16": "bfloat16",
    "long": "int64",
    "long int": "int64",
    "int": "int32",
    "short": "int16",
    "short int": "int16",
    "signed char": "int8",
    "unsigned char": "uint8",
    "unsigned short": "uint16",
    "unsigned int": "uint32",
    "unsigned long": "uint64",
    "c10::complex<float>": "complex64",
    "c10::complex<double>": "complex128",
    "c10::complex<c10::Half>": "complex32",
}
"""What torch calls the types that the profiler names as C++ does; the others are tidied only."""

_NOT_TENSORS = frozenset({"", "Scalar", "ScalarList", "GenericList"})
_LIST = "TensorList"
_MOST_INPUTS = 12
_MOST_IN_LIST = 3


class _Signature(msgspec.Struct):
    dims: Any = msgspec.field(name="Input Dims", default=None)
    types: Any = msgspec.field(name="Input type", default=None)


def input_shapes(signature: str) -> list[str]:
    """The tensors among an operator's inputs, such as ``float32 [64, 1024]``.

    Args:
        signature: JSON of dims and types, as ``events.signature`` refers to. It comes from a
            trace: whatever in it is not understood is left out.
    """
    try:
        known = msgspec.json.decode(signature, type=_Signature)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return []
    dims, types = known.dims, known.types
    if not (_is_list(dims) and _is_list(types)):
        return []
    texts = [text for pair in zip(dims, types, strict=False) if (text := _input_text(*pair))]
    if len(texts) > _MOST_INPUTS:
        texts[_MOST_INPUTS:] = [f"and {len(texts) - _MOST_INPUTS} more"]
    return texts


def _input_text(dims: object, type_name: object) -> str | None:
    if not isinstance(type_name, str) or type_name in _NOT_TENSORS or not _is_list(dims):
        return None
    if type_name == _LIST:
        shapes = [_shape_text(shape) for shape in dims[:_MOST_IN_LIST]]
        more = ", …" if len(dims) > _MOST_IN_LIST else ""
        return f"list of {len(dims)}: {', '.join(shapes)}{more}" if shapes else "list of 0"
    return f"{_DTYPES.get(type_name, type_name.removeprefix('c10::').lower())} {_shape_text(dims)}"


def _shape_text(shape: object) -> str:
    if not _is_list(shape):
        return "[?]"
    return f"[{', '.join(str(size) if isinstance(size, int) else '?' for size in shape)}]"


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
