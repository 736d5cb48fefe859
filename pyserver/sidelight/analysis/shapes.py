"""An operator's inputs as people read them, from its recorded signature."""

from __future__ import annotations

from itertools import zip_longest

import msgspec

from sidelight.analysis.signatures import (
    NOT_TENSORS,
    TENSOR_LIST,
    decode_signature,
    dtype_name,
    is_list,
)
from sidelight.hardware.dtypes import known_element_size
from sidelight.hardware.tensors import product

_MOST_INPUTS = 12
_MOST_IN_LIST = 3


def input_shapes(signature: str) -> list[str]:
    """The tensors among an operator's inputs, such as ``float32 [64, 1024]``.

    Args:
        signature: JSON of dims and types, as ``events.signature`` refers to. It comes from a
            trace: whatever in it is not understood is left out.
    """
    known = decode_signature(signature)
    if known is None:
        return []
    dims, types = known.dims, known.types
    if not (is_list(dims) and is_list(types)):
        return []
    texts = [text for pair in zip(dims, types, strict=False) if (text := _input_text(*pair))]
    if len(texts) > _MOST_INPUTS:
        texts[_MOST_INPUTS:] = [f"and {len(texts) - _MOST_INPUTS} more"]
    return texts


class TensorBytes(msgspec.Struct, frozen=True):
    """How large an operator's input tensors are, each once.

    Attributes:
        known_bytes: Those whose sizes and dtypes are known, together.
        unknown: How many there are besides.
    """

    known_bytes: int
    unknown: int


def input_bytes(signature: str) -> TensorBytes | None:
    """How large the tensors among an operator's inputs are: elements times the size of one.

    Args:
        signature: As ``input_shapes`` takes it.

    Returns:
        None where nothing is recorded of the inputs.
    """
    known = decode_signature(signature)
    if known is None or not (is_list(known.dims) and is_list(known.types)):
        return None
    list_types = known.list_types if is_list(known.list_types) else []
    sizes: list[int | None] = []
    inputs = zip_longest(known.dims, known.types, list_types[: len(known.dims)])
    for dims, type_name, types in inputs:
        if not isinstance(type_name, str) or type_name in NOT_TENSORS:
            continue
        if type_name != TENSOR_LIST:
            sizes.append(_tensor_bytes(dims, type_name))
        elif not is_list(dims) or not dims:  # the profiler leaves out what is in long lists
            sizes.append(None)
        else:
            of_list = types if is_list(types) else []
            pairs = zip_longest(dims, of_list[: len(dims)])
            sizes += [_tensor_bytes(shape, each) for shape, each in pairs]
    return TensorBytes(sum(size or 0 for size in sizes), sizes.count(None))


def _tensor_bytes(shape: object, type_name: object) -> int | None:
    if not is_list(shape) or not isinstance(type_name, str):
        return None
    element_bytes = known_element_size(dtype_name(type_name))
    sizes = [size for size in shape if isinstance(size, int) and size >= 0]
    if element_bytes is None or len(sizes) != len(shape):
        return None
    return product(sizes) * element_bytes


def _input_text(dims: object, type_name: object) -> str | None:
    if not isinstance(type_name, str) or type_name in NOT_TENSORS or not is_list(dims):
        return None
    if type_name == TENSOR_LIST:
        shapes = [_shape_text(shape) for shape in dims[:_MOST_IN_LIST]]
        more = ", …" if len(dims) > _MOST_IN_LIST else ""
        return f"list of {len(dims)}: {', '.join(shapes)}{more}" if shapes else "list of 0"
    return f"{dtype_name(type_name)} {_shape_text(dims)}"


def _shape_text(shape: object) -> str:
    if not is_list(shape):
        return "[?]"
    return f"[{', '.join(str(size) if isinstance(size, int) else '?' for size in shape)}]"
