"""Which rule prices which operator."""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..work import Work
from . import (
    attention,
    collectives,
    convolution,
    elementwise,
    embedding,
    encoder_layers,
    factories,
    fourier,
    free,
    grouped_matmul,
    indexing,
    linear_algebra,
    losses,
    matmul,
    movement,
    normalization,
    optimizers,
    ordering,
    pooling,
    quantization,
    quantized_matmul,
    random_numbers,
    recurrent,
    reductions,
    resampling,
    softmax,
)
from .rule import Rule

_FAMILIES: Final = (
    matmul,
    quantized_matmul,
    grouped_matmul,
    convolution,
    pooling,
    attention,
    encoder_layers,
    recurrent,
    normalization,
    softmax,
    reductions,
    ordering,
    losses,
    elementwise,
    quantization,
    random_numbers,
    factories,
    movement,
    embedding,
    indexing,
    resampling,
    linear_algebra,
    fourier,
    optimizers,
)
_ATEN: Final[dict[str, Rule]] = {
    name: rule for family in _FAMILIES for name, rule in family.RULES.items()
}
_BACKWARD: Final[dict[str, Rule]] = {
    name: rule
    for family in (attention, normalization, softmax)
    for name, rule in family.BACKWARD_RULES.items()
}
_FREE: Final = free.VIEWS | free.ALLOCATION | free.HOST
_NO_KERNEL_NAMESPACES: Final = frozenset(
    ("autograd", "torch", "profiler", "prim", "sidelight", "detectron2")
)
"""Names of theirs are no operators but regions that somebody marked."""


def rule_for(name: str) -> Rule | None:
    """The rule of an operator, None where none is known.

    Args:
        name: Qualified, such as ``aten::add_``; the in-place form has the rule of the other.
    """
    namespace, _, operator = name.partition("::")
    if namespace in collectives.NAMESPACES:
        return collectives.RULES.get(operator.rstrip("_"))
    if namespace != "aten":
        return None
    base = operator[:-1] if operator.endswith("_") and not operator.endswith("__") else operator
    return _ATEN.get(base) or optimizers.foreach_rule(base)


def ruled_names() -> frozenset[str]:
    """The operators that have a rule, without namespace and underscore; those over lists aside."""
    return frozenset(_ATEN)


def backward_names() -> frozenset[str]:
    """The operators whose backward pass has a rule."""
    return frozenset(_BACKWARD)


def backward_rule_for(name: str) -> Rule | None:
    """The rule for the backward pass of a fused operator, from the forward call.

    It is for backward passes that were recorded in pieces, because where they were recorded the
    operator is made of others; None for operators whose pieces are priced one by one.
    """
    namespace, _, operator = name.partition("::")
    return _BACKWARD.get(operator) if namespace == "aten" else None


def is_free(name: str) -> bool:
    """Whether an operator costs the device nothing."""
    return _is_in(name, _FREE)


def is_free_alone(name: str) -> bool:
    """Whether an operator costs nothing where it calls no other operator."""
    return _is_in(name, free.PASSED_THROUGH)


def waits_for_device(name: str) -> bool:
    """Whether the host waits for the device in an operator."""
    return name == free.SYNCHRONIZE or _is_in(name, free.WAITS)


def is_operator(name: str) -> bool:
    """Whether a recorded name is that of an operator at all, not of a marked region."""
    namespace, separator, operator = name.partition("::")
    if not separator or " " in name or namespace in _NO_KERNEL_NAMESPACES:
        return False
    return namespace.isidentifier() and operator.replace("::", "").replace(".", "").isidentifier()


def unknown_work(call: OperatorCall) -> Work | None:
    """An operator without a rule: what it was given is read, and as much as its largest written.

    None for one that was given no tensor, and for a collective: its bytes of HBM are the least of
    what it takes.
    """
    tensors = call.tensors
    if not tensors or call.name.partition("::")[0] in collectives.NAMESPACES:
        return None
    largest = max(tensors, key=lambda tensor: tensor.nbytes)
    return Work(
        "unknown operator, priced by its bytes",
        read_bytes=sum(tensor.nbytes for tensor in tensors),
        written_bytes=largest.nbytes,
        vector_elements=largest.numel,
        dtype=largest.dtype,
    )


def _is_in(name: str, names: frozenset[str]) -> bool:
    namespace, _, operator = name.partition("::")
    return namespace == "aten" and (operator in names or operator.rstrip("_") in names)
