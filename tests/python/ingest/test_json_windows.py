"""Cutting is right whatever the white space, the window size and the contents."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.ingest.json_windows import ArrayWindows, NoArrayError, TruncatedError, count_brackets

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


def read_all(document: str, window_bytes: int) -> tuple[list[Any], Any]:
    windows = ArrayWindows(io.BytesIO(document.encode()), "traceEvents", window_bytes)
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


def test_brackets_in_strings_do_not_count() -> None:
    text = rb'{"a": "]}\"]"}, {"b": ["\\"]}], "c": []'
    extent = count_brackets(text)
    assert extent.last_comma == text.index(b', {"b"')
    assert extent.array_end == text.index(b'], "c"')
