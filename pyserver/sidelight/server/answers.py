"""Answers of other rooms as messages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TypeVar

import msgspec

from sidelight.server.protocol import Message

M = TypeVar("M", bound=Message)


def message(kind: type[M], answer: msgspec.Struct, **others: object) -> M:
    """The message whose fields an answer has, and whose parts' fields its parts have.

    Args:
        kind: The message.
        answer: The answer.
        **others: Fields that the answer lacks, or has otherwise.
    """
    fields = SimpleNamespace(**{**msgspec.structs.asdict(answer), **others})
    return msgspec.convert(fields, kind, from_attributes=True)
