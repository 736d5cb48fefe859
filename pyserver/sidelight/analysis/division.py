"""Whose the device time is where rows belong to several lines, as instructions of a core do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sidelight.analysis.device_time import DeviceTime
from sidelight.analysis.engine_time import Division, EngineTime
from sidelight.analysis.nesting import Indexes, IntColumn
from sidelight.analysis.places import Tree
from sidelight.profile.manifest import Attribution
from sidelight.profile.model import Profile
from sidelight.profile.tables import ORIGIN_COLUMNS, SHARE_COLUMNS, Category, Table


@dataclass(frozen=True)
class DividedTime:
    """Device time, divided.

    Attributes:
        device_ns: Nanoseconds for each event.
        shares: How events of several lines are divided.
        attribution: Whether any are.
    """

    device_ns: IntColumn
    shares: Table
    attribution: Attribution


def merge_origins(profile: Profile, stacks: Tree) -> Table:
    """Add the calling contexts that a file names for events to those that were found.

    Args:
        profile: As a reader returned it.
        stacks: The contexts that were found; those that the file names are added to it.

    Returns:
        The profile's origins, by the numbers that their contexts have in ``stacks``.
    """
    if not len(profile.origins):
        return profile.origins
    nodes: list[int] = []
    parents: list[int] = profile.stacks["parent"].tolist()
    frames: list[int] = profile.stacks["frame"].tolist()
    for parent, frame in zip(parents, frames, strict=True):
        nodes.append(stacks.child(nodes[parent] if parent >= 0 else -1, frame))
    stack = np.array(nodes, np.int32)[profile.origins["stack"]]
    return Table.of(ORIGIN_COLUMNS, {"event": profile.origins["event"], "stack": stack})


def first_origins(origins: Table, events: int) -> Indexes:
    """The first calling context that the file names for each event, -1 for none."""
    first = np.full(events, -1, np.int32)
    index = np.flatnonzero(np.diff(origins["event"], prepend=-1))
    first[origins["event"][index]] = origins["stack"][index]
    return first


def divide(
    profile: Profile, stacks: Table, origins: Table, stack: Indexes, time: DeviceTime
) -> DividedTime:
    """Divide device time over the lines that the file itself names for engines' work.

    Args:
        profile: Its events, tracks and frames.
        stacks: Its calling contexts.
        origins: Which of them the file names for events.
        stack: The calling context that each event has by itself, -1 for none.
        time: Which rows are device time.
    """
    if time.level == "engine":
        nothing = np.zeros(0, np.int64)
        of_lines, of_nobody = EngineTime(profile, stacks, origins, nothing).by_row()
        device_ns = np.zeros(len(profile.events), np.int64)
        np.add.at(device_ns, of_lines.row, of_lines.device_ns)
        device_ns[of_nobody.row] = of_nobody.device_ns
        is_again = of_lines.row[1:] == of_lines.row[:-1]
        several = np.zeros(len(of_lines.row), np.bool_)
        several[1:] = is_again
        several[:-1] |= is_again
        shares = _shares(
            of_lines.row[several], of_lines.stack[several], of_lines.device_ns[several]
        )
        return DividedTime(device_ns, shares, "apportioned")
    if time.level == "device" and (profile.events["category"] == Category.ENGINE_WORK).any():
        executions = np.flatnonzero(time.device_ns)
        division = EngineTime(profile, stacks, origins, executions).by_execution()
        shares = _with_rest(division, stack, time.device_ns)
        divided = len(np.unique(shares["event"]))
        attribution = "apportioned" if divided == len(executions) else "mixed"
        return DividedTime(time.device_ns, shares, attribution if divided else "exact")
    return DividedTime(time.device_ns, Table.empty(SHARE_COLUMNS), "exact")


def _shares(row: Indexes, stack: Indexes, device_ns: IntColumn) -> Table:
    return Table.of(SHARE_COLUMNS, {"event": row, "stack": stack, "device_ns": device_ns})


def _with_rest(division: Division, stack: Indexes, device_ns: IntColumn) -> Table:
    """An execution's parts; what no line was active in is that of the line that launched it."""
    rows, first = np.unique(division.row, return_index=True)
    if not len(rows):
        return Table.empty(SHARE_COLUMNS)
    rest_ns = device_ns[rows] - np.add.reduceat(division.device_ns, first)
    row = np.concatenate((division.row, rows[rest_ns > 0]))
    part_stack = np.concatenate((division.stack, stack[rows[rest_ns > 0]]))
    part_ns = np.concatenate((division.device_ns, rest_ns[rest_ns > 0]))
    # The launching line may be one of the lines, too.
    width = int(part_stack.max()) + 2
    pairs, number = np.unique(row.astype(np.int64) * width + part_stack + 1, return_inverse=True)
    sums_ns = np.zeros(len(pairs), np.int64)
    np.add.at(sums_ns, number, part_ns)
    row, part_stack = np.divmod(pairs, width)
    return _shares(row, part_stack - 1, sums_ns)
