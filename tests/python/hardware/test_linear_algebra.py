"""Operations of factorisations and solvers, by the textbook's counts for one size."""

from __future__ import annotations

import pytest

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.operators.registry import rule_for
from sidelight.hardware.tensors import Tensor

M, N, COLUMNS, BATCH = 90, 60, 7, 3
SQUARE, TALL = Tensor((BATCH, N, N), "float32"), Tensor((BATCH, M, N), "float32")
RIGHT, LONG = Tensor((BATCH, N, COLUMNS), "float32"), Tensor((BATCH, M, COLUMNS), "float32")
PIVOTS = Tensor((BATCH, N), "int32")


@pytest.mark.parametrize(
    ("name", "arguments", "flops"),
    [
        ("linalg_lu_factor_ex", (SQUARE,), 144_000),  # 2/3 * 60^3
        ("linalg_ldl_factor_ex", (SQUARE,), 72_000),
        ("linalg_cholesky_ex", (SQUARE,), 72_000),
        ("linalg_inv_ex", (SQUARE,), 432_000),
        ("cholesky_inverse", (SQUARE,), 144_000),
        ("geqrf", (TALL,), 504_000),  # 2 * 90 * 60^2 - 2/3 * 60^3
        ("linalg_qr", (TALL, "reduced"), 1_008_000),
        ("linalg_solve_triangular", (SQUARE, RIGHT), 25_200),  # 7 * 60^2
        ("triangular_solve", (RIGHT, SQUARE), 25_200),
        ("linalg_lu_solve", (SQUARE, PIVOTS, RIGHT), 50_400),
        ("cholesky_solve", (RIGHT, SQUARE), 50_400),
        ("_linalg_solve_ex", (SQUARE, RIGHT), 144_000 + 50_400),
        ("ormqr", (TALL, PIVOTS, LONG), 151_200),  # 7 * 4 * 90 * 60
        ("linalg_lstsq", (TALL, LONG), 504_000 + 151_200 + 25_200),
        ("lu_unpack", (SQUARE, PIVOTS, True, True), 0),
    ],
)
def test_operations_are_those_of_the_textbook(
    name: str, arguments: tuple[Argument, ...], flops: int
) -> None:
    rule = rule_for(f"aten::{name}")
    work = rule(OperatorCall(f"aten::{name}", arguments)) if rule else None
    assert work is not None
    assert work.flops == BATCH * flops
