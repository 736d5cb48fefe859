"""Matrix products. FLOPs as ``torch.utils.flop_counter`` has them: two a multiplication.

What is added to a product is added while it leaves PSUM, which takes no pass of its own (an
instruction that reads one operand from PSUM and one from SBUF is as fast as a copy; AWS NKI
documentation, ``nki.isa.tensor_tensor``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..calls import OperatorCall
from ..dtypes import is_complex, numbers_in_element
from ..tensors import Tensor, product, total_bytes
from ..work import Matmul, Work
from .rule import Rule


def matmul_work(
    rule: str,
    left: Tensor | None,
    right: Tensor | None,
    *,
    others: list[Tensor] | None = None,
    batch: int = 1,
    result_dtype: str | None = None,
    has_block_scales: bool = False,
) -> Work | None:
    """``batch`` products of the last two dimensions of two tensors.

    Where torch packs numbers in pairs it counts a pair as one; the time is that of all of them.

    Args:
        rule: How the operator was understood.
        left: ``[..., m, k]``.
        right: ``[..., k, n]``.
        others: What is read beside the two: biases, scales.
        batch: How many products there are.
        result_dtype: The dtype of the result, if it is not that of ``left``.
        has_block_scales: Whether each 32 numbers of the two have a scale.
    """
    if not (left and right) or len(left.shape) < 2 or len(right.shape) < 2:
        return None
    if left.shape[-1] != right.shape[-2]:
        return None
    m, k, n = left.shape[-2], left.shape[-1], right.shape[-1]
    numbers = k * numbers_in_element(left.dtype)
    matmul = Matmul(batch, m, numbers, n, left.dtype, has_block_scales=has_block_scales)
    result = Tensor((batch, m, n), result_dtype or left.dtype)
    if not result.numel:
        return Work(f"{rule} without elements")
    return Work(
        rule,
        flops=2 * batch * m * k * n,
        read_bytes=total_bytes([left, right, *(others or [])]),
        written_bytes=result.nbytes,
        matmuls=(matmul,),
        dtype=left.dtype,
    )


def _mm(call: OperatorCall) -> Work | None:
    left, right = call.tensor(0), call.tensor(1)
    return matmul_work("matrix product", left, right, result_dtype=call.dtype(2))


def _int_mm(call: OperatorCall) -> Work | None:
    left, right = call.tensor(0), call.tensor(1)
    return matmul_work("matrix product of integers", left, right, result_dtype="int32")


def _addmm(call: OperatorCall) -> Work | None:
    left, right = call.tensor(1), call.tensor(2)
    rule = "matrix product and addition"
    return matmul_work(rule, left, right, others=call.operands(1), result_dtype=_out_dtype(call))


def _out_dtype(call: OperatorCall) -> str | None:
    """The dtype that the overload with one names; in the others, numbers stand in its place."""
    return call.dtype(3) if len(call.arguments) == 6 and call.tensor(5) is None else None


def _addmm_activation(call: OperatorCall) -> Work | None:
    """``_addmm_activation``: what leaves PSUM passes GELU on the Scalar Engine, or ReLU."""
    left, right = call.tensor(1), call.tensor(2)
    rule = "matrix product, addition and activation"
    work = matmul_work(rule, left, right, others=call.operands(1))
    if work is None or not work.matmuls:
        return work
    (matmul,) = work.matmuls
    results, is_gelu = matmul.m * matmul.n, call.flag(5)
    return replace(
        work,
        matmuls=(replace(matmul, stays_in_psum=True),),
        scalar_elements=results if is_gelu else 0,
        vector_elements=0 if is_gelu else results,
    )


def _bmm(call: OperatorCall) -> Work | None:
    left, right = call.tensor(0), call.tensor(1)
    batch = left.size(0) if left and len(left.shape) == 3 else 1
    rule = "batched matrix product"
    return matmul_work(rule, left, right, batch=batch, result_dtype=call.dtype(2))


def _baddbmm(call: OperatorCall) -> Work | None:
    left, right = call.tensor(1), call.tensor(2)
    batch = left.size(0) if left and len(left.shape) == 3 else 1
    rule, dtype = "batched matrix product and addition", _out_dtype(call)
    others = call.operands(1)
    return matmul_work(rule, left, right, others=others, batch=batch, result_dtype=dtype)


def _addbmm(call: OperatorCall) -> Work | None:
    """The sum over a batch of products is one product, of as many times the contraction."""
    left, right = call.tensor(1), call.tensor(2)
    if not (left and right) or len(left.shape) != 3 or len(right.shape) != 3:
        return None
    batch, m, k = left.shape
    flat_left, flat_right = left.shaped((m, batch * k)), right.shaped((batch * k, right.shape[2]))
    rule = "summed matrix products and addition"
    return matmul_work(rule, flat_left, flat_right, others=call.operands(1))


def _vector(matrix_at: int) -> Rule:
    """``mv`` and ``addmv``: a matrix, then a vector, and before them what is added."""

    def work(call: OperatorCall) -> Work | None:
        matrix, vector = call.tensor(matrix_at), call.tensor(matrix_at + 1)
        if not (matrix and vector) or len(vector.shape) != 1:
            return None
        column, others = vector.shaped((*vector.shape, 1)), call.operands(matrix_at)
        return matmul_work("matrix-vector product", matrix, column, others=others)

    return work


def _dot(call: OperatorCall) -> Work | None:
    operands = call.operands(2)
    if len(operands) != 2:
        return None
    instructions = 3 if is_complex(operands[0].dtype) else 1  # for each part of the result
    return Work(
        "dot product",
        flops=2 * operands[0].numel,
        read_bytes=total_bytes(operands),
        written_bytes=Tensor((), operands[0].dtype).nbytes,
        vector_elements=2 * instructions * operands[0].numel,
        reduced_elements=operands[0].numel,
        dtype=operands[0].dtype,
    )


def _outer(call: OperatorCall) -> Work | None:
    """``addr``: the outer product of two vectors, and a matrix."""
    left, right = call.tensor(1), call.tensor(2)
    if not (left and right):
        return None
    column, row = left.shaped((left.numel, 1)), right.shaped((1, right.numel))
    return matmul_work("outer product and addition", column, row, others=call.operands(1))


def _linear(call: OperatorCall) -> Work | None:
    """``x @ weight.T + bias`` where it is one operator."""
    inputs, weight = call.tensor(0), call.tensor(1)
    if not (inputs and weight) or len(weight.shape) != 2 or not inputs.shape:
        return None
    rows = product(inputs.shape[:-1])
    flat, turned = inputs.shaped((rows, inputs.shape[-1])), weight.shaped(weight.shape[::-1])
    return matmul_work("linear layer", flat, turned, others=call.operands(3)[2:])


RULES: Final[dict[str, Rule]] = {
    "mm": _mm,
    "_int_mm": _int_mm,
    "addmm": _addmm,
    "_addmm_activation": _addmm_activation,
    "bmm": _bmm,
    "baddbmm": _baddbmm,
    "addbmm": _addbmm,
    "mv": _vector(0),
    "addmv": _vector(1),
    "dot": _dot,
    "vdot": _dot,
    "addr": _outer,
    **dict.fromkeys(("linear", "mkldnn_linear"), _linear),
}
