"""What a matrix product costs the Tensor Engine and HBM, from how its sizes fill tiles.

The engine holds a tile of one operand (stationary, at most 128 x 128) and streams the other past it
(moving, at most 512 columns an instruction). One such instruction takes ``max(min(64, stationary
columns), moving columns)`` cycles, four times as many in fp32, and the next stationary tile is
loaded meanwhile (AWS NKI documentation, ``nki.isa.nc_matmul``, estimated instruction cost). Either
operand may be the stationary one, products that share an operand may be one product, and the better
choice is taken. A contraction that leaves rows of the array empty costs as much as a full one.
"""

from __future__ import annotations

from .cores import LogicalCore
from .dtypes import element_size, numbers_in_element
from .parameters import Parameters
from .work import Matmul


def matmul_cycles(
    matmul: Matmul, core: LogicalCore, parameters: Parameters, *, speedup: float
) -> float:
    """Cycles of the Tensor Engines, all physical cores of the logical one at work.

    Args:
        matmul: The products.
        core: What they run on.
        parameters: The costs of an instruction.
        speedup: Rate of the dtype relative to bf16.
    """
    if 0 in (matmul.batch, matmul.m, matmul.k, matmul.n):
        return 0.0
    layouts = (matmul, matmul.stacked)
    return min(_cycles(each, core, parameters, speedup=speedup) for each in layouts)


def _cycles(matmul: Matmul, core: LogicalCore, parameters: Parameters, *, speedup: float) -> float:
    # Twice the rate comes from twice the contraction in one pass; a quarter from four passes.
    contraction_tiles = -(-matmul.k // int(core.array_rows * max(speedup, 1)))
    passes = 1 / min(speedup, 1)
    columns = min(
        _columns(matmul.m, matmul.n, core, parameters),
        _columns(matmul.n, matmul.m, core, parameters),
    )
    # The cores share the columns, which come in pieces that do not get shorter than the minimum.
    shared = max(
        matmul.batch * columns / core.physical_cores,
        min(parameters.matmul_minimum_cycles, columns),
    )
    return shared * contraction_tiles * passes


def _columns(stationary: int, moving: int, core: LogicalCore, parameters: Parameters) -> int:
    """Cycles that one contraction tile takes, for every tile of the stationary operand."""
    full_tiles, rest = divmod(stationary, core.array_columns)
    cycles = full_tiles * _streamed(core.array_columns, moving, parameters)
    return cycles + (_streamed(rest, moving, parameters) if rest else 0)


def _streamed(stationary: int, moving: int, parameters: Parameters) -> int:
    """Cycles to stream the moving operand past one stationary tile."""
    full_pieces, rest = divmod(moving, parameters.moving_columns)
    minimum = min(parameters.matmul_minimum_cycles, stationary)
    return full_pieces * parameters.moving_columns + (max(rest, minimum) if rest else 0)


def matmul_traffic_bytes(matmul: Matmul, core: LogicalCore) -> int:
    """Bytes of operands read from HBM where they do not all stay in SBUF.

    Half of SBUF holds a block of one operand, the other half streams: for every block of the one,
    the other is read once.
    """
    size, packed = element_size(matmul.dtype), numbers_in_element(matmul.dtype)
    left, right = matmul.m * matmul.k * size // packed, matmul.k * matmul.n * size // packed
    room = core.sbuf_bytes // 2
    if left + right <= room:
        return matmul.batch * (left + right)
    kept_left = left + right * -(-left // room)
    kept_right = right + left * -(-right // room)
    return matmul.batch * min(kept_left, kept_right)
