"""Whole numbers on the host that are known although nothing is computed.

Scripts draw, count up and fill in whole numbers to pick rows, mask and slice by. Those decide
shapes, take no time to make, and are none of the device's: they are made as by hand.
"""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .callers import loads_data
from .mode import KNOWN_ELEMENTS, ValuelessMode, is_whole


class KnownNumbers:
    """Makes small whole numbers for real from now on, and whatever torch's samplers draw.

    Args:
        mode: The mode that makes them.
    """

    def __init__(self, mode: ValuelessMode) -> None:
        self._mode = mode
        aten = torch.ops.aten
        for operators in (
            *(aten.randint, aten.randperm, aten.arange),
            *(aten.zeros, aten.ones, aten.full),
        ):
            for name in operators.overloads():
                if not name.endswith("out"):
                    mode.rules[getattr(operators, name)] = self._made

    def _made(self, func: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        described = self._mode.dispatch(func, (), args, keywords)
        if not isinstance(described, FakeTensor) or described.device.type != "cpu":
            return described
        if is_whole(described.dtype) and described.numel() <= KNOWN_ELEMENTS:
            return self._mode.with_values(func(*args, **keywords))
        return func(*args, **keywords) if loads_data() else described
