"""Damages a trace in one way at a time, and tells what is left of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any

from traces.chrome import BASE_NS, PID, Event, arrow, operator, row

Row = tuple[str, str, str, int, int]
"""Name, process, thread, start since 1970 and duration in nanoseconds."""

HEAD = (
    f'{{"schemaVersion": 1, "deviceProperties": [{{"id": 0, "name": "Chip"}}],'
    f' "baseTimeNanoseconds": {BASE_NS}, "traceEvents": ['
)
TAIL = '], "traceName": "/tmp/trace.json"}'
LAYOUTS: dict[str, dict[str, Any]] = {
    "compact": {"separators": (",", ":")},
    "spaced": {},
    "indented": {"indent": 2},
}


def sound_events() -> list[Event]:
    """Events of many kinds, each row with a name of its own."""
    events: list[Event] = [
        {"ph": "M", "name": "process_name", "pid": PID, "tid": 0, "args": {"name": "python {1}"}},
        {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7 "}},
    ]
    for index in range(12):
        at = 10.25 + 100 * index
        ids: dict[str, Any] = {"External id": index, "Record function id": 0}
        shapes: dict[str, Any] = {"Input Dims": [[4, index], []], "Input type": ["float", "Scalar"]}
        events += [
            operator(f"aten::op{index}", at, 90.5, **ids, **shapes),
            row("cuda_runtime", f"launch{index}", at + 1, 2.125, correlation=index),
            row("kernel", f'k{index}<{{"a"}}, [[b]]>', at + 5, 3.001, pid=0, tid=7, **ids),
            *arrow(index, (1, at), (2, at + 1)),
        ]
    nested: dict[str, Any] = {
        "groups": [{"name": "a", "id": 1}, {"name": "b", "id": [2, {"ts": 3}]}]
    }
    events.append(row("user_annotation", "nested", 1300.5, 40.75, **nested))
    events.append({"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 9})
    events.append(operator("aten::last", 1400, 20))
    return events


def rows_of(events: Sequence[Event], *, base_ns: int = BASE_NS) -> list[Row]:
    """What a plain walk finds."""
    return sorted(
        (
            event["name"],
            str(event["pid"]),
            str(event["tid"]),
            base_ns + round(Decimal(str(event["ts"])) * 1000),
            round(Decimal(str(event["dur"])) * 1000),
        )
        for event in events
        if event["ph"] == "X"
    )


def texts_of(events: Sequence[Event], layout: str = "spaced") -> list[str]:
    """Each event as JSON."""
    return [json.dumps(event, **LAYOUTS[layout]) for event in events]


def document_of(texts: Sequence[str], *, head: str = HEAD, tail: str = TAIL) -> str:
    """A trace of events that are JSON already."""
    return head + ",\n".join(texts) + tail


@dataclass(frozen=True)
class EventDamage:
    """What is done to one event's text.

    Attributes:
        apply: Its text afterwards.
        notes: The quality notes that tell of it.
        becomes: What the event is then read as; None if it is left out.
    """

    apply: Callable[[str], str]
    notes: dict[str, int]
    becomes: Callable[[Event], Event] | None = field(default=dict)


def _replaced(key: str, text: str) -> Callable[[str], str]:
    """Give a member of the event itself another value, or none with an empty text."""

    def apply(event: str) -> str:
        members = {name: json.dumps(value) for name, value in json.loads(event).items()}
        members[key] = text
        if not text:
            del members[key]
        return "{" + ", ".join(f'"{name}": {value}' for name, value in members.items()) + "}"

    return apply


def _with_argument(text: str) -> Callable[[str], str]:
    return lambda event: event[: event.rindex("}")] + f', "args": {{{text}}}}}'


def _reads(**fields: Any) -> Callable[[Event], Event]:
    return lambda event: {**event, **fields}


EVENT_DAMAGES: dict[str, EventDamage] = {
    # Numbers.
    "NaN in the arguments": EventDamage(_with_argument('"a": NaN'), {"repaired_numbers": 1}),
    "infinities": EventDamage(_with_argument('"a": [-Infinity, inf]'), {"repaired_numbers": 2}),
    "inf as C writes it": EventDamage(
        _with_argument('"a": -inf, "b": nan'), {"repaired_numbers": 2}
    ),
    "nan as Windows writes it": EventDamage(
        _with_argument('"a": -nan(ind), "b": 1.#INF'), {"repaired_numbers": 2}
    ),
    "a duration that is no number": EventDamage(
        _replaced("dur", "NaN"), {"repaired_numbers": 1, "bad_duration": 1}, None
    ),
    "a time of null": EventDamage(_replaced("ts", "null"), {"bad_duration": 1}, None),
    "times written as text": EventDamage(
        _replaced("ts", '"12.5"'), {"repaired_types": 1}, _reads(ts="12.5")
    ),
    "a time that is a word": EventDamage(
        _replaced("ts", '"soon"'), {"repaired_types": 1, "bad_duration": 1}, None
    ),
    "a time with an exponent": EventDamage(_replaced("ts", "1.25e3"), {}, _reads(ts="1250")),
    "an absurd exponent": EventDamage(
        _replaced("dur", "1e99999999999999999999999"), {"bad_duration": 1}, None
    ),
    "a duration that is a number, and that nothing can be computed of": EventDamage(
        _replaced("dur", "1e999999999"), {"bad_duration": 1}, None
    ),
    "no duration": EventDamage(_replaced("dur", ""), {"bad_duration": 1}, None),
    # Texts.
    "an escape that is none": EventDamage(
        _replaced("name", r'"a\x41\qb"'), {"repaired_text": 2}, _reads(name=r"a\x41\qb")
    ),
    "a path with backslashes": EventDamage(
        _replaced("name", r'"C:\dir\"'), {"repaired_text": 2}, _reads(name="C:\\dir\\")
    ),
    "half a character": EventDamage(
        _replaced("name", r'"a\ud800b"'),
        {"repaired_text": 1},
        _reads(name="a\N{REPLACEMENT CHARACTER}b"),
    ),
    "control characters": EventDamage(
        _replaced("name", '"a\n\t\x01b"'), {}, _reads(name="a\n\t\x01b")
    ),
    # Types.
    "a process of null": EventDamage(
        _replaced("pid", "null"), {"repaired_types": 1}, _reads(pid="?")
    ),
    "a process with a name": EventDamage(
        _replaced("pid", '"stream 7"'), {}, _reads(pid="stream 7")
    ),
    "a thread that is a list": EventDamage(
        _replaced("tid", "[1]"), {"repaired_types": 1}, _reads(tid="?")
    ),
    "a thread with a point": EventDamage(
        _replaced("tid", "7.0"), {"repaired_types": 1}, _reads(tid=7)
    ),
    "a thread beyond 64 bits": EventDamage(_replaced("tid", "9" * 30), {}, _reads(tid="9" * 30)),
    "no thread": EventDamage(_replaced("tid", ""), {}, _reads(tid="?")),
    "a name that is a number": EventDamage(
        _replaced("name", "12.5"), {"repaired_types": 1}, _reads(name="12.5")
    ),
    "a name of null": EventDamage(
        _replaced("name", "null"), {"repaired_types": 1}, _reads(name="")
    ),
    "no name": EventDamage(_replaced("name", ""), {}, _reads(name="")),
    "arguments that are a list": EventDamage(_replaced("args", "[1, 2]"), {"repaired_types": 1}),
    "arguments of null": EventDamage(_replaced("args", "null"), {}),
    "no phase": EventDamage(_replaced("ph", ""), {"phase_assumed": 1}),
    "a phase that there is not": EventDamage(_replaced("ph", '"Q"'), {"not_events": 1}, None),
    "a phase that is a number": EventDamage(
        _replaced("ph", "5"), {"repaired_types": 1, "not_events": 1}, None
    ),
    # Structure.
    "a comma too many": EventDamage(lambda event: event[:-1] + ",}", {"repaired_commas": 1}),
    "a comma too many in a list": EventDamage(
        _with_argument('"a": [1, 2, ]'), {"repaired_commas": 1}
    ),
    "nested too deeply": EventDamage(
        _with_argument('"a": ' + "[" * 50_000), {"damaged_events": 1}, None
    ),
    "a number of too many digits": EventDamage(_with_argument('"a": ' + "9" * 5000), {}, dict),
    "a quote is missing": EventDamage(
        lambda event: event.replace('"name": "', '"name": ', 1), {"damaged_events": 1}, None
    ),
    "a bracket is missing": EventDamage(lambda event: event[:-1], {"damaged_events": 1}, None),
    "rubbish within": EventDamage(
        lambda event: event.replace('": ', '": \0\x7f?!', 1), {"damaged_events": 1}, None
    ),
    "null in place of it": EventDamage(lambda _: "null", {"not_events": 1}, None),
    "nothing in place of it": EventDamage(lambda _: "", {"repaired_commas": 1}, None),
    "a list in place of it": EventDamage(lambda _: '[1, [2, "x"]]', {"not_events": 1}, None),
    "an object that is none in place of it": EventDamage(
        lambda _: '{"a": {"b": [{"c": 1}]}}', {"not_events": 1}, None
    ),
}


def gzipped_members(data: bytes, count: int) -> bytes:
    """A gzip file whose contents are spread over several members."""
    cuts = [len(data) * index // count for index in range(count + 1)]
    return b"".join(gzip.compress(data[a:b]) for a, b in pairwise(cuts))
