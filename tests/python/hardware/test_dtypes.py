"""Dtypes, against torch: sizes, numbers, and what operands give together."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
from __future__ import annotations

import pytest
import torch

from sidelight.hardware.dtypes import dtype_of_code, element_size, matmul_dtype, promoted
from support.recorded_operators import recorded_call

PROMOTED = [
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
]
CONVERTED = [
    *PROMOTED,
    torch.float8_e4m3fn,
    torch.float8_e5m2,
    torch.float8_e4m3fnuz,
    torch.float8_e5m2fnuz,
    torch.uint16,
    torch.uint32,
    torch.uint64,
]
SIZED = [*CONVERTED, torch.float8_e8m0fnu, torch.float4_e2m1fn_x2]


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).partition(".")[2]


@pytest.mark.parametrize("dtype", SIZED, ids=name_of)
def test_sizes_are_those_of_torch(dtype: torch.dtype) -> None:
    assert element_size(name_of(dtype)) == dtype.itemsize


@pytest.mark.parametrize("dtype", CONVERTED, ids=name_of)
def test_a_recorded_number_is_that_of_the_dtype(dtype: torch.dtype) -> None:
    source = torch.zeros(3, dtype=torch.float64 if dtype is not torch.float64 else torch.float32)
    call = recorded_call("aten::_to_copy", lambda: source.to(dtype))
    assert dtype_of_code(call.number(1)) == name_of(dtype)


@pytest.mark.parametrize("dtype", SIZED, ids=name_of)
def test_a_dtype_of_a_new_tensor_is_recorded_so(dtype: torch.dtype) -> None:
    call = recorded_call("aten::empty", lambda: torch.empty(3, dtype=dtype))
    assert call.dtype(1) == name_of(dtype)


@pytest.mark.parametrize("left", PROMOTED, ids=name_of)
@pytest.mark.parametrize("right", PROMOTED, ids=name_of)
def test_operands_give_the_dtype_that_torch_gives(left: torch.dtype, right: torch.dtype) -> None:
    expected = torch.promote_types(left, right)
    assert promoted([name_of(left), name_of(right)]) == name_of(expected)


@pytest.mark.parametrize("left", PROMOTED, ids=name_of)
@pytest.mark.parametrize("right", PROMOTED, ids=name_of)
def test_scalars_count_where_they_are_of_a_higher_kind(
    left: torch.dtype, right: torch.dtype
) -> None:
    expected = torch.result_type(torch.zeros(2, dtype=left), torch.zeros((), dtype=right))
    assert promoted([name_of(left)], [name_of(right)]) == name_of(expected)


@pytest.mark.parametrize("dtype", PROMOTED[:-2], ids=name_of)
def test_fractions_make_fractions(dtype: torch.dtype) -> None:
    expected = torch.result_type(torch.zeros(2, dtype=dtype), 0.5)
    assert promoted([name_of(dtype)], with_fraction=True) == name_of(expected)


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("bfloat16", "bf16"),
        ("float16", "fp16"),
        ("float8_e5m2", "fp8"),
        ("float32", "fp32"),
        ("int64", "fp32"),
        ("int8", "fp32"),
        ("complex64", "fp32"),
        ("complex32", "fp16"),
        ("float4_e2m1fn_x2", "fp8"),
    ],
)
def test_the_array_has_modes_for_few_dtypes(dtype: str, expected: str) -> None:
    assert matmul_dtype(dtype) == expected


def test_blocks_with_a_scale_each_are_mx_formats() -> None:
    assert matmul_dtype("float8_e4m3fn", has_block_scales=True) == "mxfp8"
    assert matmul_dtype("float4_e2m1fn_x2", has_block_scales=True) == "mxfp4"


def test_a_dtype_that_is_not_known_takes_four_bytes() -> None:
    assert element_size("float3_e1m1") == 4
    assert dtype_of_code(999) is None
