"""What lines have of a device profile's time, against a walk over its rows by nanosecond."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from hypothesis import given, settings, strategies as st

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from support.explorer_tables import Row, write_tables

Line = tuple[str, int]

PLACES: Final[Mapping[int, Line]] = {
    1: ("/u/train.py", 80),
    2: ("/u/model.py", 12),
    3: ("/u/model.py", 13),
}
"""Lines of stack frames; frame 1 calls the others."""

SOURCES: Final[Sequence[tuple[dict[str, str], set[Line]]]] = (
    # What a row says of its source, and the innermost lines that follow from it.
    ({}, set()),
    ({"stack_frame_ids": "[2]"}, {PLACES[2]}),
    ({"stack_frame_ids": "[2, 3]"}, {PLACES[2], PLACES[3]}),
    ({"stack_frame_ids": "[1, 2, 3]"}, {PLACES[1], PLACES[2], PLACES[3]}),
    ({"nki_source_location": "/u/kernel.py:5"}, {("/u/kernel.py", 5)}),
    (
        {"nki_source_location": '["/u/kernel.py:5", "/u/kernel.py:6"]'},
        {("/u/kernel.py", 5), ("/u/kernel.py", 6)},
    ),
    ({"bir_debug_info_source_location": "/u/model.py:12"}, {PLACES[2]}),
    ({"stack_frame_ids": "[2]", "bir_debug_info_source_location": "/u/other.py:1"}, {PLACES[2]}),
    (
        {"stack_frame_ids": "[3]", "nki_source_location": "/u/kernel.py:5"},
        {("/u/kernel.py", 5)},
    ),
)

TABLES: Final[Mapping[str, Sequence[Row]]] = {
    "StackFrameFileName": [{"id": "1", "name": "/u/train.py"}, {"id": "2", "name": "/u/model.py"}],
    "StackFrameFunctionName": [{"id": "1", "name": "f"}],
    "StackFrameFileLocation": [
        {
            "id": str(number),
            "file_name_id": 1 + (number > 1),
            "function_name_id": 1,
            "line_number": line,
        }
        for number, (_, line) in PLACES.items()
    ],
    "StackFrame": [
        {"id": str(number), "file_location_id": number, "parent_frame_id": str(int(number > 1))}
        for number in PLACES
    ],
}


class Instruction(NamedTuple):
    start_ns: int
    duration_ns: int
    engine: str
    physical_core: int
    source: int
    is_wait: bool


instructions = st.builds(
    Instruction,
    start_ns=st.integers(0, 30),
    duration_ns=st.integers(0, 20),
    engine=st.sampled_from(["tensor", "vector", "sync"]),
    physical_core=st.integers(0, 1),
    source=st.integers(0, len(SOURCES) - 1),
    is_wait=st.booleans(),
)
packets = st.tuples(st.integers(0, 50), st.integers(0, 20))


def plain_walk(
    work: Sequence[Instruction], moved: Sequence[tuple[int, int]]
) -> dict[Line | None, Fraction]:
    """Each instant in which anything works, split equally over the lines that work in it."""
    shares: defaultdict[Line | None, Fraction] = defaultdict(Fraction)
    for now in range(80):
        active = [row for row in work if row.start_ns <= now < row.start_ns + row.duration_ns]
        active = [row for row in active if not row.is_wait]
        lines = {line for row in active for line in SOURCES[row.source][1]}
        moving = any(start <= now < start + duration for start, duration in moved)
        for line in lines:
            shares[line] += Fraction(1, len(lines))
        if not lines and (active or moving):
            shares[None] += 1
    return shares


@settings(deadline=None, max_examples=25)
@given(st.lists(instructions, min_size=1, max_size=8), st.lists(packets, max_size=3))
def test_lines_share_each_instant(work: list[Instruction], moved: list[tuple[int, int]]) -> None:
    rows = [
        {
            "start_ts": 10**15 + row.start_ns,
            "end_ts": 10**15 + row.start_ns + row.duration_ns,
            "duration_ns": row.duration_ns,
            "engine": row.engine,
            "pcore_idx": row.physical_core,
            "opcode": "EVENT_SEMAPHORE" if row.is_wait else "WORK",
            **SOURCES[row.source][0],
        }
        for row in work
    ]
    transfers = [
        {"start_ts": 10**15 + start_ns, "end_ts": 10**15 + start_ns + duration_ns}
        for start_ns, duration_ns in moved
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = write_tables(
            Path(folder),
            {**TABLES, "Instruction": rows, "DmaPacket": transfers},
            pieces={"Instruction": min(2, len(rows))},
        )
        report = line_report(attribute(ingest.read(path)), "/u")

    expected = plain_walk(work, moved)
    found = {(line.file, line.line): line.self_ns for line in report.lines if line.self_ns}
    assert report.device_time_ns == sum(expected.values())
    assert report.unattributed_ns == expected.get(None, 0)
    assert sum(found.values()) + report.unattributed_ns == report.device_time_ns
    for line, part in expected.items():
        assert line is None or abs(found.get(line, 0) - part) < 1
    assert not found.keys() - expected.keys()
