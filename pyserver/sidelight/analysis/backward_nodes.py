"""Which operator each node of a backward pass is the backward of."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask, operator_rows
from sidelight.analysis.places import NODE_PREFIX
from sidelight.profile.model import Profile


def forward_rows_of_nodes(profile: Profile) -> dict[int, int]:
    """The forward operator of each row in which the autograd engine evaluates a node.

    It is the operator with the node's number that started last: the one that made the node.
    Nodes without such an operator are left out.

    Args:
        profile: An attributed profile.
    """
    events = profile.events
    sequence_nr, forward_thread = events["sequence_nr"], events["forward_thread"]
    is_operator = operator_rows(events)
    is_node = _rows_of_nodes(profile, is_operator)
    numbered = is_operator & (sequence_nr >= 0)
    forwards: IntColumn = np.flatnonzero(numbered & (forward_thread == 0) & ~is_node)
    forwards = forwards[np.argsort(events["start_ns"][forwards], kind="stable")]
    keys = zip(events["track"][forwards].tolist(), sequence_nr[forwards].tolist(), strict=True)
    last_with: dict[tuple[int, int], int] = dict(zip(keys, forwards.tolist(), strict=True))
    found: dict[int, int] = {}
    # torch leaves the number off the row of a node with hooks; its function, in that row, has it.
    parent = events["parent"]
    backward = np.flatnonzero(numbered & (forward_thread > 0))
    nodes = np.where(is_node[backward], backward, parent[backward])
    for node, thread, number in zip(
        nodes.tolist(),
        forward_thread[backward].tolist(),
        sequence_nr[backward].tolist(),
        strict=True,
    ):
        forward = last_with.get((thread - 1, number))
        if node >= 0 and is_node[node] and forward is not None:
            found.setdefault(node, forward)
    return found


def _rows_of_nodes(profile: Profile, is_operator: Mask) -> Mask:
    names_node = np.array([name.startswith(NODE_PREFIX) for name in profile.strings], np.bool_)
    return is_operator & names_node[profile.events["name"]]
