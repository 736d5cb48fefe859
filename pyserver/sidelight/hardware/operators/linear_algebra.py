"""Factorisations and solvers, by the leading terms of their operation counts.

The counts are those of Golub and Van Loan, Matrix Computations, 4th edition: LU two thirds of n
cubed, Cholesky and LDL one third, QR by reflections 2 m n squared - 2/3 n cubed and as much again
for the orthogonal factor, a triangular solution n squared a column, n reflections of m numbers
4 m n a column, an inverse 2 n cubed, from a factor 2/3 n cubed, the symmetric eigenvalue problem
9 n cubed, the singular value decomposition 4 m n squared + 22 n cubed, the general eigenvalue
problem 25 n cubed. Each step depends on the one before: they are reckoned as vector operations, of
which every lane does one a cycle; no Tensor Engine speeds them up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, product, total_bytes
from ..work import Matmul, Work
from .rule import Rule

_Count = Callable[[int, int], int]
"""Operations for a matrix of so many rows and columns."""


def _lu(m: int, n: int) -> int:
    return 2 * min(m, n) ** 2 * max(m, n) // 3


def _cholesky(_: int, n: int) -> int:
    return n**3 // 3


def _qr(m: int, n: int) -> int:
    short, long = min(m, n), max(m, n)
    return 2 * long * short**2 - 2 * short**3 // 3


def _both_factors(m: int, n: int) -> int:
    return 2 * _qr(m, n)


def _inverse(_: int, n: int) -> int:
    return 2 * n**3


def _inverse_of_factor(_: int, n: int) -> int:
    return 2 * n**3 // 3


def _symmetric_eigen(_: int, n: int) -> int:
    return 9 * n**3


def _general_eigen(_: int, n: int) -> int:
    return 25 * n**3


def _singular(m: int, n: int) -> int:
    short, long = min(m, n), max(m, n)
    return 4 * long * short**2 + 22 * short**3


def _factored(rule: str, count: _Count, *, made: Sequence[str]) -> Rule:
    """A factorisation of a batch of matrices.

    Args:
        rule: What it is called.
        count: Its operations.
        made: Its results: ``matrix``, ``square`` (of the shorter side), ``values`` (one a row).
    """

    def work(call: OperatorCall) -> Work | None:
        matrix = call.tensor(0)
        if matrix is None or len(matrix.shape) < 2:
            return None
        *batch, m, n = matrix.shape
        short = min(m, n)
        shapes = {"matrix": (m, n), "square": (short, short), "values": (short,), "number": ()}
        results = [matrix.shaped((*batch, *shapes[each])) for each in made]
        return _serial(rule, product(batch) * count(m, n), call.operands(1), results)

    return work


def _serial(rule: str, flops: int, read: Sequence[Tensor], made: Sequence[Tensor]) -> Work:
    return Work(
        rule,
        flops=flops,
        read_bytes=total_bytes(read),
        written_bytes=total_bytes(made),
        vector_elements=flops,
        dtype=read[0].dtype,
    )


def _solved(count: _Count, column: _Count, *, matrix_at: int, right_at: int) -> Rule:
    """A system of equations: a factorisation, unless it was made before, and what solves by it.

    Args:
        count: Operations of the factorisation.
        column: Operations for a column of the right-hand side.
        matrix_at: Where the matrix is.
        right_at: Where the right-hand side is.
    """

    def work(call: OperatorCall) -> Work | None:
        matrix, right = call.tensor(matrix_at), call.tensor(right_at)
        if not (matrix and right) or len(matrix.shape) < 2:
            return None
        m, n = matrix.shape[-2:]
        columns = right.numel // max(product(matrix.shape[:-1]), 1) or 1
        flops = product(matrix.shape[:-2]) * (count(m, n) + columns * column(m, n))
        return _serial("solution of equations", flops, [matrix, right], [right])

    return work


def _nothing(_: int, __: int) -> int:
    return 0


def _substitution(_: int, n: int) -> int:
    return n * n


def _two_substitutions(_: int, n: int) -> int:
    return 2 * n * n


def _reflections(m: int, n: int) -> int:
    return 4 * m * n


def _reflections_and_substitution(m: int, n: int) -> int:
    return 4 * m * n + n * n


def _unpacked(call: OperatorCall) -> Work | None:
    """``lu_unpack``: two triangles and a permutation, of what was factored before."""
    factors, pivots = call.tensor(0), call.tensor(1)
    if not (factors and pivots) or len(factors.shape) < 2:
        return None
    *batch, m, n = factors.shape
    short = min(m, n)
    made = [factors.shaped((*batch, m, short)), factors.shaped((*batch, short, n))]
    made = made if call.arguments[2:3] != (False,) else []
    triangles = sum(each.numel for each in made)
    made += [factors.shaped((*batch, m, m))] if call.arguments[3:4] != (False,) else []
    return Work(
        "triangles",
        read_bytes=total_bytes([factors, pivots]),
        written_bytes=total_bytes(made),
        gpsimd_elements=triangles,
        dtype=factors.dtype,
    )


def _exponential(call: OperatorCall) -> Work | None:
    """``matrix_exp``: about eight products (Paterson and Stockmeyer's scheme for degree 18)."""
    matrix = call.tensor(0)
    if matrix is None or len(matrix.shape) < 2:
        return None
    n = matrix.shape[-1]
    products = (Matmul(product(matrix.shape[:-2]), n, n, n, matrix.dtype),) * 8
    return Work(
        "matrix exponential",
        flops=sum(each.flops for each in products),
        read_bytes=matrix.nbytes,
        written_bytes=matrix.nbytes,
        matmuls=products,
        dtype=matrix.dtype,
    )


_SOLVERS: Final = {
    "_linalg_solve_ex": (_lu, _two_substitutions, 0, 1),
    "linalg_solve_ex": (_lu, _two_substitutions, 0, 1),
    "linalg_lstsq": (_qr, _reflections_and_substitution, 0, 1),
    "linalg_lu_solve": (_nothing, _two_substitutions, 0, 2),
    "linalg_ldl_solve": (_nothing, _two_substitutions, 0, 2),
    "cholesky_solve": (_nothing, _two_substitutions, 1, 0),
    "linalg_solve_triangular": (_nothing, _substitution, 0, 1),
    "triangular_solve": (_nothing, _substitution, 1, 0),
    "ormqr": (_nothing, _reflections, 0, 2),
}
"""Solvers: what the factorisation and each column cost, and where the matrix and the right-hand
sides are."""

RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(
        ("linalg_lu_factor_ex", "linalg_lu"),
        _factored("LU factorisation", _lu, made=("matrix", "values")),
    ),
    "lu_unpack": _unpacked,
    "linalg_ldl_factor_ex": _factored("LDL factorisation", _cholesky, made=("matrix", "values")),
    **dict.fromkeys(
        ("_linalg_det", "_linalg_slogdet"),
        _factored("determinant", _lu, made=("matrix", "values", "number")),
    ),
    **dict.fromkeys(
        ("linalg_cholesky_ex", "cholesky"),
        _factored("Cholesky factorisation", _cholesky, made=("matrix",)),
    ),
    "linalg_inv_ex": _factored("inverse", _inverse, made=("matrix",)),
    "cholesky_inverse": _factored("inverse", _inverse_of_factor, made=("matrix",)),
    "linalg_qr": _factored("QR factorisation", _both_factors, made=("matrix", "square")),
    "geqrf": _factored("QR factorisation", _qr, made=("matrix", "values")),
    "linalg_householder_product": _factored("QR factorisation", _qr, made=("matrix",)),
    "_linalg_eigh": _factored("eigenvalues", _symmetric_eigen, made=("values", "matrix")),
    **dict.fromkeys(
        ("linalg_eig", "_linalg_eigvals", "linalg_eigvals"),
        _factored("eigenvalues", _general_eigen, made=("values", "matrix")),
    ),
    **dict.fromkeys(
        ("_linalg_svd", "linalg_pinv"),
        _factored("singular values", _singular, made=("matrix", "values", "square")),
    ),
    "linalg_matrix_exp": _exponential,
    **{
        name: _solved(count, column, matrix_at=matrix_at, right_at=right_at)
        for name, (count, column, matrix_at, right_at) in _SOLVERS.items()
    },
}
