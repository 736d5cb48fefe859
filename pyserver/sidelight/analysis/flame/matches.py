"""Which frames of a flame graph a text is found in, and how much time they stand for.

Cheap to import: no numpy in here.
"""

from __future__ import annotations

import msgspec

from sidelight.analysis.flame.graph import FlameNode


class FlameMatches(msgspec.Struct, frozen=True):
    """The frames of one graph that a text was found in.

    Attributes:
        frames: Their numbers, in order: the root is 0, and each frame is followed by its first
            child and all below that, then by the next child.
        matched_ns: Their totals, each instant once: what lies below one that was found is in it.
    """

    frames: list[int]
    matched_ns: int


def flame_matches(root: FlameNode, text: str) -> FlameMatches:
    """Look for a text in frames' names, functions and paths, whatever its case.

    Frames that stand for others have no name of their own, and are not found; nor is the root.

    Args:
        root: The graph.
        text: What to look for; an empty one is found nowhere.
    """
    needle = text.casefold()
    frames, matched_ns, number = list[int](), 0, 0
    # A list of what is still to come, as graphs may be deeper than calls may nest.
    waiting = [(node, False) for node in reversed(root.children)]
    while waiting:
        node, is_below = waiting.pop()
        number += 1
        is_found = bool(needle) and _holds(node, needle)
        if is_found:
            frames.append(number)
            matched_ns += 0 if is_below else node.total_ns
        below = is_below or is_found
        waiting.extend((child, below) for child in reversed(node.children))
    return FlameMatches(frames, matched_ns)


def _holds(node: FlameNode, needle: str) -> bool:
    if node.others:
        return False
    texts = (node.name, node.function, node.file)
    return any(text is not None and needle in text.casefold() for text in texts)
