"""Tensors of programs, by the names that files have for what they are for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_USES: Final = {"in": "input", "out": "output"}
_SIZE: Final = re.compile(r"\d{1,19}")


def tensor_use(text: str) -> str:
    """What a tensor is for: ``input``, ``output``, ``weight``, or what else a file calls it."""
    word = text.strip().lower()
    return _USES.get(word, word)


def shape_text(shape: str | Sequence[int]) -> str:
    """A shape as people read it: ``[128, 1024]``. Of a text, the whole numbers in it,
    and nothing where there is none."""
    is_text = isinstance(shape, str)
    sizes = _SIZE.findall(shape) if is_text else [*map(str, shape)]
    return "" if is_text and not sizes else f"[{', '.join(sizes)}]"
