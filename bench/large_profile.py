"""Stores a profile too large to be recorded here: by default 10,000,000 events on 64 tracks.

    python bench/large_profile.py STORE [--events 10000000]

Made directly as tables, attributed already: sixteen threads of the host with operators nested four
deep, and eight cores with six streams each, eight steps in all. Prints the profile's directory.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.jobs.annotations import store_annotated
from sidelight.jobs.first_look import keep_first_look
from sidelight.profile.manifest import Manifest, SourceFile, Track
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from sidelight.profile.tables import (
    ATTRIBUTION_COLUMNS,
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    STACK_COLUMNS,
    STEP_COLUMNS,
    Category,
    Column,
    Table,
)

HOST_THREADS: Final = 16
CORES: Final = 8
STREAMS_A_CORE: Final = 6
TRACKS: Final = HOST_THREADS + CORES * STREAMS_A_CORE
STEPS: Final = 8
LINES: Final = 32
LENGTH_NS: Final = 10_000_000_000

_OPERATORS: Final = ("aten::linear", "aten::addmm", "aten::mul", "aten::gelu", "aten::copy_")
_CALLS: Final = ("nrt_execute", "nrt_copy")
_KERNELS: Final = ("fused_matmul_bias_gelu", "rmsnorm_kernel", "reduce_sum", "all_reduce")
_STRINGS: Final = ("train.py", *_OPERATORS, *_CALLS, *_KERNELS)

_NESTED: Final = (Category.LINE, Category.OPERATOR, Category.OPERATOR, Category.RUNTIME)
"""The rows of a thread, outermost first; each holds two of the next."""

_ROWS_A_STATEMENT: Final = 2 ** len(_NESTED) - 1

Times = npt.NDArray[np.int64]


def large_profile(events: int) -> Profile:
    """A profile of about so many events, attributed."""
    random = np.random.default_rng(42)
    each = events // TRACKS
    parts = [
        *(_thread(track, each, random) for track in range(HOST_THREADS)),
        *(_stream(track, each, random) for track in range(HOST_THREADS, TRACKS)),
    ]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    bounds = np.linspace(0, LENGTH_NS, STEPS + 1).astype(np.int64)
    return Profile(
        manifest=Manifest(
            name="large", created="", format="bench", device="trn2", line_level="line"
        ),
        strings=list(_STRINGS),
        tracks=[
            *(
                Track("host", f"thread {thread}", "1", str(thread))
                for thread in range(HOST_THREADS)
            ),
            *(
                Track("device", f"NeuronCore {core}, queue {stream}", str(core), str(stream))
                for core in range(CORES)
                for stream in range(STREAMS_A_CORE)
            ),
        ],
        files=[SourceFile("/project/train.py")],
        events=Table(columns),
        frames=Table.of(
            FRAME_COLUMNS,
            {"file": [0] * LINES, "line": range(1, LINES + 1), "function": [0] * LINES},
        ),
        stacks=Table.of(STACK_COLUMNS, {"parent": [-1] * LINES, "frame": range(LINES)}),
        steps=Table.of(STEP_COLUMNS, {"start_ns": bounds[:-1], "end_ns": bounds[1:]}),
    )


def _thread(track: int, events: int, random: np.random.Generator) -> dict[str, Column]:
    """Statements, each with operators nested in it, from the start to the end."""
    start_ns, room_ns = _one_after_another(events // _ROWS_A_STATEMENT, random)
    rows: list[tuple[Category, Times, Times]] = []
    for category in _NESTED:
        duration_ns = _filled(room_ns, random)
        rows.append((category, start_ns, duration_ns))
        half_ns = duration_ns // 2
        start_ns = np.column_stack((start_ns, start_ns + half_ns)).ravel()
        room_ns = np.repeat(half_ns, 2)
    category = np.concatenate([np.full(len(start), int(kind)) for kind, start, _ in rows])
    start_ns = np.concatenate([start for _, start, _ in rows])
    duration_ns = np.concatenate([duration for _, _, duration in rows])
    order = np.lexsort((-duration_ns, start_ns))
    return _columns(track, category[order], start_ns[order], duration_ns[order], random)


def _stream(track: int, events: int, random: np.random.Generator) -> dict[str, Column]:
    start_ns, room_ns = _one_after_another(events, random)
    category = np.full(events, int(Category.DEVICE))
    return _columns(track, category, start_ns, _filled(room_ns, random), random)


def _filled(room_ns: Times, random: np.random.Generator) -> Times:
    """Durations that leave gaps of all sizes."""
    return np.maximum((room_ns * (0.4 + 0.55 * random.random(len(room_ns)))).astype(np.int64), 1)


def _one_after_another(count: int, random: np.random.Generator) -> tuple[Times, Times]:
    """Starts that fill the whole run, and the room there is until the next."""
    lengths = 0.05 + random.random(count) ** 3
    ends = np.cumsum(lengths)
    bounds = np.concatenate(([0], (ends * (LENGTH_NS / ends[-1])).astype(np.int64)))
    return bounds[:-1], np.diff(bounds)


def _columns(
    track: int, category: Column, start_ns: Times, duration_ns: Times, random: np.random.Generator
) -> dict[str, Column]:
    """Rows of one track with every column that attribution would have given them."""
    rows = len(start_ns)
    names = {
        Category.LINE: (0, 1),
        Category.OPERATOR: (1, len(_OPERATORS)),
        Category.RUNTIME: (1 + len(_OPERATORS), len(_CALLS)),
        Category.DEVICE: (1 + len(_OPERATORS) + len(_CALLS), len(_KERNELS)),
    }
    name = np.zeros(rows, np.int64)
    for kind, (first, count) in names.items():
        is_kind = category == kind
        name[is_kind] = first + random.integers(0, count, int(is_kind.sum()))
    line = random.integers(0, LINES, rows)
    given: dict[str, Column] = {
        "track": np.full(rows, track),
        "category": category,
        "name": name,
        "start_ns": start_ns,
        "duration_ns": duration_ns,
        "frame": np.where(category == Category.LINE, line, -1),
        "stack": line,
        "backward": np.zeros(rows),
        "step": np.minimum(start_ns * STEPS // LENGTH_NS, STEPS - 1),
        "device_ns": np.where(category == Category.DEVICE, duration_ns, 0),
        "host_ns": np.where(category == Category.LINE, duration_ns, 0),
    }
    types = {**EVENT_COLUMNS, **ATTRIBUTION_COLUMNS}
    return {
        column: given.get(column, np.full(rows, -1)).astype(kind) for column, kind in types.items()
    }


def stored(store: Path, events: int) -> Path:
    """Stores one, as whoever reads a recording does; returns its directory."""
    profile = large_profile(events)
    # What it counts under is the row itself.
    profile.events["operator"][:] = np.arange(len(profile.events))
    kept = store_annotated(Store(store), profile)
    keep_first_look(kept, profile)
    return kept.directory


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("store", type=Path)
    parser.add_argument("--events", type=int, default=10_000_000)
    arguments = parser.parse_args()
    print(stored(arguments.store, arguments.events))


if __name__ == "__main__":
    main()
