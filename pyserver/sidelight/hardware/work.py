"""What one kernel asks of a NeuronCore, whichever chip it is.

An operator's rule turns a call into this; :mod:`.prediction` turns it into time on a core.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .tensors import matmul_dtype


class Engine(str, Enum):
    """What runs a kernel, or rather: what takes longest in it."""

    TENSOR = "Tensor"
    VECTOR = "Vector"
    SCALAR = "Scalar"
    GPSIMD = "GpSimd"
    DMA = "DMA"
    COLLECTIVE = "Collective"


@dataclass(frozen=True)
class Matmul:
    """Equal matrix products, ``[m, k] x [k, n]`` each.

    Attributes:
        batch: How many there are.
        m: Rows of the result.
        k: The contraction.
        n: Columns of the result.
        dtype: torch's name of the operands' dtype.
    """

    batch: int
    m: int
    k: int
    n: int
    dtype: str

    @property
    def flops(self) -> int:
        """Two for each multiplication with addition, as torch's flop counter has it."""
        return 2 * self.batch * self.m * self.k * self.n


@dataclass(frozen=True)
class Work:
    """A kernel's demands. The engines work side by side, each on its own.

    Attributes:
        rule: How the operator was understood, in words.
        flops: Useful floating-point operations: torch's flop counter's where it knows the
            operator, else as the rule states.
        read_bytes: What is read from HBM, each operand once.
        written_bytes: What is written to HBM.
        matmuls: What the Tensor Engine multiplies.
        vector_elements: Elements that pass through the Vector Engine, once for every pass.
        scalar_elements: The same for the Scalar Engine.
        gpsimd_elements: The same for the GpSimd Engine.
        dtype: torch's name of the dtype that most of it is in.
        rows: How many independent rows there are, where a row is one lane's work (reductions along
            the last dimension): fewer than the lanes leave the others idle. 0 where any element
            can go to any lane.
        transposes: Whether the data's layout changes on the way.
        descriptors: DMA transfers of their own that rows gathered or scattered one by one need.
        link_bytes: What crosses NeuronLink for each core that takes part.
    """

    rule: str
    flops: int = 0
    read_bytes: int = 0
    written_bytes: int = 0
    matmuls: tuple[Matmul, ...] = ()
    vector_elements: float = 0
    scalar_elements: float = 0
    gpsimd_elements: float = 0
    dtype: str = "float32"
    rows: int = 0
    transposes: bool = False
    descriptors: int = 0
    link_bytes: int = 0

    @property
    def hbm_bytes(self) -> int:
        """What moves between HBM and the core, each operand and result once."""
        return self.read_bytes + self.written_bytes

    @property
    def matmul_dtype(self) -> str:
        """The dtype its roof is of, as the Tensor Engine's figures call it."""
        return matmul_dtype(self.matmuls[0].dtype if self.matmuls else self.dtype)
