"""Whatever bytes a trace has become: a profile or a plain error, in bounded work, and no lie."""

from __future__ import annotations

import gzip
import io
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sidelight.ingest import torch_trace
from sidelight.ingest.repair import event_text
from sidelight.ingest.repair.findings import Findings
from sidelight.ingest.repair.lenient_json import LenientJson, UnparsableError
from sidelight.ingest.repair.recovery import Recovery
from sidelight.profile.errors import SidelightError
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from traces.damage import HEAD, LAYOUTS, TAIL, Row, document_of, rows_of, sound_events, texts_of

EVENTS = sound_events()
TEXTS = {layout: texts_of(EVENTS, layout) for layout in LAYOUTS}
SOUND = [document_of(texts).encode() for texts in TEXTS.values()]
BASES = [
    *SOUND,
    document_of(TEXTS["spaced"], head="[", tail="]").encode(),
    gzip.compress(SOUND[0]),
    SOUND[0] + SOUND[1],
    SOUND[0].decode().encode("utf-16"),
]

SPICE = st.sampled_from([bytes([byte]) for byte in b'{}[]",:\\ \n0eE-.Naf\x00\xff\x1f'])
INSERTED = st.one_of(st.lists(SPICE, max_size=6).map(b"".join), st.binary(max_size=12))
PLACE = st.floats(0, 1)
CHANGES = st.lists(st.tuples(PLACE, st.integers(0, 60), INSERTED), min_size=1, max_size=6)


def column(profile: Profile, name: str) -> list[int]:
    return [int(value) for value in profile.events[name]]


def rows(profile: Profile) -> Counter[Row]:
    names = [profile.strings[name] for name in column(profile, "name")]
    tracks = [profile.tracks[track] for track in column(profile, "track")]
    starts_ns = [profile.manifest.start_unix_ns + ns for ns in column(profile, "start_ns")]
    durations_ns = column(profile, "duration_ns")
    pids, tids = [track.pid for track in tracks], [track.tid for track in tracks]
    return Counter(zip(names, pids, tids, starts_ns, durations_ns, strict=True))


def changed(data: bytes, place: float, removed: int, inserted: bytes) -> bytes:
    start = int(place * len(data))
    return data[:start] + inserted + data[start + removed :]


@settings(max_examples=200, deadline=None)
@given(base=st.sampled_from(BASES), changes=CHANGES)
def test_any_bytes_make_a_profile_that_can_be_stored_or_a_plain_error(
    base: bytes, changes: list[tuple[float, int, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    for place, removed, inserted in changes:
        base = changed(base, place, removed, inserted)
    directory = tmp_path_factory.mktemp("bytes")
    path = directory / "t.json"
    path.write_bytes(base)
    try:
        torch_trace.detect(path)
        profile = torch_trace.read(path)
    except SidelightError:
        return
    assert (profile.events["duration_ns"] >= 0).all()
    stored = Store(directory / "store").add(profile)
    assert rows(stored.load()) == rows(profile)


@settings(max_examples=200, deadline=None)
@given(
    layout=st.sampled_from(sorted(LAYOUTS)),
    place=PLACE,
    removed=st.integers(0, 60),
    inserted=INSERTED,
)
def test_damage_spares_every_event_that_it_does_not_touch(
    layout: str,
    place: float,
    removed: int,
    inserted: bytes,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    data = document_of(TEXTS[layout]).encode()
    first, last = len(HEAD), len(data) - len(TAIL)
    start = first + int(place * (last - first))
    end = min(start + removed, last)
    untouched: list[dict[str, Any]] = []
    at = first
    for event, text in zip(EVENTS, TEXTS[layout], strict=True):
        if end <= at or start >= at + len(text):
            untouched.append(event)
        at += len(text) + len(",\n")
    path = tmp_path_factory.mktemp("spared") / "t.json"
    path.write_bytes(data[:start] + inserted + data[end:])
    assert not Counter(rows_of(untouched)) - rows(torch_trace.read(path))


FOLDER = Path(__file__).parents[3].parent / "shared" / "traces" / "torch"
REAL = sorted(path for path in FOLDER.glob("*.gz") if not path.name.endswith("_et.json.gz"))


@pytest.mark.skipif(not REAL, reason="the folder of public traces is not beside the checkout")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name.split("_trace")[0])
def test_the_tolerant_reader_reads_what_the_fast_one_does(path: Path, tmp_path: Path) -> None:
    text = gzip.decompress(path.read_bytes()).decode()
    damaged, count = re.subn(r'"ph"\s*:', '"none": NaN, "ph":', text)
    copy = tmp_path / path.name.removesuffix(".gz")
    copy.write_text(damaged)
    fast, tolerant = torch_trace.read(path), torch_trace.read(copy)
    for name in fast.events:
        np.testing.assert_array_equal(fast.events[name], tolerant.events[name], name)
    assert fast.strings == tolerant.strings
    assert fast.tracks == tolerant.tracks
    assert fast.manifest.device == tolerant.manifest.device
    notes = {note.code: note.count for note in tolerant.manifest.quality}
    assert notes.pop("repaired_numbers") == count
    assert notes == {note.code: note.count for note in fast.manifest.quality}


UGLY = {
    "no bracket closes": '{"ph": "X", "ts": 1, "args": {"a": [{"id": 1}',
    "lists open": '{"ph":[{"ph":1}',
    "a quote is missing": '{"ph": "X, "ts": 1, "dur": 2}',
    "only brackets": "[[[[{{{{",
    "only backslashes": '{"ph": "\\\\\\',
    "starts of events": '{"ph":',
    "strings without ends": '{"ph": "X", "name": "',
    "what can be mended": '{"ph": "X", "ts": 1, "dur": inf, "a": [1,],}',
}


@pytest.mark.parametrize("what", UGLY)
def test_work_grows_linearly_with_damage(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without what may be looked at in vain at first, so that little text is enough to see it.
    monkeypatch.setattr(event_text, "_PATIENCE", 0)
    looked_at = 0
    value, mended_value = LenientJson.value, LenientJson.mended_value

    def counted_value(self: LenientJson, text: str, start: int) -> tuple[Any, int]:
        nonlocal looked_at
        try:
            found, end = value(self, text, start)
        except UnparsableError as error:
            looked_at += error.position - start
            raise
        looked_at += end - start
        return found, end

    def counted_mended_value(self: LenientJson, text: str) -> tuple[Any, str]:
        nonlocal looked_at
        looked_at += len(text)
        return mended_value(self, text)

    monkeypatch.setattr(LenientJson, "value", counted_value)
    monkeypatch.setattr(LenientJson, "mended_value", counted_mended_value)
    for length in (100_000, 400_000):
        rest = ",\n".join([UGLY[what]] * (length // len(UGLY[what]))).encode()
        looked_at = 0
        recovery = Recovery(b"[", bytearray(), io.BytesIO(rest), Findings())
        for _ in recovery.windows():
            pass
        assert looked_at <= 40 * length
