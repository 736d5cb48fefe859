"""The JSON document of ``profile``, ``open`` and ``lines``, and what must hold in every one."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict


class Operator(TypedDict):
    """One entry of a line's ``ops``."""

    name: str
    self_ns: int
    count: int


class Line(TypedDict):
    """One entry of ``lines``, as far as these tests read it."""

    file: str
    line: int
    self_ns: int
    total_ns: int
    forward_ns: int
    backward_ns: int
    launched_ns: int
    count: int
    host_ns: int | None
    time_kind: str
    ops: list[Operator]


class Note(TypedDict):
    """One entry of ``quality``."""

    code: str
    severity: str
    message: str
    count: int


class Document(TypedDict):
    """The document, as far as these tests read it."""

    profile: str
    target: str
    device: str
    time_kind: str
    attribution: str
    script_exit: int | None
    stopped_by: str | None
    steps: int
    warmup: int
    device_time_ns: int
    device_busy_ns: int
    span_ns: int
    attributed_ns: int
    unattributed_ns: int
    predicted_ns: int | None
    lines: list[Line]
    quality: list[Note]


def line_of(document: Document, file: Path, number: int) -> Line | None:
    """The document's entry for a source line; None where it lists none."""
    for line in document["lines"]:
        if line["line"] == number and Path(line["file"]) == file:
            return line
    return None


def quality_codes(document: Document) -> set[str]:
    """The codes in the data-quality report."""
    return {note["code"] for note in document["quality"]}


def broken_invariants(document: Document) -> list[str]:
    """What the contract promises of every document and this one breaks, one sentence each."""
    lines = document["lines"]
    own = [line["self_ns"] for line in lines]
    rules = {
        "lines' own time and the unattributed make up device time": (
            sum(own) + document["unattributed_ns"] == document["device_time_ns"]
        ),
        "attributed is the sum of the lines' own time": sum(own) == document["attributed_ns"],
        "busy time is within device time and span": (
            document["device_busy_ns"] <= min(document["device_time_ns"], document["span_ns"])
        ),
        "lines are sorted, most own time first": own == sorted(own, reverse=True),
        "a line is listed once": len({(line["file"], line["line"]) for line in lines}) == len(own),
        "every listed line has time on it or below it": all(line["total_ns"] > 0 for line in lines),
    }
    broken = [rule for rule, holds in rules.items() if not holds]
    for line in lines:
        place = f"{line['file']}:{line['line']}"
        if line["forward_ns"] + line["backward_ns"] != line["self_ns"]:
            broken.append(f"{place}: forward and backward do not make up its own time")
        if sum(op["self_ns"] for op in line["ops"]) != line["self_ns"]:
            broken.append(f"{place}: its operators do not sum to its own time")
        if line["self_ns"] > line["total_ns"]:
            broken.append(f"{place}: its own time passes its total")
    return broken
