"""Damaged traces: what is left is read, and what was done is said."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

import pytest

from sidelight.ingest import torch_trace
from sidelight.ingest.repair.findings import Finding
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from traces.chrome import BASE_NS, Event
from traces.damage import (
    EVENT_DAMAGES,
    HEAD,
    LAYOUTS,
    TAIL,
    EventDamage,
    Row,
    document_of,
    gzipped_members,
    rows_of,
    sound_events,
    texts_of,
)

CODES = {finding.code for finding in Finding} | {"bad_duration", "bad_id"}


def column(profile: Profile, name: str) -> list[int]:
    return [int(value) for value in profile.events[name]]


def names(profile: Profile) -> list[str]:
    return [profile.strings[name] for name in column(profile, "name")]


def rows(profile: Profile) -> list[Row]:
    tracks = [profile.tracks[track] for track in column(profile, "track")]
    zero_ns = profile.manifest.start_unix_ns
    return sorted(
        (name, track.pid, track.tid, zero_ns + start_ns, duration_ns)
        for name, track, start_ns, duration_ns in zip(
            names(profile),
            tracks,
            column(profile, "start_ns"),
            column(profile, "duration_ns"),
            strict=True,
        )
    )


def notes(profile: Profile) -> dict[str, int]:
    return {n.code: n.count for n in profile.manifest.quality if n.code in CODES}


def read(path: Path, contents: bytes) -> Profile:
    path.write_bytes(contents)
    assert torch_trace.detect(path)
    return torch_trace.read(path)


EVENTS = sound_events()
ROWS = rows_of(EVENTS)
ROW_PLACES = [place for place, event in enumerate(EVENTS) if event["ph"] == "X"]
PLACES = [ROW_PLACES[place] for place in (0, 1, len(ROW_PLACES) // 2, -2, -1)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_sound_trace_has_nothing_to_repair(tmp_path: Path, layout: str) -> None:
    profile = read(tmp_path / "t.json", document_of(texts_of(EVENTS, layout)).encode())
    assert rows(profile) == ROWS
    assert notes(profile) == {}


@pytest.mark.parametrize("what", EVENT_DAMAGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_damage_to_an_event(tmp_path: Path, what: str, layout: str) -> None:
    damage: EventDamage = EVENT_DAMAGES[what]
    for place in PLACES:
        texts = texts_of(EVENTS, layout)
        texts[place] = damage.apply(json.dumps(EVENTS[place]))
        left: list[Event] = [*EVENTS]
        left[place : place + 1] = [damage.becomes(EVENTS[place])] if damage.becomes else []
        profile = read(tmp_path / "t.json", document_of(texts).encode("utf-8", "surrogatepass"))
        assert rows(profile) == rows_of(left), place
        assert notes(profile) == damage.notes, place


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_whole_event_of_a_file_that_is_cut_off(tmp_path: Path, layout: str) -> None:
    texts = texts_of(EVENTS, layout)
    text = document_of(texts)
    ends = [len(document_of(texts[: count + 1], tail="")) for count in range(len(texts))]
    for length in range(len(HEAD), len(text) - len(TAIL) + 1, 41):
        whole = [event for event, end in zip(EVENTS, ends, strict=True) if end <= length]
        contents = text[:length].encode()
        if not rows_of(whole):
            with pytest.raises(UnreadableInputError) as caught:
                read(tmp_path / "t.json", contents)
            assert caught.value.code == "broken_json"
            continue
        profile = read(tmp_path / "t.json", contents)
        assert rows(profile) == rows_of(whole), length
        assert notes(profile) == {"cut_off": 1}, length


TEXT = document_of(texts_of(EVENTS))
MARK = b"\xef\xbb\xbf"
OTHER_ORDER = [
    f'{{"traceName": "x", "traceEvents": [{",".join(texts_of(EVENTS))}]',
    f'"schemaVersion": 1, "baseTimeNanoseconds": {BASE_NS}}}',
]
FILES: dict[str, tuple[bytes, dict[str, int]]] = {
    "a byte order mark": (MARK + TEXT.encode(), {"repaired_encoding": 1}),
    "UTF-16": (TEXT.encode("utf-16"), {"repaired_encoding": 1}),
    "UTF-16 of the other order": (b"\xfe\xff" + TEXT.encode("utf-16-be"), {"repaired_encoding": 1}),
    "UTF-16 without a mark": (TEXT.encode("utf-16-le"), {"repaired_encoding": 1}),
    "UTF-32": (TEXT.encode("utf-32"), {"repaired_encoding": 1}),
    "rubbish after the end": (TEXT.encode() + b"\0\0x{", {"trailing_data": 1}),
    "another document after the end": (TEXT.encode() + b'{"a": [1]}', {"trailing_data": 1}),
    "a comma after the last event": (
        document_of(texts_of(EVENTS), tail="," + TAIL).encode(),
        {"repaired_commas": 1},
    ),
    "members in another order": (",".join(OTHER_ORDER).encode(), {}),
    "a member without its comma": ("".join(OTHER_ORDER).encode(), {"damaged_header": 1}),
    "NaN among the members": (
        TEXT.replace('"schemaVersion": 1', '"schemaVersion": NaN').encode(),
        {"repaired_numbers": 1},
    ),
    "a base that is text": (
        TEXT.replace(str(BASE_NS), f'"{BASE_NS}"').encode(),
        {},
    ),
    "members that are there twice": (
        TEXT.replace("{", f'{{"baseTimeNanoseconds": {BASE_NS}, "schemaVersion": 0, ', 1).encode(),
        {},
    ),
    "gzip": (gzip.compress(TEXT.encode()), {}),
    "gzip of several members": (gzipped_members(TEXT.encode(), 5), {}),
    "padded gzip": (gzip.compress(TEXT.encode()) + bytes(1000), {}),
    "rubbish after gzip": (gzip.compress(TEXT.encode()) + b"rubbish", {"trailing_data": 1}),
    "gzip with a wrong checksum": (
        gzip.compress(TEXT.encode())[:-8] + bytes(8),
        {"damaged_gzip": 1},
    ),
    "gzip without its checksum": (gzip.compress(TEXT.encode())[:-8], {"cut_off": 1}),
    "gzip of UTF-16": (gzip.compress(TEXT.encode("utf-16")), {"repaired_encoding": 1}),
}


@pytest.mark.parametrize("what", FILES)
def test_a_file_of_which_no_event_is_lost(tmp_path: Path, what: str) -> None:
    contents, expected = FILES[what]
    profile = read(tmp_path / "t.json", contents)
    assert rows(profile) == ROWS
    assert notes(profile) == expected
    assert profile.manifest.start_unix_ns == min(start_ns for *_, start_ns, _ in ROWS)


def test_a_bare_list_that_is_damaged(tmp_path: Path) -> None:
    texts = ["null", *texts_of(EVENTS), '{"ph": "X", "name": "cut o']
    profile = read(tmp_path / "t.json", document_of(texts, head="[", tail="").encode())
    assert rows(profile) == rows_of(EVENTS, base_ns=0)
    assert notes(profile) == {"not_events": 1, "cut_off": 1}


def test_several_traces_in_one_file_each_by_its_own_clock(tmp_path: Path) -> None:
    later_ns = BASE_NS + 10**9
    others = [{**event, "name": f"other {event['name']}"} for event in EVENTS]
    head = HEAD.replace(str(BASE_NS), str(later_ns))
    separators: dict[str, dict[str, int]] = {
        "": {},
        "\n": {},
        "\n-- \0\n": {"trailing_data": 1},
    }
    for between, rubbish in separators.items():
        contents = TEXT + between + document_of(texts_of(others), head=head)
        profile = read(tmp_path / "t.json", contents.encode())
        assert rows(profile) == sorted(ROWS + rows_of(others, base_ns=later_ns))
        assert notes(profile) == {"several_traces": 2, **rubbish}
        ids = [*zip(names(profile), column(profile, "external_id"), strict=True)]
        first = {number for name, number in ids if name.startswith("aten::op")}
        second = {number for name, number in ids if name.startswith("other aten::op")}
        assert len(first) == len(second) == 12
        assert not first & second


def test_several_lists_of_events_in_one_trace(tmp_path: Path) -> None:
    texts = texts_of(EVENTS)
    tail = f'], "between": {{"a": [1]}}, "traceEvents": [{",".join(texts[30:])}{TAIL}'
    profile = read(tmp_path / "t.json", document_of(texts[:30], tail=tail).encode())
    assert rows(profile) == ROWS
    assert notes(profile) == {"several_event_lists": 1}


def test_gzip_that_is_cut_off_keeps_what_can_be_unpacked(tmp_path: Path) -> None:
    packed = gzip.compress(TEXT.encode())
    for length in range(len(packed) // 2, len(packed) - 8, 97):
        unpacked = zlib.decompressobj(31).decompress(packed[:length]).decode()
        texts = texts_of(EVENTS)
        whole = [
            event
            for number, event in enumerate(EVENTS)
            if unpacked.startswith(document_of(texts[: number + 1], tail=""))
        ]
        profile = read(tmp_path / "t.json.gz", packed[:length])
        assert rows(profile) == rows_of(whole)
        assert notes(profile) == {"cut_off": 1}


def test_gzip_that_is_damaged_in_the_middle_keeps_what_is_before(tmp_path: Path) -> None:
    texts = texts_of(EVENTS)
    first, second = document_of(texts[:40], tail=",").encode(), document_of(texts[40:], head="")
    members = gzip.compress(first) + gzip.compress(second.encode())[:30] + b"\xff" * 500
    profile = read(tmp_path / "t.json.gz", members)
    assert {*rows_of(EVENTS[:40])} <= {*rows(profile)} <= {*ROWS}
    assert notes(profile)["damaged_gzip"] == 1


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    packer = zlib.compressobj(wbits=31)
    parts = [packer.compress(HEAD.encode())]
    parts += [packer.compress(b" " * (1 << 20)) for _ in range(300)]
    path = tmp_path / "t.json.gz"
    path.write_bytes(b"".join([*parts, packer.flush()]))
    assert torch_trace.detect(path)
    with pytest.raises(UnreadableInputError) as caught:
        torch_trace.read(path)
    assert caught.value.code == "too_large"
    assert str(path) in caught.value.message
