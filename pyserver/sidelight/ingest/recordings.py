"""What an input holds: one recording, or several: of the ranks of a run, or one after another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sidelight.ingest.byte_source import Progress
from sidelight.profile.model import Profile


@dataclass(frozen=True)
class Recording:
    """What is read at once.

    Attributes:
        path: The file or folder that it is in, as messages name it.
        read: Reads it, told the fraction read: one profile, or several where parts of it cannot
            stand on one timeline.
        worker: The process that was recorded: different ones in an input are ranks of one run.
            None for what is of no run with others.
        name: What to call it; None leaves that to its reader.
    """

    path: Path
    read: Callable[[Progress | None], Sequence[Profile]]
    worker: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class Member:
    """What is known of a profile that may be one of several of a run.

    Attributes:
        worker: The process it is of, as :class:`Recording` has it.
        rank: The rank that it says it is; None where it says nothing.
        world_size: How many it says there are, likewise.
        device: What its device times are of.
    """

    worker: str | None
    rank: int | None
    world_size: int | None
    device: str


_OF_ANY_RUN: Final = frozenset({"cpu", "unknown"})
"""Devices that tell nothing: of a rank whose own was not recorded."""


def are_of_one_run(members: Sequence[Member]) -> bool:
    """Whether nothing that the profiles of several workers say keeps them from being one run's."""
    of_workers = [member for member in members if member.worker is not None]
    workers_of_rank: defaultdict[int, set[str | None]] = defaultdict(set)
    for member in of_workers:
        if member.rank is not None:
            workers_of_rank[member.rank].add(member.worker)
    sizes = {member.world_size for member in of_workers} - {None}
    devices = {member.device for member in of_workers} - _OF_ANY_RUN
    return (
        len(sizes) < 2
        and len(devices) < 2
        and all(len(workers) == 1 for workers in workers_of_rank.values())
    )


def ranks_of(workers: Sequence[str | None], told: Sequence[int | None]) -> list[int | None]:
    """The rank of each profile of one run.

    Args:
        workers: The process that each is of; None where it is of no run with others.
        told: The rank that each says it is; None where it says nothing.

    Returns:
        What it says, unless another worker has said so before; else the lowest number that nobody
        has, in order. Where there are no several workers, only what it says.
    """
    names = [worker for worker in dict.fromkeys(workers) if worker is not None]
    if len(names) < 2:
        return list(told)
    rank_of: dict[str, int] = {}
    for worker, rank in zip(workers, told, strict=True):
        if worker is not None and rank is not None and rank not in rank_of.values():
            rank_of.setdefault(worker, rank)
    for worker in names:
        if worker not in rank_of:
            taken = set(rank_of.values())
            rank_of[worker] = next(rank for rank in range(len(taken) + 1) if rank not in taken)
    return [
        rank if worker is None else rank_of[worker]
        for worker, rank in zip(workers, told, strict=True)
    ]
