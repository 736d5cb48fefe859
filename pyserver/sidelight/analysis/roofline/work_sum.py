"""Work of one operator, line or module, summed. Cheap to import: no numpy in here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sidelight.hardware.roofline import Bound, is_overhead


@dataclass
class WorkSum:
    """The work of one key, summed.

    Attributes:
        flops: None where nothing tells of any.
        hbm_bytes: Likewise.
        predicted_ns: Predicted time.
        fixed_ns: The part of it that starting and ending kernels takes.
        link_ns: What NeuronLink takes at least.
        flops_of_dtype: FLOPs by dtype, and with it the time: of equal FLOPs the longer decides.
        time_of_bound: Predicted time by bound, overhead left out.
        parts: Those that are apportioned, and all.
    """

    flops: int | None = None
    hbm_bytes: int | None = None
    predicted_ns: int = 0
    fixed_ns: float = 0
    link_ns: float = 0
    flops_of_dtype: dict[str, tuple[int, int]] = field(default_factory=dict[str, "tuple[int, int]"])
    time_of_bound: Counter[str] = field(default_factory=Counter[str])
    parts: tuple[int, int] = (0, 0)

    def add_predicted(
        self,
        dtype: str,
        bound: str,
        flops: int,
        predicted_ns: int,
        *,
        fixed_ns: float,
        link_ns: float,
    ) -> None:
        """Add the times of kernels that agree in dtype and bound."""
        self.predicted_ns += predicted_ns
        self.fixed_ns += fixed_ns
        self.link_ns += link_ns
        before = self.flops_of_dtype.get(dtype, (0, 0))
        self.flops_of_dtype[dtype] = (before[0] + flops, before[1] + predicted_ns)
        if bound != Bound.OVERHEAD.value:
            self.time_of_bound[bound] += predicted_ns

    @property
    def dtype(self) -> str | None:
        """What most of the FLOPs are in; None where no dtype is known."""
        amounts = self.flops_of_dtype
        return max(amounts, key=lambda dtype: amounts[dtype]) if amounts else None

    @property
    def bound(self) -> str | None:
        """What bounds it by its kernels; None where it is not predicted."""
        if not self.predicted_ns:
            return None
        if is_overhead(self.fixed_ns, self.predicted_ns) or not self.time_of_bound:
            return Bound.OVERHEAD.value
        ((bound, _),) = self.time_of_bound.most_common(1)
        return bound
