"""Recorded operators as the predictor wants them: a name, and what it was given."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Final, TypeGuard

import msgspec

from sidelight.analysis.signatures import (
    NOT_TENSORS,
    SCALAR,
    SCALAR_LIST,
    TENSOR_LIST,
    decode_signature,
    dtype_name,
    is_list,
)
from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.dtypes import is_floating
from sidelight.hardware.tensors import Tensor, product

_DEFAULT_DTYPE: Final = "float32"

_MOST_DIMENSIONS: Final = 64
"""torch's own limit of what it iterates over."""

_MOST_ELEMENTS: Final = 1 << 48
"""No memory holds as many: a trace that says so gives no sizes."""

_LARGEST_NUMBER: Final = (1 << 63) - 1
"""torch's numbers have 64 bits."""

_Shape = tuple[int, ...]


class OperatorCalls:
    """Decodes the signatures of one profile's operators.

    The profiler writes no dtype for the tensors of a list (``cat``, ``_foreach_add_``). Where
    nothing else says, each is taken to have the floating dtype that tensors of its shape mostly
    have elsewhere in the profile, or else the one that all tensors mostly have.

    Args:
        signatures: The signatures of the profile, and how often there is each.
        ranks: How many processes the program ran in, None where that is not known.
    """

    def __init__(self, signatures: Mapping[str, int], ranks: int | None = None) -> None:
        self._ranks = ranks
        by_shape: defaultdict[_Shape, Counter[str]] = defaultdict(Counter)
        overall: Counter[str] = Counter()
        for text, times in signatures.items():
            for argument in _arguments(text, {}, _DEFAULT_DTYPE):
                if isinstance(argument, Tensor) and argument.shape and is_floating(argument.dtype):
                    by_shape[argument.shape][argument.dtype] += times
                    overall[argument.dtype] += times
        self._dtype_of_shape = {
            shape: dtypes.most_common(1)[0][0] for shape, dtypes in by_shape.items()
        }
        self._usual_dtype = overall.most_common(1)[0][0] if overall else _DEFAULT_DTYPE

    def call(self, name: str, signature: str) -> OperatorCall:
        """The call of an operator; without arguments where its signature says nothing."""
        arguments = _arguments(signature, self._dtype_of_shape, self._usual_dtype)
        return OperatorCall(name, arguments, self._ranks)


def _arguments(
    signature: str, dtype_of_shape: dict[_Shape, str], usual_dtype: str
) -> tuple[Argument, ...]:
    known = decode_signature(signature)
    if known is None or not (is_list(known.dims) and is_list(known.types)):
        return ()
    values = known.values if is_list(known.values) else []
    values += [""] * (len(known.dims) - len(values))
    list_types = known.list_types if is_list(known.list_types) else []
    list_types += [None] * (len(known.dims) - len(list_types))
    arguments: list[Argument] = []
    inputs = zip(known.dims, known.types, values, list_types, strict=False)
    for dims, type_name, value, types in inputs:
        if type_name == TENSOR_LIST:
            arguments.append(tuple(_listed(dims, types, dtype_of_shape, usual_dtype)))
        elif isinstance(type_name, str) and type_name not in NOT_TENSORS:
            shape = _shape(dims)
            arguments.append(None if shape is None else Tensor(shape, dtype_name(type_name)))
        else:
            arguments.append(_value(value) if type_name in (SCALAR, SCALAR_LIST) else None)
    return tuple(arguments)


def _listed(
    dims: object, types: object, dtype_of_shape: dict[_Shape, str], usual_dtype: str
) -> Iterator[Tensor]:
    """The tensors of a list whose sizes were recorded."""
    sizes = dims if is_list(dims) else []
    known = types[: len(sizes)] if is_list(types) else []
    for each, type_name in zip_longest(sizes, known):
        shape = _shape(each)
        if shape is not None:
            is_known = isinstance(type_name, str)
            guess = dtype_of_shape.get(shape, usual_dtype)
            yield Tensor(shape, dtype_name(type_name) if is_known else guess)


def _shape(dims: object) -> _Shape | None:
    """The sizes of a tensor; None where they are none that a tensor can have."""
    if not is_list(dims) or len(dims) > _MOST_DIMENSIONS:
        return None
    sizes = tuple(size for size in dims if type(size) is int and 0 <= size <= _MOST_ELEMENTS)
    fits = product(max(size, 1) for size in sizes) <= _MOST_ELEMENTS
    return sizes if fits and len(sizes) == len(dims) else None


def _value(text: object) -> Argument:
    """A number, truth value or list of whole numbers from the text that torch writes."""
    if not isinstance(text, str):
        return None
    if text in ("True", "False"):
        return text == "True"
    try:
        value = msgspec.json.decode(text + "0" if text.endswith(".") else text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return text or None
    if is_list(value):
        numbers = [each for each in value if _is_whole(each)]
        return numbers if len(numbers) == len(value) else None
    return value if isinstance(value, float) or _is_whole(value) else None


def _is_whole(value: object) -> TypeGuard[int]:
    return type(value) is int and abs(value) <= _LARGEST_NUMBER
