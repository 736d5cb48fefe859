"""What a trace recorded of an operator's inputs: their dims, types and values.

It comes from a trace: whatever in it is not understood is left out.
"""

from __future__ import annotations

from typing import Any, Final, TypeGuard

import msgspec

TENSOR_LIST: Final = "TensorList"
SCALAR: Final = "Scalar"
SCALAR_LIST: Final = "ScalarList"
NOT_TENSORS: Final = frozenset({"", SCALAR, SCALAR_LIST, "GenericList"})

_DTYPES: Final = {
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


class Signature(msgspec.Struct):
    """An operator's inputs as ``events.signature`` refers to them, of whatever types.

    Attributes:
        dims: The sizes of each; of a list of tensors the sizes of each of those.
        types: The type of each.
        values: The value of each that is no tensor, written out.
        list_types: The types in each that is a list of tensors, where that is known.
        operands: In a compiled graph: ``[value, view, elements]`` of each tensor among them.
        results: In a compiled graph: ``[value, elements, whether it leaves the graph]`` of each
            tensor that it gives.
    """

    dims: Any = msgspec.field(name="Input Dims", default=None)
    types: Any = msgspec.field(name="Input type", default=None)
    values: Any = msgspec.field(name="Concrete Inputs", default=None)
    list_types: Any = msgspec.field(name="List types", default=None)
    operands: Any = msgspec.field(name="Operands", default=None)
    results: Any = msgspec.field(name="Results", default=None)


def decode_signature(text: str) -> Signature | None:
    """The signature, None where it is none."""
    try:
        return msgspec.json.decode(text, type=Signature)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def lacks_a_list(text: str) -> bool:
    """Whether a list of tensors is in a signature without their sizes, which the longest are."""
    known = decode_signature(text)
    if known is None or not (is_list(known.dims) and is_list(known.types)):
        return False
    return any(
        type_name == TENSOR_LIST and not dims
        for dims, type_name in zip(known.dims, known.types, strict=False)
    )


def dtype_name(type_name: str) -> str:
    """torch's name of a tensor's type, such as ``float32`` for ``float``."""
    return _DTYPES.get(type_name, type_name.removeprefix("c10::").lower())


def is_list(value: object) -> TypeGuard[list[object]]:
    """Whether a decoded value is a list."""
    return isinstance(value, list)
