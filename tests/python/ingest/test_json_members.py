"""An object comes apart into its members whatever the white space, windows and contents."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from sidelight.ingest.json_members import JsonMembers
from sidelight.ingest.json_windows import LIMIT_BYTES, TooLongError, TruncatedError

NASTY_TEXT = st.text(alphabet='{}[],:"\\ ph\n\t', max_size=12)
VALUES = st.recursive(
    st.one_of(st.integers(-(2**63), 2**64), st.floats(-1e9, 1e9), NASTY_TEXT, st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(NASTY_TEXT, inner, max_size=3)
    ),
    max_leaves=12,
)


def members(
    text: bytes, window_bytes: int = 1 << 16, limit_bytes: int = LIMIT_BYTES
) -> tuple[dict[str, Any], bool]:
    """The document put together again from its pieces, and whether anything follows it."""
    reader = JsonMembers(io.BytesIO(text), window_bytes, limit_bytes)
    document: dict[str, Any] = {}
    for name, piece, opening in reader.pieces(lambda _: True):
        value = msgspec.json.decode(piece)
        if opening == b"[":
            document.setdefault(name, []).extend(value)
        else:
            document[name] = value
    return document, reader.is_followed


def take_rows(text: bytes, found: list[Any]) -> None:
    """Add the elements of the list "rows", as they come."""
    for name, piece, _ in JsonMembers(io.BytesIO(text), 16).pieces(lambda _: True):
        if name == "rows":
            found += msgspec.json.decode(piece)


@settings(max_examples=150, deadline=None)
@given(
    document=st.dictionaries(NASTY_TEXT, VALUES, max_size=6),
    layout=st.sampled_from([(None, (", ", ": ")), (None, (",", ":")), (1, (",", ": "))]),
    window_bytes=st.integers(1, 60),
)
def test_the_pieces_make_the_document(
    document: dict[str, Any], layout: tuple[int | None, tuple[str, str]], window_bytes: int
) -> None:
    indent, separators = layout
    text = json.dumps(document, indent=indent, separators=separators).encode()
    assert members(text, window_bytes) == (document, False)


def test_lists_longer_than_a_window_and_longer_than_the_first_look() -> None:
    document = {
        "first": [{"at": number, "in": [number, [number]]} for number in range(9_000)],
        "between": {"nested": {"text": "]}" * 50_000}},
        "last": [[number] for number in range(20_000)],
    }
    for window_bytes in (1_000, 100_000, 1 << 22):
        assert members(json.dumps(document).encode(), window_bytes) == (document, False)


def test_what_nobody_wants_is_passed_over() -> None:
    text = b'{"big": [{"a": [1, 2]}, nonsense], "wanted": 5, "nested": {"x": broken}}'
    reader = JsonMembers(io.BytesIO(text), 7)
    pieces = list(reader.pieces(lambda name: name == "wanted"))
    assert pieces == [("big", b"", b"["), ("wanted", b"5", b"5"), ("nested", b"", b"{")]


def test_a_document_that_ends_early_gives_what_is_whole() -> None:
    text = json.dumps({"a": 1, "rows": [{"n": number} for number in range(5)]}).encode()
    whole = 0
    for length in range(len(text)):
        found: list[Any] = []
        with pytest.raises(TruncatedError):
            take_rows(text[:length], found)
        # Every element whose last bracket is there, and no other.
        assert len(found) == text[:length].count(b"}")
        whole = max(whole, len(found))
    assert whole == 5


@pytest.mark.parametrize(
    "text", [b"[1, 2]", b"nothing", b"{5: 1}", b'{"a": }', b'{"a": ], "b": 1}']
)
def test_what_is_no_object_is_told(text: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        members(text)


def test_a_byte_order_mark_a_trailing_comma_and_what_follows() -> None:
    assert members(b'\xef\xbb\xbf {"a": 1,}\n') == ({"a": 1}, False)
    assert members(b'{"a": 1} {"b": 2}') == ({"a": 1}, True)


def test_what_is_too_long_is_told() -> None:
    for text in (b'{"a": [' + b"[1]," * 2 + b'"' + b"x" * 500, b'{"a": "' + b"x" * 500):
        with pytest.raises(TooLongError):
            members(text, 16, limit_bytes=200)


def test_memory_is_bounded_by_the_window() -> None:
    class Endless:
        """Thirty-two megabytes of rows."""

        def __init__(self) -> None:
            self.left = 1 << 25
            self.row = b'{"name": "a row of some length", "at": 1234567},' * 1000

        def read(self, size: int = -1, /) -> bytes:
            self.left -= len(self.row)
            return self.row if self.left > 0 else b"{}]}"

    class WithHead(Endless):
        head = b'{"rows": ['

        def read(self, size: int = -1, /) -> bytes:
            head, self.head = self.head, b""
            return head or super().read(size)

    tracemalloc.start()
    try:
        count = sum(1 for _ in JsonMembers(WithHead(), 1 << 18).pieces(lambda _: True))
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count > 100
    assert peak_bytes < 4 << 20
