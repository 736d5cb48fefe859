"""Finds where a profiler itself says that it lost events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from sidelight.profile.quality import QualityNote

_LOSS: Final = re.compile(
    r"\b(?:dropp?(?:ed|ing)|discard(?:ed|ing)|overflow(?:ed|s)?|lost|truncated"
    r"|terminating tracing|stopped early)\b",
    re.IGNORECASE,
)
"""How it is put. Kineto's own words are "Exceeded max GPU buffer count (…) - terminating tracing",
in ``CuptiActivityApi.cpp``, ``RoctracerLogger.cpp`` and their like."""

_PREFIX: Final = re.compile(r"[A-Z]+:\d{4}-[^\]]{0,200}\] ?")
"""Kineto's severity, time, process, and place in its source, before what it says."""

_MOST_LOOKED_AT: Final = 10_000
_LONGEST_QUOTE: Final = 200
_MOST_QUOTED: Final = 3


def messages_of(log: Any) -> list[str]:
    """The messages in a list of Kineto's log, without what stands before each.

    Args:
        log: What a trace has as ``WARNING`` or ``ERROR``, whatever it is.
    """
    if not isinstance(log, list):
        return []
    entries = cast("list[Any]", log)[:_MOST_LOOKED_AT]
    return [_PREFIX.sub("", each, count=1) for each in entries if isinstance(each, str)]


def losses_apart(
    reports: Iterable[Sequence[str]],
) -> tuple[list[str], list[Sequence[str]]]:
    """Part what a tool warns of: that it lost events, and all else.

    Args:
        reports: The warnings, each in parts of which the last says what it is.

    Returns:
        The messages about losses, and the other warnings.
    """
    lost: list[str] = []
    others: list[Sequence[str]] = []
    for report in reports:
        if _LOSS.search(report[-1][:_LONGEST_QUOTE]):
            lost.append(report[-1])
        else:
            others.append(report)
    return lost, others


def dropped_events(messages: Iterable[str]) -> list[QualityNote]:
    """The note that a profiler lost events, if any of its messages says so.

    Args:
        messages: What the profiler warned of.
    """
    found = [text for text in messages if _LOSS.search(text[:_LONGEST_QUOTE])]
    if not found:
        return []
    quotes = "; ".join(f'"{_shown(text)}"' for text in dict.fromkeys(found[:_MOST_QUOTED]))
    return [
        QualityNote(
            "dropped_events",
            "warning",
            f"The profiler says that it lost events: {quotes}. Their time is missing here. "
            "Record fewer steps, or give it more room.",
            len(found),
        )
    ]


def _shown(text: str) -> str:
    printable = "".join(each if each.isprintable() else " " for each in text[:_LONGEST_QUOTE])
    return " ".join(printable.replace('"', "'").split())
