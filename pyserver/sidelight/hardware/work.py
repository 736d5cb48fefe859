"""What one kernel asks of a NeuronCore, whichever chip it is.

An operator's rule turns a call into this; :mod:`.prediction` turns it into time on a core.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from .dtypes import matmul_dtype


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
        stays_in_psum: Whether what follows reads the result where it lands, so that moving it to
            SBUF takes no pass of its own.
        sharing: How many of them have the right operand in common, so that the rows of their left
            operands may stand in one matrix.
        has_block_scales: Whether each 32 numbers of the operands have a scale.
    """

    batch: int
    m: int
    k: int
    n: int
    dtype: str
    stays_in_psum: bool = False
    sharing: int = 1
    has_block_scales: bool = False

    @property
    def flops(self) -> int:
        """Two for each multiplication with addition, as torch's flop counter has it."""
        return 2 * self.batch * self.m * self.k * self.n

    @property
    def mode(self) -> str:
        """What it is computed in, as the Tensor Engine's figures call it."""
        return matmul_dtype(self.dtype, has_block_scales=self.has_block_scales)

    @property
    def stacked(self) -> Matmul:
        """The same, with the rows of those that share an operand in one matrix."""
        return replace(self, batch=self.batch // self.sharing, m=self.sharing * self.m, sharing=1)


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
        vector_elements: Elements that the Vector Engine reads in elementwise instructions: one of
            two operands reads twice as many as one of one.
        reduced_elements: Elements that it reads to reduce or scan them. It accumulates in fp32, so
            the faster mode for types of two bytes does not apply.
        scalar_elements: Elements that the Scalar Engine reads.
        gpsimd_elements: Elements that the GpSimd Engine reads or makes.
        dtype: torch's name of the dtype that most of it is in.
        reread_bytes: What a second pass reads again, unless all of it stays in SBUF.
        transposes: Whether the data's layout changes on the way.
        descriptors: Pieces of memory, gathered or scattered, that each need a DMA descriptor.
        link_bytes: What crosses NeuronLink for each core that takes part.
        picks_all: Whether how much is picked is in values, so that as much as there is was taken.
        alternatives: Other ways to do the same: on each core the fastest is taken.
        stages: What it is made of, where each part waits for the one before: the engines do not
            work side by side across them.
    """

    rule: str
    flops: int = 0
    read_bytes: int = 0
    written_bytes: int = 0
    matmuls: tuple[Matmul, ...] = ()
    vector_elements: int = 0
    reduced_elements: int = 0
    scalar_elements: int = 0
    gpsimd_elements: int = 0
    dtype: str = "float32"
    reread_bytes: int = 0
    transposes: bool = False
    descriptors: int = 0
    link_bytes: int = 0
    picks_all: bool = False
    alternatives: tuple[Work, ...] = ()
    stages: tuple[Work, ...] = ()

    @property
    def hbm_bytes(self) -> int:
        """What moves between HBM and the core, each operand and result once."""
        return self.read_bytes + self.written_bytes

    @property
    def is_possible(self) -> bool:
        """Whether nothing of it is less than nothing, as arguments from a file may make it."""
        sizes = [size for each in self.matmuls for size in (each.batch, each.m, each.k, each.n)]
        demands = (
            *(self.flops, self.read_bytes, self.written_bytes, self.vector_elements),
            *(self.reduced_elements, self.scalar_elements, self.gpsimd_elements),
            *(self.reread_bytes, self.descriptors, self.link_bytes),
        )
        return min(*demands, *sizes) >= 0

    @property
    def matmul_dtype(self) -> str:
        """The dtype its roof is of, as the Tensor Engine's figures call it."""
        return self.matmuls[0].mode if self.matmuls else matmul_dtype(self.dtype)


def in_stages(rule: str, stages: Sequence[Work]) -> Work:
    """The work of one kernel that does several things one after another, through HBM.

    Args:
        rule: How the operator was understood.
        stages: What it does, at least one.
    """
    return Work(
        rule,
        flops=sum(each.flops for each in stages),
        read_bytes=sum(each.read_bytes for each in stages),
        written_bytes=sum(each.written_bytes for each in stages),
        matmuls=tuple(matmul for each in stages for matmul in each.matmuls),
        vector_elements=sum(each.vector_elements for each in stages),
        reduced_elements=sum(each.reduced_elements for each in stages),
        scalar_elements=sum(each.scalar_elements for each in stages),
        dtype=stages[0].dtype,
        stages=tuple(stages),
    )
