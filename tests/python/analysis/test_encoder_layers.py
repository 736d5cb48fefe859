"""What torch's fast paths run as one operator costs what the modules cost without them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch_runs import record, torch

from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.hardware.prediction import eager_fixed_ns
from sidelight.hardware.setup import Setup

FIXED_NS = eager_fixed_ns(Setup())

nn = torch.nn
BATCH, LENGTH, WIDTH, HEADS = 4, 256, 512, 8


def kernels_ns(program: Callable[[], object], folder: Path) -> list[tuple[str, int]]:
    """Name and predicted time of each kernel that a program runs in evaluation."""
    folder.mkdir()

    def without_gradients() -> None:
        with torch.no_grad():
            program()

    profile = record(without_gradients, folder).profile
    price(profile, PricingRequest())
    events = profile.events
    return [
        (profile.strings[int(events["name"][row])], int(events["predicted_ns"][row]))
        for row in np.flatnonzero(events["price"] >= 0)
    ]


def in_one_and_in_parts(
    program: Callable[[], object], operator: str, folder: Path
) -> tuple[list[int], list[int]]:
    """What kernels take, without their starts: where an operator does most of it, and without."""
    of_one = kernels_ns(program, folder / "one")
    assert [name for name, _ in of_one].count(operator) == 1
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        of_parts = kernels_ns(program, folder / "parts")
    finally:
        torch.backends.mha.set_fastpath_enabled(True)
    assert operator not in dict(of_parts)
    in_one, in_parts = (
        [kernel_ns - FIXED_NS for _, kernel_ns in kernels] for kernels in (of_one, of_parts)
    )
    return in_one, in_parts


def layer(**options: Any) -> Any:
    sizes = (WIDTH, HEADS, 4 * WIDTH)
    return nn.TransformerEncoderLayer(*sizes, batch_first=True, **options).eval()


@pytest.mark.parametrize("options", [{}, {"activation": "gelu"}, {"norm_first": True}], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_an_encoder_layer_is_its_parts_started_once(
    dtype: str, options: dict[str, Any], tmp_path: Path
) -> None:
    type_ = getattr(torch, dtype)
    module = layer(dtype=type_, **options)
    source = torch.ones(BATCH, LENGTH, WIDTH, dtype=type_)
    in_one, in_parts = in_one_and_in_parts(
        lambda: module(source), "aten::_transformer_encoder_layer_fwd", tmp_path
    )
    assert (len(in_one), len(in_parts)) == (1, 11)
    assert sum(in_one) == pytest.approx(sum(in_parts), abs=len(in_parts))


@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("need_weights", [False, True])
def test_attention_is_its_parts_started_once(
    need_weights: bool, is_masked: bool, tmp_path: Path
) -> None:
    module = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()
    source = torch.ones(BATCH, LENGTH, WIDTH)
    mask = torch.zeros(LENGTH, LENGTH, dtype=torch.bool) if is_masked else None

    def program() -> None:
        module(source, source, source, need_weights=need_weights, attn_mask=mask)

    in_one, in_parts = in_one_and_in_parts(program, "aten::_native_multi_head_attention", tmp_path)
    # By single operators the queries are scaled for themselves, and a product adds the mask.
    assert sum(in_one) == pytest.approx(sum(in_parts), rel=0.25)
    if not (need_weights or is_masked):
        assert sum(in_one) == pytest.approx(sum(in_parts), abs=len(in_parts))


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_sequences_of_unlike_lengths_have_no_price(tmp_path: Path) -> None:
    module = layer()
    nested: Any = torch.nested.nested_tensor([torch.ones(3, WIDTH), torch.ones(7, WIDTH)])
    names = dict(kernels_ns(lambda: module(nested), tmp_path / "nested"))
    assert "aten::_transformer_encoder_layer_fwd" not in names
