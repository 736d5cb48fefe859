"""What the rows of device time are of: computing, collectives, moving data, or all at once.

Engines' rows are told by their track. On streams, copies and fills have the names that Kineto gives
them (``Memcpy HtoD …``, ``Memset …``), or torch's operators theirs where something stood in for the
device; collectives those of NCCL's and RCCL's kernels, or of torch's operators. All else computes.
Where the CPU is the device it computes in every operator: what it exchanges with others is on
threads of a library.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.analysis.chosen_rows import names_of
from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.nesting import Mask
from sidelight.hardware.operators.collectives import NAMESPACES
from sidelight.profile.manifest import STAND_IN_TARGETS
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category


class DeviceKind(IntEnum):
    """What a row of device time is of."""

    NONE = -1
    """It is none."""
    COMPUTE = 0
    """A kernel, or an instruction of an engine."""
    COLLECTIVE = 1
    """Ranks exchange data."""
    DMA = 2
    """Data is moved or filled."""
    EXECUTION = 3
    """A whole program of the device, which may do all of it; it does not tell what when."""


COLLECTIVE_NAME: Final = re.compile(
    rf"(?:{'|'.join(map(re.escape, NAMESPACES))})::|(?:void )?[nr]ccl|gloo:",
    re.IGNORECASE,
)
"""Begins the names of rows that are collectives."""

_DMA_NAME: Final = re.compile(
    r"memcpy|memset|Copy(?:Host|Device)To|dma_|aten::(?:copy_|_to_copy)$", re.IGNORECASE
)

_EXECUTION_CATEGORIES: Final = (Category.DEVICE, Category.DEVICE_COARSE, Category.DEVICE_RUNTIME)


def device_kinds(profile: Profile) -> npt.NDArray[np.int8]:
    """The kind of each event; ``NONE`` for those that are no device time.

    Engines' rows have their kinds also where whole executions have the device time.

    Args:
        profile: An attributed profile.
    """
    events = profile.events
    category = events["category"]
    kind = np.full(len(events), DeviceKind.NONE, np.int8)
    counted = counted_rows(events)
    kind[counted] = DeviceKind.COMPUTE
    of_name = counted & ~np.isin(category, (Category.ENGINE_WORK, Category.OPERATOR))
    kind[of_name] = _kinds_of_names(profile, of_name)[events["name"][of_name]]
    if holds_executions(profile):
        is_execution = counted & np.isin(category, _EXECUTION_CATEGORIES)
        kind[is_execution & (kind == DeviceKind.COMPUTE)] = DeviceKind.EXECUTION
    of_engine = np.flatnonzero(category == Category.ENGINE_WORK)
    kind[of_engine] = _kinds_of_tracks(profile)[events["track"][of_engine]]
    return kind


def holds_executions(profile: Profile) -> bool:
    """Whether rows of device time are whole programs of a NeuronCore."""
    manifest = profile.manifest
    return manifest.device == "neuron" and manifest.target not in STAND_IN_TARGETS


def _kinds_of_names(profile: Profile, rows: Mask) -> npt.NDArray[np.int8]:
    """The kinds of all strings that are a name of the rows."""
    kinds = np.full(len(profile.strings), DeviceKind.NONE, np.int8)
    names: list[int] = names_of(profile, rows).tolist()
    kinds[names] = [_kind_of(profile.strings[name]) for name in names]
    return kinds


def _kind_of(name: str) -> DeviceKind:
    if COLLECTIVE_NAME.match(name):
        return DeviceKind.COLLECTIVE
    return DeviceKind.DMA if _DMA_NAME.match(name) else DeviceKind.COMPUTE


def _kinds_of_tracks(profile: Profile) -> npt.NDArray[np.int8]:
    of_engine = {"dma": DeviceKind.DMA, "collective": DeviceKind.COLLECTIVE}
    kinds = [of_engine.get(track.engine or "", DeviceKind.COMPUTE) for track in profile.tracks]
    return np.array([*kinds, DeviceKind.COMPUTE], np.int8)
