"""Dense integer codes for values that repeat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from itertools import count, islice
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

Value = TypeVar("Value", bound=Hashable)


class Vocabulary(Generic[Value]):
    """Numbers values in the order in which they first appear.

    Args:
        values: The values that get the first codes.
    """

    def __init__(self, values: Iterable[Value] = ()) -> None:
        self._codes: defaultdict[Value, int] = defaultdict(count().__next__)
        for value in values:
            self.code(value)

    def __len__(self) -> int:
        return len(self._codes)

    def code(self, value: Value) -> int:
        """The code of one value."""
        return self._codes[value]

    def codes(self, values: Iterable[Value], length: int) -> npt.NDArray[np.int32]:
        """The codes of ``length`` values. No Python code runs for any of them."""
        return np.fromiter(map(self._codes.__getitem__, values), np.int32, length)

    def since(self, length: int) -> list[Value]:
        """The values that are new since there were ``length``, by code."""
        return list(islice(reversed(self._codes), len(self) - length))[::-1]

    def forget_since(self, length: int) -> None:
        """Take back the codes of those values."""
        for _ in range(len(self) - length):
            self._codes.popitem()
        self._codes.default_factory = count(length).__next__

    def values(self) -> list[Value]:
        """The values, by code."""
        return list(self._codes)
