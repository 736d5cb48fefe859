"""What a message is, and what the two ways to send one are."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec


class Message(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What goes over the wire."""


class Nothing(Message, frozen=True):
    """No parameters, or no result."""


P = TypeVar("P", bound=Message)
R = TypeVar("R", bound=Message)


class Request(msgspec.Struct, Generic[P, R], frozen=True):
    """A request from the client, and what it is answered with.

    Attributes:
        method: Its LSP method.
        params: What it carries.
        result: What the answer carries.
        optional_result: Whether the answer may be null.
    """

    method: str
    params: type[P]
    result: type[R]
    optional_result: bool = False


class Notification(msgspec.Struct, Generic[P], frozen=True):
    """What the server tells without being asked.

    Attributes:
        method: Its LSP method.
        params: What it carries.
    """

    method: str
    params: type[P]
