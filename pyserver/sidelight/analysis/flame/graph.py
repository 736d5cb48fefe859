"""A flame graph: time folded by who caused it, bounded so that it can be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

MOST_NODES: Final = 1000
"""How many nodes are shown, beside those that stand for the rest of their siblings."""

MOST_LEVELS: Final = 200
"""How deep they may lie: programs that call themselves reach any depth."""

WHOLE: Final = "device time"


class FlameNode(msgspec.Struct, frozen=True):
    """A frame of the graph. Its total is its own time and the totals of its children, exactly.

    Attributes:
        name: What it is, for people.
        file: Where it is; None where it is no place in the source.
        line: 1-based; None likewise.
        function: The qualified name of the function that the line belongs to; None likewise.
        self_ns: Device time of its own; of a node of "others" all that they have.
        total_ns: Its own and its children's.
        others: How many siblings that were too small it stands for; 0 for a frame of its own.
        children: Largest total first; those that were too small to be shown stand together last.
    """

    name: str
    file: str | None
    line: int | None
    function: str | None
    self_ns: int
    total_ns: int
    others: int
    children: list[FlameNode]


@dataclass(frozen=True)
class Label:
    """What a node is called, and where it is (as :class:`FlameNode` has it)."""

    name: str
    file: str | None = None
    line: int | None = None
    function: str | None = None


def flame_graph(
    parents: Sequence[int],
    labels: Sequence[Label],
    self_ns: Sequence[int],
    *,
    most_nodes: int = MOST_NODES,
) -> FlameNode:
    """Fold a tree of times. Nodes without any time are left out.

    Args:
        parents: The node above each, -1 for the root; parents come first.
        labels: What each is called.
        self_ns: Time of its own.
        most_nodes: How many to show; the largest.

    Returns:
        The root, which is everything.
    """
    total_ns, level = list(self_ns), [0] * len(parents)
    for node in reversed(range(len(parents))):
        if parents[node] >= 0:
            total_ns[parents[node]] += total_ns[node]
    for node, parent in enumerate(parents):
        level[node] = level[parent] + 1 if parent >= 0 else 1
    # A caller has no less than what it calls and stands before it: it is kept before it, too.
    with_time = [node for node in range(len(parents)) if total_ns[node]]
    largest = sorted(with_time, key=lambda node: (-total_ns[node], node))
    kept = {node for node in largest[:most_nodes] if level[node] <= MOST_LEVELS}
    children: dict[int, list[int]] = {}
    for node in largest:
        if parents[node] < 0 or parents[node] in kept:
            children.setdefault(parents[node], []).append(node)
    made: dict[int, FlameNode] = {}

    def below(node: int) -> list[FlameNode]:
        nodes = children.get(node, [])
        shown = [made[child] for child in nodes if child in kept]
        rest = [total_ns[child] for child in nodes if child not in kept]
        return [*shown, _others(rest)] if rest else shown

    for node in reversed(range(len(parents))):
        if node in kept:
            label = labels[node]
            made[node] = FlameNode(
                name=label.name,
                file=label.file,
                line=label.line,
                function=label.function,
                self_ns=self_ns[node],
                total_ns=total_ns[node],
                others=0,
                children=below(node),
            )
    top = below(-1)
    return FlameNode(WHOLE, None, None, None, 0, sum(node.total_ns for node in top), 0, top)


def _others(totals_ns: Sequence[int]) -> FlameNode:
    whole_ns = sum(totals_ns)
    name = f"{len(totals_ns):,} {'other' if len(totals_ns) == 1 else 'others'}"
    return FlameNode(name, None, None, None, whole_ns, whole_ns, len(totals_ns), [])
