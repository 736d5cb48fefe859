"""Cutting is right whatever the white space, the window size and the contents."""

from __future__ import annotations

import io
import json
import time
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from sidelight.ingest.json_brackets import BracketCounter
from sidelight.ingest.json_windows import (
    LIMIT_BYTES,
    ArrayWindows,
    NoArrayError,
    TooLongError,
    TruncatedError,
)

NASTY_TEXT = st.text(alphabet='{}[],:"\\ phx\n', max_size=12)
VALUES = st.recursive(
    st.one_of(st.integers(-5, 5), NASTY_TEXT, st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(NASTY_TEXT, inner, max_size=3)
    ),
    max_leaves=6,
)
EVENTS = st.lists(
    st.dictionaries(st.one_of(st.sampled_from(["ph", "name", "args"]), NASTY_TEXT), VALUES),
    max_size=12,
)


def read_all(
    document: str, window_bytes: int, limit_bytes: int = LIMIT_BYTES
) -> tuple[list[Any], Any]:
    source = io.BytesIO(document.encode())
    windows = ArrayWindows(source, "traceEvents", window_bytes, limit_bytes)
    elements = [element for window in windows.decoded(msgspec.json.decode) for element in window]
    return elements, msgspec.json.decode(windows.envelope)


@settings(max_examples=60, deadline=None)
@given(
    events=EVENTS,
    tail=VALUES,
    layout=st.sampled_from([(None, (", ", ": ")), (None, (",", ":")), (1, (",", ": "))]),
    window_bytes=st.integers(16, 300),
)
def test_windows_give_back_the_array_and_the_rest(
    events: list[Any], tail: Any, layout: tuple[int | None, tuple[str, str]], window_bytes: int
) -> None:
    indent, separators = layout
    document = {"schemaVersion": 1, "traceEvents": events, "tail": [{"a": tail}, {"b": tail}]}
    # The header is found in the first read: put enough before the events for several windows.
    text = " " * 70_000 + json.dumps(document, indent=indent, separators=separators)
    elements, envelope = read_all(text, window_bytes)
    assert elements == events
    assert envelope == {**document, "traceEvents": []}


def test_a_cut_between_nested_objects_is_found_out() -> None:
    nested = {"ph": "X", "args": {"groups": [{"ph": number} for number in range(3)]}}
    text = " " * 70_000 + json.dumps({"traceEvents": [nested] * 200})
    for window_bytes in (64, 100, 1000):
        elements, _ = read_all(text, window_bytes)
        assert elements == [nested] * 200


def test_a_bare_array() -> None:
    elements, envelope = read_all('  [{"ph":"X"},{"ph":"M"}] ', 7)
    assert elements == [{"ph": "X"}, {"ph": "M"}]
    assert envelope == []


def test_a_document_that_ends_early() -> None:
    for text in ('{"traceEvents": [', '{"traceEvents": [{"ph":"X"}', '[{"ph":"X"},{"ph'):
        with pytest.raises(TruncatedError):
            read_all(text, 8)


def test_a_document_without_the_array() -> None:
    with pytest.raises(NoArrayError):
        read_all('{"trace_event": [{"a": 1}]}', 8)


@pytest.mark.parametrize("pieces", [1, 2, 3, 100])
def test_brackets_in_strings_do_not_count(pieces: int) -> None:
    text = rb'{"a": "]}\"]"}, {"b": ["\\", "\\\"]"]}], "c": []'
    counter = BracketCounter()
    for end in range(0, len(text) + pieces, pieces):
        counter.count(text[:end])
        if counter.array_end is not None:
            break
    assert counter.last_comma == text.index(b', {"b"')
    assert counter.array_end == text.index(b'], "c"')


HUGE = {
    "a string in one event": {"traceEvents": [{"name": "x" * 8_000_000}, {"ph": "X"}]},
    "objects in one event": {"traceEvents": [{"args": [{"a": 1}] * 800_000}, {"ph": "X"}]},
    "a string after the events": {"traceEvents": [{"ph": "X"}], "tail": "x" * 8_000_000},
    "objects after the events": {"traceEvents": [{"ph": "X"}], "tail": [{"a": 1}] * 800_000},
}


@pytest.mark.parametrize("what", HUGE)
def test_time_grows_linearly_with_what_is_huge(what: str) -> None:
    # Of 4,000 windows each would look at all before it: 16 GB, where 8 MB are enough.
    text = json.dumps(HUGE[what])
    assert len(text) > 7_000_000
    started_s = time.process_time()
    elements, envelope = read_all(text, 2_000)
    assert time.process_time() - started_s < 5
    assert elements == HUGE[what]["traceEvents"]
    assert envelope == {**HUGE[what], "traceEvents": []}


@pytest.mark.parametrize("what", HUGE)
def test_what_is_too_long_is_not_held_in_memory(what: str) -> None:
    with pytest.raises(TooLongError, match=r"an event|what follows its events"):
        read_all(json.dumps(HUGE[what]), 100_000, limit_bytes=2_000_000)
