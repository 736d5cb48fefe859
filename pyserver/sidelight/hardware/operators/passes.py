"""Kernels that read their data once and pass it through the engines several times, within SBUF."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..tensors import Tensor, total_bytes
from ..work import Work


@dataclass(frozen=True)
class Passes:
    """How often each element passes through an engine, by kind of instruction.

    Attributes:
        single: Vector Engine, one operand (a number, or one number a row, may take part).
        paired: Vector Engine, two operands.
        reduced: Vector Engine, reducing.
        scalar: Scalar Engine.
    """

    single: int = 0
    paired: int = 0
    reduced: int = 0
    scalar: int = 0

    def __add__(self, other: Passes) -> Passes:
        """Both, one after the other."""
        return Passes(
            self.single + other.single,
            self.paired + other.paired,
            self.reduced + other.reduced,
            self.scalar + other.scalar,
        )

    def work(
        self,
        rule: str,
        subject: Tensor,
        *,
        read: Iterable[Tensor],
        written: Iterable[Tensor],
        reread_bytes: int = 0,
    ) -> Work:
        """The work of a kernel; each instruction is one flop an element.

        Args:
            rule: How the operator was understood.
            subject: What passes through the engines.
            read: What is read from HBM.
            written: What is written to HBM.
            reread_bytes: What a second pass reads again, unless it stays in SBUF.
        """
        elements = subject.numel
        return Work(
            rule,
            flops=(self.single + self.paired + self.reduced + self.scalar) * elements,
            read_bytes=total_bytes(read),
            written_bytes=total_bytes(written),
            vector_elements=(self.single + 2 * self.paired) * elements,
            reduced_elements=self.reduced * elements,
            scalar_elements=self.scalar * elements,
            dtype=subject.dtype,
            reread_bytes=reread_bytes,
        )
