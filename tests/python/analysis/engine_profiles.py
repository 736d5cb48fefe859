"""Profiles of NeuronCores, made by hand or at random as a reader of tables makes them."""

from __future__ import annotations

from collections.abc import Sequence

from engine_oracle import Chain, Execution, Work
from hypothesis import strategies as st

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import Track, TrackEngine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

CORES = ("NeuronCore 0", "NeuronCore 1")
ENGINES: tuple[TrackEngine, ...] = ("tensor", "vector", "dma")
A, B, C = ("/src/model.py", 10), ("/src/model.py", 11), ("/src/kernel.py", 5)
CALLER = ("/src/train.py", 3)
CHAINS: tuple[Chain, ...] = ((A,), (B,), (CALLER, A), (CALLER, B), (C,), (CALLER, A, C))


def node_of(builder: ProfileBuilder, chain: Chain) -> int:
    """The calling context of a chain, made as readers do."""
    node = -1
    for file, line in chain:
        node = builder.stacks.code((node, builder.frame(file, line, "f")))
    return node


def make_core_profile(work: Sequence[Work], executions: Sequence[Execution] = ()) -> Profile:
    """A profile as a reader returns it; its first row starts at 0."""
    builder = ProfileBuilder()
    if work:
        builder.add_rows(
            {
                "track": [builder.tracks.code(_track(row)) for row in work],
                "category": [Category.ENGINE_WORK] * len(work),
                "name": [builder.strings.code(row.name) for row in work],
                "start_ns": [row.start_ns for row in work],
                "duration_ns": [row.duration_ns for row in work],
            },
            origins=[[node_of(builder, chain) for chain in row.chains] for row in work],
        )
    if executions:
        name = builder.strings.code("nc_exec_running")
        builder.add_rows(
            {
                "track": [
                    builder.tracks.code(Track("device", row.core, row.core, row.queue))
                    for row in executions
                ],
                "category": [Category.DEVICE] * len(executions),
                "name": [name] * len(executions),
                "start_ns": [row.start_ns for row in executions],
                "duration_ns": [row.duration_ns for row in executions],
            }
        )
    return builder.build(new_manifest("core", "test", []), "it")


def _track(row: Work) -> Track:
    return Track("device", row.engine, row.core, row.engine, row.engine)


work_rows = st.builds(
    Work,
    core=st.sampled_from((CORES[0], CORES[0], CORES[1])),
    engine=st.sampled_from(ENGINES),
    start_ns=st.integers(0, 20),
    duration_ns=st.integers(0, 12),
    chains=st.lists(st.sampled_from(CHAINS), max_size=3).map(tuple),
    name=st.sampled_from(("MATMUL", "ACTIVATE")),
)
"""Rows that overlap, nest, repeat one another and name none to three contexts."""

execution_rows = st.builds(
    Execution,
    core=st.sampled_from(CORES),
    start_ns=st.integers(0, 20),
    duration_ns=st.integers(1, 15),
    queue=st.sampled_from(("0", "1")),
)
"""Rows that overlap on a queue, and lie within one another on two."""
