"""The text that ``summary-text`` prints: blocks of names and values, groups indented deeper."""

from __future__ import annotations

import re
from typing import Any, Final

_BLOCK: Final = re.compile(r"[ns]_[0-9a-f]{8,64}")
_DEEPEST: Final = 8


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
        words = line.strip()
        indent = len(line) - len(line.lstrip())
        if not indent and _BLOCK.fullmatch(words):
            figures, groups = blocks.setdefault(words, {}), []
        elif figures is None or not indent or not words:
            continue
        else:
            while groups and groups[-1][0] >= indent:
                groups.pop()
            name, *value = words.split(None, 1)
            if words.endswith(":"):
                groups = [*groups, (indent, words[:-1])][:_DEEPEST]
            elif value:
                figures[".".join([*(group for _, group in groups), name])] = value[0]
    return blocks
