"""Right answers written in a program's own comments, and the check of a document against them.

A comment that starts with ``#=`` states what its line must show. On a line of its own it speaks of
the next line (for a first line that cannot end in a comment). Its clauses, between semicolons:

- ``count N``: how often execution entered the line's first statement; ``count any`` leaves it open;
- ``ops NAME N, NAME N``: the operators of these names counted on the line;
- ``backward``: all of its own time is backward work; ``mixed``: some is, some is not;
  neither: none is;
- ``launches``: other lines' backward work ran inside it (its own may be of either kind);
- ``as LABEL``: a name for ``total``; lines may share one;
- ``total LABEL, LABEL``: its total is its own time and that of the lines so named, each once;
- ``no device time``: nothing on it or below it.

Two more rules make a program's comments complete: an operator named anywhere in the files must
count 0 on every line that does not name it, and a line without a comment has no time of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from support.document import Document, Line

_COMMENT = re.compile(r"#=(.*)$")

Direction = Literal["forward", "backward", "mixed", "any"]


@dataclass
class Expectation:
    """What one line of a program must show.

    Attributes:
        file: The program's file.
        line: 1-based line number.
        count: Entries of the line's first statement; None where left open.
        ops: Operator name to count.
        direction: Which kinds of work its own time holds.
        launches: Whether other lines' backward work ran inside it.
        labels: Its names for others' totals.
        total: The labels whose lines' own time makes up its total with its own; None: unchecked.
        idle: Nothing may run on it or below it.
    """

    file: Path
    line: int
    count: int | None = None
    ops: Counter[str] = field(default_factory=Counter[str])
    direction: Direction = "forward"
    launches: bool = False
    labels: set[str] = field(default_factory=set[str])
    total: list[str] | None = None
    idle: bool = False


def read_expectations(file: Path) -> list[Expectation]:
    """The expectations in a program's comments.

    Raises:
        ValueError: A clause is not understood.
    """
    found: list[Expectation] = []
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = _COMMENT.search(text)
        if match:
            own_line = not text[: match.start()].strip()
            found.append(_parse(match[1], Expectation(file, number + own_line)))
    return found


def operator_totals(expectations: Iterable[Expectation]) -> Counter[str]:
    """How often each operator named in the expectations runs, over all lines."""
    totals: Counter[str] = Counter()
    for expectation in expectations:
        totals.update(expectation.ops)
    return totals


def mismatches(document: Document, expectations: Sequence[Expectation]) -> list[str]:
    """Where a document differs from what the programs say, one sentence each."""
    shown = {(Path(line["file"]), line["line"]): line for line in document["lines"]}
    files = {expectation.file for expectation in expectations}
    watched = set(operator_totals(expectations))
    labelled: dict[str, list[Expectation]] = {}
    for expectation in expectations:
        for label in expectation.labels:
            labelled.setdefault(label, []).append(expectation)

    wrong: list[str] = []
    for expectation in expectations:
        place = f"{expectation.file.name}:{expectation.line}"
        line = shown.get((expectation.file, expectation.line))
        if expectation.idle:
            if line is not None and line["total_ns"]:
                wrong.append(f"{place}: has device time {line['total_ns']} ns, expected none")
        elif line is None:
            wrong.append(f"{place}: is not listed")
        else:
            wrong += [f"{place}: {what}" for what in _line_mismatches(expectation, line, watched)]
            if expectation.total is not None:
                below = {
                    (part.file, part.line)
                    for label in expectation.total
                    for part in labelled[label]
                } - {(expectation.file, expectation.line)}
                total = line["self_ns"] + sum(shown[p]["self_ns"] for p in below if p in shown)
                if line["total_ns"] != total:
                    wrong.append(f"{place}: total {line['total_ns']} ns, expected {total}")

    stated = {(expectation.file, expectation.line) for expectation in expectations}
    wrong += [
        f"{file.name}:{number}: {line['self_ns']} ns, expected nothing: {line['ops']}"
        for (file, number), line in shown.items()
        if file in files and (file, number) not in stated and line["self_ns"]
    ]
    return wrong


def _line_mismatches(expectation: Expectation, line: Line, watched: set[str]) -> list[str]:
    wrong: list[str] = []
    if expectation.count is not None and line["count"] != expectation.count:
        wrong.append(f"count {line['count']}, expected {expectation.count}")
    operators = {op["name"]: op["count"] for op in line["ops"]}
    wrong += [
        f"{name} {operators.get(name, 0)}, expected {expectation.ops[name]}"
        for name in sorted(watched)
        if operators.get(name, 0) != expectation.ops[name]
    ]
    kinds = {
        "forward": (line["self_ns"], 0),
        "backward": (0, line["self_ns"]),
        "any": (line["forward_ns"], line["backward_ns"]),
    }
    split = (line["forward_ns"], line["backward_ns"])
    if expectation.direction == "mixed":
        if not all(split):
            wrong.append(f"forward and backward {split} ns, expected some of both")
    elif split != kinds[expectation.direction]:
        wrong.append(f"forward and backward {split} ns, expected {expectation.direction} only")
    if bool(line["launched_ns"]) != expectation.launches:
        expected = "some" if expectation.launches else "none"
        wrong.append(f"launched {line['launched_ns']} ns, expected {expected}")
    return wrong


def _parse(text: str, expectation: Expectation) -> Expectation:
    for clause in (part.strip() for part in text.split(";")):
        verb, _, rest = clause.partition(" ")
        if clause == "no device time":
            expectation.idle = True
        elif verb == "count":
            expectation.count = None if rest == "any" else int(rest)
        elif verb == "ops":
            for operator in rest.split(","):
                name, _, count = operator.strip().rpartition(" ")
                expectation.ops[name] = int(count)
        elif clause == "backward":
            expectation.direction = "backward"
        elif clause == "mixed":
            expectation.direction = "mixed"
        elif clause == "launches":
            expectation.direction, expectation.launches = "any", True
        elif verb == "as":
            expectation.labels.add(rest)
        elif verb == "total":
            expectation.total = [label.strip() for label in rest.split(",")]
        else:
            raise ValueError(f"{expectation.file}:{expectation.line}: unknown clause {clause!r}")
    return expectation
