"""Messages on how a profile lies under its roofline, beside another."""

from __future__ import annotations

from sidelight.server.protocol.message import Message


class RooflineChangeParams(Message, frozen=True):
    """Two profiles.

    Attributes:
        directory: What is now.
        baseline: What was before, a directory likewise.
    """

    directory: str
    baseline: str


class RooflineChanged(Message, frozen=True):
    """How dots moved from one profile to another.

    Attributes:
        change_json: A ``RooflineChange`` (``extension/src/documents.ts``) as JSON text.
    """

    directory: str
    baseline: str
    change_json: str
