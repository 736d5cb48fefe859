"""Protocol buffers by field number, against Google's own reading of the same bytes."""

from __future__ import annotations

import pytest
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet
from hypothesis import given, settings, strategies as st

from sidelight.ingest.binaries.wire import WireError, fields, members, number, signed, text
from traces.neuron_binaries import field, varint

LARGEST_NUMBER = (1 << 29) - 1

values = st.one_of(st.integers(0, (1 << 64) - 1), st.binary(max_size=300))
messages = st.lists(st.tuples(st.integers(1, LARGEST_NUMBER), values), max_size=8)


def of_google(message: bytes) -> list[tuple[int, int | bytes]]:
    unknown = UnknownFieldSet(Empty.FromString(message))
    return [(each.field_number, each.data) for each in unknown]


@given(messages)
def test_fields_come_back_as_they_were_written(written: list[tuple[int, int | bytes]]) -> None:
    message = b"".join(field(at, value) for at, value in written)
    assert list(fields(message)) == written
    # Google's keeps no order between numbers.
    assert sorted(of_google(message), key=repr) == sorted(written, key=repr)


@settings(max_examples=500)
@given(st.binary(max_size=40))
def test_whatever_both_can_read_is_the_same(message: bytes) -> None:
    try:
        ours = list(fields(message))
    except WireError:
        ours = None
    try:
        theirs = of_google(message)
    except DecodeError:
        theirs = None
    if ours is not None and all(at <= LARGEST_NUMBER for at, _ in ours):
        assert theirs is not None
        assert sorted(ours, key=repr) == sorted(theirs, key=repr)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (b"\x08", "longer than its message"),
        (b"\x08\x80", "longer than its message"),
        (b"\x08" + b"\xff" * 10 + b"\x01", "more than 64 bits"),
        (b"\x0a\x05abc", "longer than its message"),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "longer than its message"),
        (b"\x09\x00\x00\x00\x00\x00\x00\x00", "longer than its message"),
        (b"\x0d\x00\x00\x00", "longer than its message"),
        (b"\x00\x00", "number 0"),
        (b"\x0b\x0c", "wire type 3"),
    ],
)
def test_what_is_no_message_is_told(message: bytes, why: str) -> None:
    with pytest.raises(WireError, match=why):
        list(fields(message))


def test_fixed_width_numbers_are_little_endian() -> None:
    message = b"\x09\x01\x02\x03\x04\x05\x06\x07\x08" + b"\x15\x01\x02\x03\x04"
    assert list(fields(message)) == [(1, 0x0807060504030201), (2, 0x04030201)]


def test_the_last_of_several_values_counts_and_unknown_numbers_do_not() -> None:
    message = field(3, 1) + field(1000, 5) + field(3, 2) + field(999, b"text")
    assert members(message) == {3: 2, 999: b"text"}


def test_numbers_and_texts() -> None:
    assert [signed(value) for value in (0, 5, (1 << 64) - 1, 1 << 63)] == [0, 5, -1, -(1 << 63)]
    assert [number(value) for value in (7, b"7", None)] == [7, 0, 0]
    assert [text(value) for value in (b"\xc3\xa9\xff", 7, None)] == [
        "é\N{REPLACEMENT CHARACTER}",
        "",
        "",
    ]
    assert varint(300) == b"\xac\x02"  # the example of the encoding's own documentation
