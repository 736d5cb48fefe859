"""The data-quality report: what is missing, repaired or suspicious, and what to do about it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Severity = Literal["info", "warning", "error"]


class QualityNote(msgspec.Struct, frozen=True):
    """One entry of the report.

    Attributes:
        code: Stable snake_case identifier.
        severity: How much the numbers suffer.
        message: Plain sentences: what is so, what follows from it, and the next step.
        count: How many events, files or places are concerned.
    """

    code: str
    severity: Severity
    message: str
    count: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 1
