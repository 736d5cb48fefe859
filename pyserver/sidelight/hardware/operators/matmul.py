"""Matrix products. FLOPs as ``torch.utils.flop_counter`` has them: two a multiplication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Optional

from ..calls import OperatorCall
from ..tensors import Tensor, product
from ..work import Matmul, Work

Rule = Callable[[OperatorCall], Optional[Work]]


def matmul_work(
    rule: str, left: Tensor, right: Tensor, *, added: Tensor | None = None, batch: int = 1
) -> Work | None:
    """``batch`` products of the last two dimensions of two tensors, and what is added to them.

    Args:
        rule: How the operator was understood.
        left: ``[..., m, k]``.
        right: ``[..., k, n]``.
        added: A bias or matrix that the result is added to.
        batch: How many products there are.
    """
    if len(left.shape) < 2 or len(right.shape) < 2 or left.shape[-1] != right.shape[-2]:
        return None
    m, k, n = left.shape[-2], left.shape[-1], right.shape[-1]
    matmul = Matmul(batch, m, k, n, left.dtype)
    result = Tensor((batch, m, n), left.dtype)
    return Work(
        rule,
        flops=matmul.flops,
        read_bytes=left.nbytes + right.nbytes + (added.nbytes if added else 0),
        written_bytes=result.nbytes,
        matmuls=(matmul,),
        dtype=left.dtype,
    )


def _mm(call: OperatorCall) -> Work | None:
    left, right = call.tensor(0), call.tensor(1)
    return matmul_work("matrix product", left, right) if left and right else None


def _addmm(call: OperatorCall) -> Work | None:
    added, left, right = call.tensor(0), call.tensor(1), call.tensor(2)
    if not (added and left and right):
        return None
    return matmul_work("matrix product and addition", left, right, added=added)


def _bmm(call: OperatorCall) -> Work | None:
    left, right = call.tensor(0), call.tensor(1)
    if not (left and right) or len(left.shape) != 3:
        return None
    return matmul_work("batched matrix product", left, right, batch=left.shape[0])


def _baddbmm(call: OperatorCall) -> Work | None:
    added, left, right = call.tensor(0), call.tensor(1), call.tensor(2)
    if not (added and left and right) or len(left.shape) != 3:
        return None
    rule = "batched matrix product and addition"
    return matmul_work(rule, left, right, added=added, batch=left.shape[0])


def _vector(call: OperatorCall) -> Work | None:
    """``mv`` and ``addmv``: a matrix and a vector, the last two arguments."""
    *_, matrix, vector = [*call.tensors, None, None][: len(call.tensors)] or [None, None]
    if not matrix or not vector or len(matrix.shape) != 2 or len(vector.shape) != 1:
        return None
    return matmul_work("matrix-vector product", matrix, vector.shaped((vector.shape[0], 1)))


def _dot(call: OperatorCall) -> Work | None:
    left, right = call.tensor(0), call.tensor(1)
    if not (left and right):
        return None
    return Work(
        "dot product",
        flops=2 * left.numel,
        read_bytes=left.nbytes + right.nbytes,
        written_bytes=Tensor((), left.dtype).nbytes,
        vector_elements=left.numel,
        dtype=left.dtype,
    )


def _linear(call: OperatorCall) -> Work | None:
    """``aten::linear`` where it is one kernel (some backends): ``x @ weight.T + bias``."""
    inputs, weight, bias = call.tensor(0), call.tensor(1), call.tensor(2)
    if not (inputs and weight) or len(weight.shape) != 2 or not inputs.shape:
        return None
    rows = product(inputs.shape[:-1])
    flat, turned = inputs.shaped((rows, inputs.shape[-1])), weight.shaped(weight.shape[::-1])
    return matmul_work("linear layer", flat, turned, added=bias)


RULES: Final[dict[str, Rule]] = {
    "mm": _mm,
    "_scaled_mm": _mm,
    "_int_mm": _mm,
    "addmm": _addmm,
    "_addmm_activation": _addmm,
    "bmm": _bmm,
    "baddbmm": _baddbmm,
    "mv": _vector,
    "addmv": _vector,
    "dot": _dot,
    "vdot": _dot,
    "mkldnn_linear": _linear,
    "_mkldnn_linear": _linear,
}
