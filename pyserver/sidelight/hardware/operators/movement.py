"""Operators that move data and compute nothing: no FLOPs, DMA engines, HBM to HBM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Optional

from ..calls import OperatorCall
from ..tensors import Tensor, element_size, product
from ..work import Work

Rule = Callable[[OperatorCall], Optional[Work]]

_SCALAR_TYPES: Final = [
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex32",
    "complex64",
    "complex128",
    "bool",
    "qint8",
    "quint8",
    "qint32",
    "bfloat16",
]
"""torch's ``ScalarType``: a dtype among an operator's arguments is recorded as its number."""


def _moved(
    rule: str, read: Tensor, written: Tensor, *, transposes: bool = False, descriptors: int = 0
) -> Work:
    """Read, and written elsewhere; converting the dtype takes a pass of the Vector Engine."""
    converts = read.dtype != written.dtype
    return Work(
        rule,
        read_bytes=read.nbytes,
        written_bytes=written.nbytes,
        vector_elements=written.numel if converts else 0,
        dtype=written.dtype,
        transposes=transposes,
        descriptors=descriptors,
    )


def _copy_to(call: OperatorCall) -> Work | None:
    """``copy_``: the first argument is written, the second read."""
    target, source = call.tensor(0), call.tensor(1)
    if not (target and source):
        return None
    return _moved("conversion" if target.dtype != source.dtype else "copy", source, target)


def _to_copy(call: OperatorCall) -> Work | None:
    source, code = call.tensor(0), call.number(1)
    if source is None:
        return None
    dtype = source.dtype
    if code is not None and 0 <= code < len(_SCALAR_TYPES):
        dtype = _SCALAR_TYPES[code]
    rule = "conversion" if dtype != source.dtype else "copy"
    return _moved(rule, source, Tensor(source.shape, dtype))


def _clone(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    return _moved("copy", source, source) if source else None


def _filled(call: OperatorCall) -> Work | None:
    target = call.tensor(0)
    if target is None:
        return None
    return Work("fill", written_bytes=target.nbytes, dtype=target.dtype)


def _range(call: OperatorCall) -> Work | None:
    end = next((value for value in reversed(call.arguments) if isinstance(value, int)), None)
    target = call.tensor(0) or (Tensor((max(end, 0),), "int64") if end is not None else None)
    if target is None:
        return None
    return Work(
        "sequence of numbers",
        written_bytes=target.nbytes,
        gpsimd_elements=target.numel,
        dtype=target.dtype,
    )


def _joined(call: OperatorCall) -> Work | None:
    """``cat`` and ``stack``: every part read, the whole written."""
    parts = call.tensor_list(0)
    if not parts:
        return None
    total = parts[0].shaped((sum(part.numel for part in parts),))
    return _moved("concatenation", total, total)


def _repeated(call: OperatorCall) -> Work | None:
    source, times = call.tensor(0), call.numbers(1)
    if source is None or not times:
        return None
    return _moved("repetition", source, source.shaped((source.numel * product(times),)))


def _embedding(call: OperatorCall) -> Work | None:
    """Rows of a table, gathered one DMA transfer each."""
    table, indices = call.tensor(0), call.tensor(1)
    if not (table and indices) or len(table.shape) != 2:
        return None
    rows = table.shaped((indices.numel, table.shape[1]))
    moved = _moved("rows gathered", rows, rows, descriptors=indices.numel)
    return _with_read(moved, indices.nbytes)


def _index_select(call: OperatorCall) -> Work | None:
    table, dimension, indices = call.tensor(0), call.number(1), call.tensor(2)
    if not (table and indices) or dimension is None or not table.shape:
        return None
    kept = table.numel // max(table.shape[dimension], 1)
    rows = table.shaped((indices.numel * kept,))
    return _with_read(
        _moved("rows gathered", rows, rows, descriptors=indices.numel), indices.nbytes
    )


def _embedding_backward(call: OperatorCall) -> Work | None:
    """The table's gradient: zeroed as a whole, then rows added into it one by one."""
    gradient, indices, rows = call.tensor(0), call.tensor(1), call.number(2)
    if not (gradient and indices) or rows is None or not gradient.shape:
        return None
    width = gradient.shape[-1]
    table_bytes = rows * width * element_size(gradient.dtype)
    return Work(
        "rows scattered and added",
        flops=gradient.numel,
        read_bytes=2 * gradient.nbytes + indices.nbytes,
        written_bytes=table_bytes + gradient.nbytes,
        vector_elements=gradient.numel,
        dtype=gradient.dtype,
        descriptors=indices.numel,
    )


def _gather(call: OperatorCall) -> Work | None:
    """``gather``, elements picked one by one: as many results as indices."""
    source = call.tensor(0)
    indices = call.tensor(2)
    if not (source and indices):
        return None
    picked = source.shaped((indices.numel,))
    return _with_read(
        _moved("elements gathered", picked, picked, descriptors=indices.numel), indices.nbytes
    )


def _scatter(call: OperatorCall) -> Work | None:
    """``scatter`` and ``scatter_add``: the target copied, elements written one by one."""
    target, indices = call.tensor(0), call.tensor(2)
    if not (target and indices):
        return None
    element = element_size(target.dtype)
    return Work(
        "elements scattered",
        flops=indices.numel,
        read_bytes=indices.nbytes + 2 * indices.numel * element,
        written_bytes=indices.numel * element,
        vector_elements=indices.numel,
        dtype=target.dtype,
        descriptors=indices.numel,
    )


def _index(call: OperatorCall) -> Work | None:
    """``x[indices]``: the leading indexed dimensions give way to the indices' shape."""
    source, indices = call.tensor(0), call.tensor_list(1)
    if source is None or not indices:
        return None
    picks = max(index.numel for index in indices)
    row = product(source.shape[len(indices) :])
    rows = source.shaped((picks * row,))
    read = sum(index.nbytes for index in indices)
    return _with_read(_moved("rows gathered", rows, rows, descriptors=picks), read)


def _index_put(call: OperatorCall) -> Work | None:
    target, indices, values = call.tensor(0), call.tensor_list(1), call.tensor(2)
    if target is None or values is None:
        return None
    picks = max((index.numel for index in indices), default=1)
    read = sum(index.nbytes for index in indices)
    return _with_read(_moved("rows scattered", values, values, descriptors=picks), read)


def _triangle(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    return Work(
        "triangle",
        read_bytes=source.nbytes,
        written_bytes=source.nbytes,
        gpsimd_elements=source.numel,
        dtype=source.dtype,
    )


def _rearranged(call: OperatorCall) -> Work | None:
    """``flip``, ``roll`` and padding: the data in another order."""
    source = call.tensor(0)
    return _moved("rearrangement", source, source) if source else None


def _with_read(work: Work, read_bytes: int) -> Work:
    return replace(work, read_bytes=work.read_bytes + read_bytes)


RULES: Final[dict[str, Rule]] = {
    "copy": _copy_to,
    "_to_copy": _to_copy,
    "clone": _clone,
    **dict.fromkeys(["fill", "zero", "fill_diagonal"], _filled),
    **dict.fromkeys(["arange", "range", "linspace", "eye"], _range),
    **dict.fromkeys(["cat", "concat", "concatenate", "stack"], _joined),
    **dict.fromkeys(["repeat", "tile"], _repeated),
    **dict.fromkeys(["flip", "roll", "constant_pad_nd", "reflection_pad2d"], _rearranged),
    "embedding": _embedding,
    "index_select": _index_select,
    **dict.fromkeys(("embedding_dense_backward", "embedding_backward"), _embedding_backward),
    "gather": _gather,
    **dict.fromkeys(["scatter", "scatter_add", "scatter_reduce"], _scatter),
    "index": _index,
    **dict.fromkeys(["index_put", "_index_put_impl", "index_copy"], _index_put),
    **dict.fromkeys(["triu", "tril"], _triangle),
}
