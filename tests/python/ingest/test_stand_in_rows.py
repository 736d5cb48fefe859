"""Which rows are the program's where something stood in for the device, and which of its host."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.profile.tables import Category
from traces.chrome import Event, operator, row, write_capture

ANSWER = "sidelight::stand_in"
AROUND = "PythonDispatchMode"
ANSWERS = (ANSWER, AROUND)
ON_HOST = "sidelight::on_host"
SYNCHRONIZE = "sidelight::synchronize"
MARKS = (ON_HOST, SYNCHRONIZE)
OTHERS = ("aten::mm", "aten::linear", "sidelight:0", "MmBackward0")


class Row:
    """A row and those within it."""

    def __init__(self, name: str, start: int, end: int) -> None:
        self.name = name
        self.start = start
        self.end = end
        self.inside: list[Row] = []

    def kept(self) -> list[Row]:
        """The row and what of it is the program's, by the plain rule."""
        if self.name == ANSWER:
            return [row for row in self.all() if row.name == SYNCHRONIZE]
        inside = [row for child in self.inside for row in child.kept()]
        return inside if self.name == AROUND else [self, *inside]

    def answers(self) -> list[Row]:
        """The outermost answers in it."""
        if self.name == ANSWER:
            return [self]
        return [answer for child in self.inside for answer in child.answers()]

    def is_on_host(self) -> bool:
        """Whether it is an operator that no answer of the device's is in, by the plain rule."""
        if self.name.startswith("sidelight:"):
            return False
        return all(ON_HOST in [row.name for row in each.all()] for each in self.answers())

    def all(self) -> list[Row]:
        return [self, *(row for child in self.inside for row in child.all())]


def grow(
    generator: random.Random, start: int, end: int, depth: int, *, answered: bool = False
) -> list[Row]:
    """Rows side by side between two times, with others within them."""
    rows: list[Row] = []
    names = [*ANSWERS, *OTHERS, *(MARKS if answered else ())]
    while end - start > 3 and generator.random() < 0.9:
        last = generator.randint(start + 2, end)
        made = Row(generator.choice(names), start, last)
        if depth and made.name not in MARKS:
            within = answered or made.name in ANSWERS
            made.inside = grow(generator, start + 1, last - 1, depth - 1, answered=within)
        rows.append(made)
        start = last + generator.randint(0, 2)
    return rows


def read(
    tmp_path: Path, events: list[Event], target: str = "fake", computes_on: str | None = None
) -> list[tuple[str, int, int]]:
    return [row[:3] for row in read_with_places(tmp_path, events, target, computes_on)]


def read_with_places(
    tmp_path: Path, events: list[Event], target: str, computes_on: str | None
) -> list[tuple[str, int, int, bool]]:
    """``(name, start, thread, whether it is the host's operator)`` of each row."""
    fields: dict[str, Any] = {
        "target": target,
        "computes_on": computes_on,
        "files": [{"path": "/w/train.py"}],
        "frames": [[0, 1, "<module>"]],
        "labels": [[0, 1]],
    }
    write_capture(tmp_path, {"trace-0.json": events}, **fields)
    profile = ingest.read(tmp_path)
    table = profile.events
    rows: list[tuple[str, int, int, bool]] = []
    for index in range(len(table)):
        is_line = table["category"][index] == Category.LINE
        name = "sidelight:0" if is_line else profile.strings[int(table["name"][index])]
        tid = int(profile.tracks[int(table["track"][index])].tid)
        on_host = bool(table["category"][index] == Category.HOST_OPERATOR)
        rows.append((name, int(table["start_ns"][index]) // 1000, tid, on_host))
    return sorted(rows)


@pytest.mark.parametrize("seed", range(20))
def test_the_programs_own_rows_stay(seed: int, tmp_path: Path) -> None:
    generator = random.Random(seed)
    forest = [(tid, tree) for tid in (1, 2, 3) for tree in grow(generator, 1, 4000, 6)]
    rows = [(tid, made) for tid, tree in forest for made in tree.all()]
    generator.shuffle(rows)
    events = [operator(made.name, made.start, made.end - made.start, tid=t) for t, made in rows]
    # Something that stays, so that there is a row at all, and the zero of time is known.
    events.append(operator("aten::mm", 0, 1))
    expected = [(made.name, made.start, tid) for tid, tree in forest for made in tree.kept()]
    assert read(tmp_path, events) == sorted([*expected, ("aten::mm", 0, 1)])


@pytest.mark.parametrize("seed", range(20))
def test_operators_without_an_answer_of_the_devices_are_the_hosts(
    seed: int, tmp_path: Path
) -> None:
    generator = random.Random(seed)
    forest = [(tid, tree) for tid in (1, 2) for tree in grow(generator, 1, 4000, 6)]
    rows = [(tid, made) for tid, tree in forest for made in tree.all()]
    events = [operator(made.name, made.start, made.end - made.start, tid=t) for t, made in rows]
    events.append(operator("aten::mm", 0, 1))
    events += [operator("aten::linear", 5000, 9), operator(ANSWER, 5001, 2)]
    found = read_with_places(tmp_path, events, "virtual", "neuron")
    expected = [
        (made.name, made.start, tid, made.is_on_host())
        for tid, tree in forest
        for made in tree.kept()
    ]
    expected += [("aten::mm", 0, 1, True), ("aten::linear", 5000, 1, False)]
    assert found == sorted(expected)


def test_where_the_program_computes_on_the_host_its_operators_are_what_counts(
    tmp_path: Path,
) -> None:
    events = [operator("aten::mm", 0, 9), operator(ANSWER, 1, 5), operator(ON_HOST, 2, 1)]
    rows = read_with_places(tmp_path, events, "fake", "cpu")
    assert rows == [("aten::mm", 0, 1, False)]


def test_other_targets_keep_all(tmp_path: Path) -> None:
    events = [operator("aten::mm", 0, 9), operator(ANSWER, 1, 5), operator("aten::empty", 2, 2)]
    assert len(read(tmp_path, events, target="cpu")) == 3


def test_a_region_that_is_opened_by_an_operator_stays(tmp_path: Path) -> None:
    """``record_function`` is an operator too, which is answered while it opens its row."""
    events = [
        *(operator(ANSWER, 10, 5), operator("aten::empty", 11, 2), operator(ANSWER, 30, 5)),
        row("user_annotation", "Optimizer.step#AdamW.step", 12, 20),
        operator("aten::mm", 20, 5),
    ]
    assert read(tmp_path, events) == [("Optimizer.step#AdamW.step", 2, 1), ("aten::mm", 10, 1)]


def test_a_row_of_the_programs_that_only_has_the_name_stays(tmp_path: Path) -> None:
    """``record_function("PythonDispatchMode")`` is none of torch's."""
    events = [row("user_annotation", AROUND, 0, 9), operator("aten::mm", 1, 5)]
    assert read(tmp_path, events) == [(AROUND, 0, 1), ("aten::mm", 1, 1)]
