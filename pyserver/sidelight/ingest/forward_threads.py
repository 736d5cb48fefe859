"""Finds the thread that a backward operator's forward ran on.

Autograd numbers threads in its own way: a backward operator carries the ``Fwd thread id`` of its
forward, and sequence numbers count separately on each of those threads. Which thread of the trace
a number means is told by the arrows of category ``fwdbwd``, one from each forward operator to its
backward.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sidelight.profile.tables import Category, Table

NO_FORWARD = 0
UNTOLD = -1


def forward_tracks(rows: Table, flows: Table, processes: Sequence[str]) -> npt.NDArray[np.int32]:
    """The ``forward_thread`` column.

    Args:
        rows: Rows with columns ``track``, ``category``, ``start_ns``, ``sequence_nr`` and
            ``forward_thread`` (autograd's number).
        flows: The ends of autograd's arrows, with columns ``arrow``, ``leaves``, ``track`` and
            ``at_ns``.
        processes: The process of each track: numbers of different processes are unrelated.

    Returns:
        1 + the index of the track that the forward ran on, for backward operators; ``UNTOLD``
        where that cannot be told, and ``NO_FORWARD`` for other rows.
    """
    result = np.full(len(rows), NO_FORWARD, np.int32)
    is_operator = rows["category"] == Category.OPERATOR
    backward = np.flatnonzero(is_operator & (rows["forward_thread"] > 0))
    if not len(backward):
        return result
    forward = is_operator & (rows["forward_thread"] == 0) & (rows["sequence_nr"] >= 0)
    candidates: defaultdict[str, list[int]] = defaultdict(list)
    for track in map(int, np.unique(rows["track"][forward])):
        candidates[processes[track]].append(track)

    votes = _votes(rows, backward, flows, processes)
    keys, key_of = _distinct(rows["track"][backward], rows["forward_thread"][backward])
    answers = np.full(len(keys), UNTOLD, np.int32)
    for index, (track, number) in enumerate(keys):
        process = processes[track]
        if ballots := votes.get((process, number)):
            answers[index] = 1 + ballots.most_common(1)[0][0]
        elif len(candidates[process]) == 1:
            answers[index] = 1 + candidates[process][0]
    result[backward] = answers[key_of]
    return result


def _votes(
    rows: Table, backward: npt.NDArray[np.intp], flows: Table, processes: Sequence[str]
) -> dict[tuple[str, int], Counter[int]]:
    """How many arrows say that a process's number means a track."""
    leaves = flows["leaves"]
    arrives = ~leaves
    origin = _matches(flows["arrow"][leaves], flows["arrow"][arrives])
    backward = backward[np.argsort(rows["start_ns"][backward], kind="stable")]
    # Of several operators that start at one time the first is asked: others vote as well.
    target = _matches(rows["start_ns"][backward], flows["at_ns"][arrives])
    told = np.flatnonzero((origin >= 0) & (target >= 0))
    target_row = backward[target[told]]
    origin_track = flows["track"][leaves][origin[told]]
    same_track = rows["track"][target_row] == flows["track"][arrives][told]
    votes: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    kept = np.flatnonzero(same_track & (origin_track >= 0))
    numbers = rows["forward_thread"][target_row[kept]]
    keys, key_of = _distinct(rows["track"][target_row[kept]], numbers)
    ballots, counts = np.unique(np.stack([key_of, origin_track[kept]]), axis=1, return_counts=True)
    for key, track, count in zip(*ballots, counts, strict=True):
        own_track, number = keys[int(key)]
        votes[processes[own_track], number][int(track)] += int(count)
    return votes


def _distinct(
    tracks: npt.NDArray[np.int32], numbers: npt.NDArray[np.int64]
) -> tuple[list[tuple[int, int]], npt.NDArray[np.intp]]:
    """The few different (track, number) among many, and the index of each in them."""
    packed = (tracks.astype(np.int64) << 32) + (numbers & 0xFFFFFFFF)
    distinct, index = np.unique(packed, return_inverse=True)
    return [divmod(int(one), 1 << 32) for one in distinct], index


def _matches(values: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """The index of the first of ``values`` that equals each of ``wanted``; -1 for none."""
    if not len(values):
        return np.full(len(wanted), -1, np.intp)
    order = np.argsort(values, kind="stable")
    place = np.minimum(np.searchsorted(values[order], wanted), len(values) - 1)
    return np.where(values[order][place] == wanted, order[place], -1)
