"""An operator's inputs as people read them, from its recorded signature."""

from __future__ import annotations

from sidelight.analysis.signatures import (
    NOT_TENSORS,
    TENSOR_LIST,
    decode_signature,
    dtype_name,
    is_list,
)

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
