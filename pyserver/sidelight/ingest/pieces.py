"""Reads bytes that come in pieces."""

from __future__ import annotations

from collections.abc import Iterator


class Pieces:
    """Bytes that come in pieces of any length, read as many at a time as are wanted.

    Args:
        pieces: The pieces, in order.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._ahead = b""

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes without reading them; fewer only at the end."""
        self._ahead = self._gather(size)
        return self._ahead[:size]

    def read(self, size: int = -1, /) -> bytes:
        """The next ``size`` bytes, or all that are left; fewer only at the end."""
        gathered = self._gather(size)
        if size < 0:
            self._ahead = b""
            return gathered
        self._ahead = gathered[size:]
        return gathered[:size]

    def _gather(self, size: int) -> bytes:
        """What was looked at ahead, and enough more for ``size`` bytes, or all for -1."""
        parts, length = [self._ahead], len(self._ahead)
        while size < 0 or length < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            parts.append(piece)
            length += len(piece)
        return b"".join(parts)
