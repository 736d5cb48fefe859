"""Numbers on the host that are known although nothing is computed.

Scripts write down, count up, draw and fill in numbers to pick rows, mask, slice and scale by. Those
decide shapes, take no time to make, and are none of the device's: they are made as by hand.
"""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .callers import loads_data
from .mode import KNOWN_ELEMENTS, ValuelessMode


def _left_to_torch(func: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    return NotImplemented


class KnownNumbers:
    """Makes few numbers for real from now on, and whatever torch's samplers draw.

    Of what is drawn those are whole: what fractions decide is drawn anew in every run.

    Args:
        mode: The mode that makes them.
    """

    def __init__(self, mode: ValuelessMode) -> None:
        self._mode = mode
        aten = torch.ops.aten
        for operators in (
            *(aten.randint, aten.randperm, aten.arange, aten.linspace, aten.logspace, aten.eye),
            *(aten.zeros, aten.ones, aten.full, aten.scalar_tensor),
            *(aten.hann_window, aten.hamming_window, aten.bartlett_window, aten.blackman_window),
        ):
            for name in operators.overloads():
                if not name.endswith("out"):
                    mode.rules[getattr(operators, name)] = self._made

        for operator in (aten.empty_like, aten.new_empty, aten.new_empty_strided):
            # A script writes to what it makes so; what torch does to find a shape is never read.
            mode.rules[operator.default] = _left_to_torch
            mode.shape_rules[operator.default] = self._left_empty

    def _left_empty(self, func: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """What is made like a tensor that is known, but is not known itself."""
        like = args[0]
        known = like.constant if isinstance(like, FakeTensor) else None
        if known is None:
            return NotImplemented
        like.constant = None
        try:
            return self._mode.dispatch(func, (), args, keywords)
        finally:
            like.constant = known

    def _made(self, func: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        described = self._mode.dispatch(func, (), args, keywords)
        if not isinstance(described, FakeTensor) or described.device.type != "cpu":
            return described
        if described.numel() <= KNOWN_ELEMENTS:
            return self._mode.with_values(func(*args, **keywords))
        return func(*args, **keywords) if loads_data() else described
