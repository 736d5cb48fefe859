"""Numbers rounded to fewer bits and back, elementwise."""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..work import Work
from .passes import Passes
from .rule import Rule

_ROUNDED: Final = Passes(single=2)
"""A scale and a shift, then a bound on both sides: two instructions of two operations each."""


def _quantized(*, dtype_at: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        result = source.typed(call.dtype(dtype_at) or "qint8")
        return _ROUNDED.work("rounding", source, read=call.operands(3), written=[result])

    return work


def _imitated(*, with_mask: bool) -> Rule:
    """Rounded and made numbers of the same dtype again, with a mask of those within bounds."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        made = [source, source.typed("bool")] if with_mask else [source]
        passes = _ROUNDED + _ROUNDED
        return passes.work("rounding", source, read=call.operands(3), written=made)

    return work


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(("quantize_per_tensor", "quantize_per_tensor_dynamic"), _quantized(dtype_at=3)),
    "quantize_per_channel": _quantized(dtype_at=4),
    **dict.fromkeys(
        (
            "fake_quantize_per_tensor_affine_cachemask",
            "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
            "fake_quantize_per_channel_affine_cachemask",
        ),
        _imitated(with_mask=True),
    ),
    **dict.fromkeys(
        (
            "_fake_quantize_learnable_per_tensor_affine",
            "_fake_quantize_learnable_per_channel_affine",
        ),
        _imitated(with_mask=False),
    ),
}
