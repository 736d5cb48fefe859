"""The text that ``summary-text`` prints: blocks of names and values, groups indented deeper."""

from __future__ import annotations

import re
from typing import Any, Final

_BLOCK: Final = re.compile(r"[ns]_[0-9a-f]{8,64}\s*")
_GROUP: Final = re.compile(r"(?P<indent>\s+)(?P<name>\S[^:]*):\s*")
_FIGURE: Final = re.compile(r"(?P<indent>\s+)(?P<name>\S+)\s+(?P<value>\S.*?)\s*")


def text_blocks(text: str) -> dict[str, dict[str, Any]]:
    """The figures of each block, as texts.

    Args:
        text: The summary. Lines that are neither a block's name, nor a group's, nor a figure are
            passed over.

    Returns:
        The blocks by name. A figure in a group has the group's name and a dot before its own.
    """
    blocks: dict[str, dict[str, Any]] = {}
    figures: dict[str, Any] | None = None
    groups: list[tuple[int, str]] = []
    for line in text.splitlines():
        if _BLOCK.fullmatch(line):
            figures = blocks.setdefault(line.strip(), {})
            groups = []
        elif figures is None:
            continue
        elif match := _GROUP.fullmatch(line):
            _leave(groups, match)
            groups.append((len(match["indent"]), match["name"]))
        elif match := _FIGURE.fullmatch(line):
            _leave(groups, match)
            figures[".".join([*(name for _, name in groups), match["name"]])] = match["value"]
    return blocks


def _leave(groups: list[tuple[int, str]], match: re.Match[str]) -> None:
    """Leave the groups that a line is not indented in."""
    while groups and groups[-1][0] >= len(match["indent"]):
        groups.pop()
