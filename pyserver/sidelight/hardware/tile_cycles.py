"""What a matrix product costs the Tensor Engine and HBM, from how its sizes fill tiles.

The engine holds a tile of one operand (stationary, at most 128 x 128) and streams the other past it
(moving), a column a cycle, at most 512 columns an instruction and never in less than 64 cycles; the
next stationary tile is loaded meanwhile, up to four times as fast as it is multiplied with. Either
operand may be the stationary one, and the better choice is taken. A contraction that leaves rows of
the array empty, or a result that leaves columns empty, costs as much as a full one. (AWS NKI
documentation, Trainium/Inferentia2 architecture guide, "Tensor Engine".)
"""

from __future__ import annotations

from .cores import LogicalCore
from .parameters import Parameters
from .tensors import element_size
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
    return min(
        _cycles(matmul, matmul.m, matmul.n, core, parameters, speedup),
        _cycles(matmul, matmul.n, matmul.m, core, parameters, speedup),
    )


def _cycles(
    matmul: Matmul,
    stationary: int,
    moving: int,
    core: LogicalCore,
    parameters: Parameters,
    speedup: float,
) -> float:
    # Twice the rate comes from twice the contraction in one pass; a quarter from four passes.
    depth = core.array_rows * (speedup if speedup > 1 else 1)
    contraction_tiles = _tiles(matmul.k, depth)
    stationary_tiles = matmul.batch * _tiles(stationary, core.array_columns)
    whole, rest = divmod(moving, parameters.moving_columns)
    minimum = parameters.matmul_minimum_cycles
    moving_cycles = whole * parameters.moving_columns + (max(rest, minimum) if rest else 0)
    load_cycles = core.array_columns / parameters.load_stationary_speedup
    tile_cycles = max(moving_cycles, load_cycles) * (1 / speedup if speedup < 1 else 1)
    # The cores share the independent parts of the result; one too many keeps one core longer.
    parts = stationary_tiles * (whole + (1 if rest else 0))
    shared = _tiles(parts, core.physical_cores) / parts
    return stationary_tiles * contraction_tiles * tile_cycles * shared


def matmul_traffic_bytes(matmul: Matmul, core: LogicalCore) -> int:
    """Bytes of operands read from HBM where they do not all stay in SBUF.

    Half of SBUF holds a block of one operand, the other half streams: for every block of the one,
    the other is read once.
    """
    size = element_size(matmul.dtype)
    left, right = matmul.m * matmul.k * size, matmul.k * matmul.n * size
    room = core.sbuf_bytes // 2
    if left + right <= room:
        return matmul.batch * (left + right)
    kept_left = left + right * _tiles(left, room)
    kept_right = right + left * _tiles(right, room)
    return matmul.batch * min(kept_left, kept_right)


def _tiles(length: float, size: float) -> int:
    return int(-(-length // size))
