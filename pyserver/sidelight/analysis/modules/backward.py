"""Which module the backward work of a profile is of: that of its forward operator."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sidelight.analysis.backward_nodes import forward_rows_of_nodes
from sidelight.analysis.nesting import outermost_above
from sidelight.profile.model import Profile


def add_backward(profile: Profile, of_host: npt.NDArray[np.signedinteger[Any]]) -> None:
    """Give what runs in a node of the backward pass what its forward operator has.

    Args:
        profile: An attributed profile.
        of_host: A number for each event that is in a module, -1 for the others; it is filled in.
    """
    events = profile.events
    nodes = forward_rows_of_nodes(profile)
    if not nodes:
        return
    node_rows = np.array(list(nodes), np.int64)
    is_node = np.zeros(len(events), np.bool_)
    is_node[node_rows] = True
    above = np.where((events["backward"] == 1) & ~is_node, events["parent"], -1)
    around = outermost_above(above)
    forward = np.full(len(of_host), -1, np.int64)
    forward[node_rows] = np.array(list(nodes.values()), np.int64)
    rows = np.flatnonzero(is_node[around] & (of_host < 0))
    of_host[rows] = of_host[forward[around[rows]]]
