"""Matrix products of few bits, with scales: fp8 on the Tensor Engine, packed integers unpacked."""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, total_bytes
from ..work import Matmul, Work
from .matmul import matmul_work
from .rule import Rule

_POWER_OF_TWO: Final = "float8_e8m0fnu"
"""The dtype of the MX formats' scales, of which there is one for each 32 numbers."""

_BLOCKS_OF_32: Final = 3
"""What torch's recipe for such scales is called among the arguments."""


def has_block_scales(call: OperatorCall) -> bool:
    """Whether each 32 numbers have a scale: by its dtype, or where scales are lists, by recipe."""
    scale = call.tensor(2)
    is_power = scale is not None and scale.dtype == _POWER_OF_TWO
    return is_power or call.numbers(3) == [_BLOCKS_OF_32]


def _scaled(call: OperatorCall) -> Work | None:
    """``_scaled_mm``: fp8 operands, and scales that the result is multiplied with."""
    return matmul_work(
        "scaled matrix product",
        call.tensor(0),
        call.tensor(1),
        others=call.operands(6)[2:],
        result_dtype=call.dtype(6),
        has_block_scales=has_block_scales(call),
    )


def _scaled_with_lists(call: OperatorCall) -> Work | None:
    """``_scaled_mm_v2``: as many scales for an operand as its recipe takes."""
    others = [*call.tensor_list(2), *call.tensor_list(5), *call.operands(9)[2:]]
    return matmul_work(
        "scaled matrix product",
        call.tensor(0),
        call.tensor(1),
        others=others,
        result_dtype=call.dtype(9),
        has_block_scales=has_block_scales(call),
    )


def _packed(call: OperatorCall) -> Work | None:
    """Integer weights, packed: the Vector Engine makes numbers of them on the way."""
    inputs, weight = call.tensor(0), call.tensor(1)
    if not (inputs and weight) or len(inputs.shape) != 2:
        return None
    m, k = inputs.shape
    # `_dyn_quant_matmul_4bit` names the result's columns; elsewhere the weights' rows are they.
    n = call.number(4) or weight.size(0)
    if call.name.endswith("_weight_int4pack_mm"):
        n *= 8  # these rows are tiles of eight
    matmul = Matmul(1, m, k, n, inputs.dtype)
    return Work(
        "matrix product with packed weights",
        flops=matmul.flops,
        read_bytes=total_bytes(call.tensors),
        written_bytes=Tensor((m, n), inputs.dtype).nbytes,
        matmuls=(matmul,),
        vector_elements=k * n,
        dtype=inputs.dtype,
    )


RULES: Final[dict[str, Rule]] = {
    "_scaled_mm": _scaled,
    "_scaled_mm_v2": _scaled_with_lists,
    **dict.fromkeys(
        (
            "_weight_int8pack_mm",
            "_weight_int4pack_mm",
            "_weight_int4pack_mm_for_cpu",
            "_weight_int4pack_mm_with_scales_and_zeros",
            "_dyn_quant_matmul_4bit",
        ),
        _packed,
    ),
}
