"""Which rows are collectives, and what is known of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from sidelight.analysis.chosen_rows import named_rows
from sidelight.analysis.device_kinds import COLLECTIVE_NAME, DeviceKind, device_kinds
from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.analysis.operator_calls import OperatorCalls
from sidelight.hardware.operators.collectives import group_size
from sidelight.hardware.operators.registry import rule_for
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

UNKNOWN: Final = -1
"""A number of bytes or ranks that is not known."""

_KINDS: Final = (
    ("allreduce", "all-reduce"),
    ("allgather", "all-gather"),
    ("reducescatter", "reduce-scatter"),
    ("alltoall", "all-to-all"),
    ("sendrecv", "send and receive"),
    ("broadcast", "broadcast"),
    ("barrier", "barrier"),
    ("permute", "permute"),
    ("scatter", "scatter"),
    ("gather", "gather"),
    ("reduce", "reduce"),
    ("send", "send"),
    ("recv", "receive"),
)
"""What is in the names of collectives, of which some are in others, and what people call them."""

_OF_LIBRARY: Final = re.compile(r"(?:gloo|mpi|ccl|nccl):", re.IGNORECASE)
"""Begins the names of regions that collective libraries open on the host."""

_GROUP: Final = re.compile(r"replica_group=[\[({]+([\d,\s]+)")

Where = Literal["device", "host"]


@dataclass(frozen=True)
class Operations:
    """Collectives, in order of their starts.

    Attributes:
        where: Whether the device's rows tell of them, or only the host's.
        row: The event of each.
        size_bytes: The larger of what a rank gives and what it gets, ``UNKNOWN`` for not known.
        ranks: How many ranks take part: all of the run's, where nothing tells of a smaller group;
            ``UNKNOWN`` likewise.
    """

    where: Where
    row: IntColumn
    size_bytes: IntColumn
    ranks: IntColumn


def operations(profile: Profile) -> Operations:
    """The collectives of the recorded steps.

    Where the device has no rows of them, those of the library on the host count, else torch's
    operators.

    Args:
        profile: An attributed profile.
    """
    events = profile.events
    in_step = events["step"] >= 0
    where: Where = "device"
    chosen = in_step & (device_kinds(profile) == DeviceKind.COLLECTIVE)
    if not chosen.any():
        where = "host"
        chosen = in_step & library_rows(profile)
    if not chosen.any():
        is_operator = events["category"] == Category.OPERATOR
        calls = named_rows(profile, is_operator, COLLECTIVE_NAME.match)
        parent = events["parent"]
        chosen = in_step & calls & ~((parent >= 0) & calls[parent])
    rows = np.flatnonzero(chosen)
    rows = rows[np.argsort(events["start_ns"][rows], kind="stable")]
    sizes, ranks = _given(profile, rows)
    _add_what_rows_know(profile, rows, sizes, ranks)
    return Operations(where, rows, sizes, ranks)


def library_rows(profile: Profile) -> Mask:
    """The regions in which a library on the host is on with a collective.

    Args:
        profile: Any profile.
    """
    is_range = profile.events["category"] == Category.ANNOTATION
    return named_rows(profile, is_range, _OF_LIBRARY.match)


def kind_of(name: str) -> str:
    """What people call a collective of this name: the name itself where that tells nothing."""
    plain = re.sub(r"[\W_]", "", name).lower()
    return next((kind for part, kind in _KINDS if part in plain), name)


def _given(profile: Profile, rows: IntColumn) -> tuple[IntColumn, IntColumn]:
    """Sizes and ranks by what the operators behind rows were given."""
    events, strings = profile.events, profile.strings
    operator = events["operator"][rows]
    names: list[int] = events["name"][operator].tolist()
    signatures: list[int] = events["signature"][operator].tolist()
    pairs = list(zip(names, signatures, strict=True))
    calls = OperatorCalls({}, profile.manifest.world_size)
    known = {
        (name, signature): _told(calls, strings[name], strings[signature] if signature >= 0 else "")
        for name, signature in set(pairs)
    }
    of_all = profile.manifest.world_size or UNKNOWN
    sizes = np.array([known[pair][0] or UNKNOWN for pair in pairs], np.int64)
    return sizes, np.array([known[pair][1] or of_all for pair in pairs], np.int64)


def _told(calls: OperatorCalls, name: str, signature: str) -> tuple[int | None, int | None]:
    """Bytes, as the predictor understands them, and ranks; None where an operator tells nothing."""
    rule = rule_for(name) if COLLECTIVE_NAME.match(name) and signature else None
    if rule is None:
        return None, None
    call = calls.call(name, signature)
    work = rule(call) if call.tensors else None
    return max(work.read_bytes, work.written_bytes) if work else None, group_size(call)


def _add_what_rows_know(
    profile: Profile, rows: IntColumn, sizes: IntColumn, ranks: IntColumn
) -> None:
    """Put in what a device profile itself says of its collectives."""
    work = profile.work
    if not len(work):
        return
    index = np.minimum(np.searchsorted(work["event"], rows), len(work) - 1)
    has_work = work["event"][index] == rows
    moved = np.where(has_work, work["moved_bytes"][index], UNKNOWN)
    sizes[moved >= 0] = moved[moved >= 0]
    texts: list[int] = np.where(has_work, work["operands"][index], UNKNOWN).tolist()
    for place, text in enumerate(texts):
        match = _GROUP.search(profile.strings[text]) if text >= 0 else None
        if match:
            ranks[place] = len(re.findall(r"\d+", match.group(1)))
