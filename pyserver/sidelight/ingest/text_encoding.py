"""Makes UTF-8 of text that is written otherwise, as some editors and shells do."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Final, Protocol

LOOK_BYTES: Final = 4
"""How much of the beginning tells."""

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins with the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    # Without a mark: the brackets with which JSON begins.
    (b"{\0", "utf-16-le"),
    (b"[\0", "utf-16-le"),
    (b"\0{", "utf-16-be"),
    (b"\0[", "utf-16-be"),
)
_CHUNK_BYTES: Final = 1 << 20


class Contents(Protocol):
    """What is read."""

    def read(self, size: int, /) -> bytes:
        """The next ``size`` bytes; fewer only at the end."""
        ...


def other_encoding(beginning: bytes) -> str | None:
    """The encoding of JSON text that is not plain UTF-8; None if it is, or is no text at all.

    Args:
        beginning: Its first ``LOOK_BYTES`` bytes.
    """
    return next((name for mark, name in _MARKS if beginning.startswith(mark)), None)


def as_utf8(contents: Contents, encoding: str) -> Iterator[bytes]:
    """Text as UTF-8, in pieces; what is no text in its encoding becomes replacement characters."""
    if encoding == "utf-8-sig":
        # Nothing but the mark is taken away: the rest may be damaged, which is others' to see.
        contents.read(len(codecs.BOM_UTF8))
        while chunk := contents.read(_CHUNK_BYTES):
            yield chunk
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    while chunk := contents.read(_CHUNK_BYTES):
        yield decoder.decode(chunk).encode()
    yield decoder.decode(b"", final=True).encode()
