"""The texts of rows, as long as there is room for them."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.ingest.explorer.columns import Batch, Indexes, Integers
from sidelight.ingest.vocabulary import Vocabulary

MOST_BYTES: Final = 128 << 20
"""What texts of one kind may take: operands of half a million instructions, or any names."""

_OF_A_TEXT_BYTES: Final = 200
"""What a text takes beside its characters."""


class Texts:
    """Gives texts their ids in a profile's string table.

    Args:
        strings: The string table.
        most_bytes: What the texts may take. Those beyond are left out.

    Attributes:
        left_out: How many rows are without a text of theirs.
    """

    def __init__(self, strings: Vocabulary[str], most_bytes: int = MOST_BYTES) -> None:
        self._strings = strings
        self._room_bytes = most_bytes
        self.left_out = 0

    def codes(self, batch: Batch, column: str) -> Integers:
        """The string ids of a column's texts; -1 where there is none, or no room for it."""
        indexes, texts = batch.distinct(column)
        return self.of(indexes, [text.strip() for text in texts])

    def of(self, indexes: Indexes, texts: list[str]) -> Integers:
        """The string ids of texts that rows have by their indexes; -1 stays, as for empty ones."""
        codes = np.array([*map(self._code, texts), -1], np.int64)
        self.left_out += int(np.count_nonzero(codes[indexes] == -2))
        return np.maximum(codes, -1)[indexes]

    def _code(self, text: str) -> int:
        if not text:
            return -1
        if self._room_bytes <= 0:
            return -2
        before = len(self._strings)
        code = self._strings.code(text)
        if code >= before:
            self._room_bytes -= _OF_A_TEXT_BYTES + len(text)
        return code
