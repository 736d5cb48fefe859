"""Device time of the recorded steps, folded by the chain of source lines, and by module."""

from __future__ import annotations

from pathlib import PureWindowsPath

import msgspec
import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.flame.graph import MOST_NODES, FlameNode, Label, flame_graph
from sidelight.analysis.grouping import grouped_sums
from sidelight.analysis.modules.tree import Modules
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.parts import parts_in_pieces
from sidelight.analysis.places import Tree
from sidelight.profile.manifest import Attribution, TimeKind
from sidelight.profile.model import Profile

_NO_LINE = Label("on no line")
_NO_MODULE = Label("in no module")


class FlameGraphs(msgspec.Struct, frozen=True):
    """Device time by who caused it; the totals of both graphs are ``device_time_ns``.

    Attributes:
        by_line: From a program's outermost line to the innermost.
        by_module: From the outermost module to the innermost.
        time_kind: Whether the times are measured or predicted.
        attribution: Whether any is apportioned.
    """

    by_line: FlameNode
    by_module: FlameNode
    time_kind: TimeKind
    attribution: Attribution


def flame_graphs(
    profile: Profile, modules: Modules, *, most_nodes: int = MOST_NODES
) -> FlameGraphs:
    """Fold a profile's device time.

    Args:
        profile: An attributed profile.
        modules: Its modules.
        most_nodes: How many nodes to show of each.
    """
    return FlameGraphs(
        _by_line(profile, most_nodes),
        _by_module(profile, modules, most_nodes),
        profile.manifest.time_kind,
        profile.manifest.attribution,
    )


def _by_line(profile: Profile, most_nodes: int) -> FlameNode:
    (stacks,), (sums_ns,) = grouped_sums(
        ([parts.stack], [parts.device_ns]) for parts in parts_in_pieces(profile, _counted(profile))
    )
    tree, labels, node_of_stack = _lines(profile)
    self_ns = [0] * (len(labels) + 1)
    for stack, device_ns in zip(stacks.tolist(), sums_ns.tolist(), strict=True):
        self_ns[node_of_stack[stack] if stack >= 0 else -1] += device_ns
    return flame_graph([*tree.parents, -1], [*labels, _NO_LINE], self_ns, most_nodes=most_nodes)


def _lines(profile: Profile) -> tuple[Tree, list[Label], list[int]]:
    """The calling contexts, those of the same lines as one; and the node of each of them."""
    frames, strings = profile.frames, profile.strings
    files: list[int] = frames["file"].tolist()
    numbers: list[int] = frames["line"].tolist()
    functions: list[int] = frames["function"].tolist()
    paths = [file.path for file in profile.files]
    # Windows' rules know both kinds of slashes; a trace may be from anywhere.
    names = [PureWindowsPath(path).name for path in paths]
    numbered: dict[tuple[int, int], int] = {}
    line_of_frame = [
        numbered.setdefault(place, len(numbered)) for place in zip(files, numbers, strict=True)
    ]
    tree, labels, node_of_stack = Tree(), list[Label](), list[int]()
    parents: list[int] = profile.stacks["parent"].tolist()
    frame_of_stack: list[int] = profile.stacks["frame"].tolist()
    for parent, frame in zip(parents, frame_of_stack, strict=True):
        above = node_of_stack[parent] if parent >= 0 else -1
        node = tree.child(above, line_of_frame[frame])
        if node == len(labels):
            file, line, function = files[frame], numbers[frame], functions[frame]
            called = strings[function] if function >= 0 else None
            labels.append(Label(f"{names[file]}:{line}", paths[file], line, called))
        node_of_stack.append(node)
    return tree, labels, node_of_stack


def _by_module(profile: Profile, modules: Modules, most_nodes: int) -> FlameNode:
    (nodes,), (sums_ns,) = grouped_sums(
        ([modules.of(parts.row, parts.stack)], [parts.device_ns])
        for parts in parts_in_pieces(profile, _counted(profile))
    )
    names = modules.names
    labels: list[Label] = []
    for node, name in enumerate(names):
        place = modules.place(node)
        labels.append(Label(name, *place) if place else Label(name))
    self_ns = [0] * (len(names) + 1)
    for node, device_ns in zip(nodes.tolist(), sums_ns.tolist(), strict=True):
        self_ns[node] += device_ns
    return flame_graph(
        [*modules.parents, -1], [*labels, _NO_MODULE], self_ns, most_nodes=most_nodes
    )


def _counted(profile: Profile) -> IntColumn:
    events = profile.events
    return np.flatnonzero(counted_rows(events) & (events["step"] >= 0))
