"""Priced profiles in the store: kept, priced again, and those from before there were prices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from cli.priced import write_program
from sidelight.analysis.lines import line_report
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.analysis.report import LineReport
from sidelight.jobs.annotations import KEPT_AS, load_annotations
from sidelight.jobs.reading import read_into_store
from sidelight.profile.derived import read_derived, write_derived
from sidelight.profile.errors import StoreError
from sidelight.profile.store import Store, StoredProfile
from sidelight.profile.stored_manifest import MANIFEST_FILE

TRN1, TRN2 = PricingRequest("trn1"), PricingRequest("trn2")
NEW_IN_MANIFEST = ("pricing", "memory")
NEW_IN_ANNOTATIONS = {"pricing", "kernels", "kernel_count", "flops", "hbm_bytes"}


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return write_program(tmp_path / "capture")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def report(stored: StoredProfile) -> LineReport:
    return line_report(stored.load(), "")


def measured(of: LineReport) -> list[Any]:
    return [of.device_time_ns, of.unattributed_ns] + [
        (line.file, line.line, line.self_ns, line.total_ns, line.count, line.ops)
        for line in of.lines
    ]


def test_a_stored_profile_priced_anew_is_another_profile(capture: Path, store: Store) -> None:
    first = read_into_store(capture, store, pricing=TRN2)
    before = {path: path.read_bytes() for path in first.directory.rglob("*") if path.is_file()}
    second = read_into_store(first.directory, store, pricing=TRN1)
    assert second.directory != first.directory
    for path, content in before.items():
        assert path.read_bytes() == content
    assert report(second) == report(read_into_store(capture, store, pricing=TRN1))
    assert measured(report(second)) == measured(report(first))
    assert report(second).predicted_ns != report(first).predicted_ns
    assert second.manifest.pricing is not None
    assert second.manifest.pricing.chip == "trn1"
    codes = [note.code for note in second.manifest.quality]
    assert len(codes) == len(set(codes))


def test_a_stored_profile_can_be_priced_later(capture: Path, store: Store) -> None:
    bare = read_into_store(capture, store)
    assert report(bare).predicted_ns is None
    assert not (bare.directory / "prices.npz").exists()
    later = read_into_store(bare.directory, store, pricing=TRN2)
    assert report(later) == report(read_into_store(capture, store, pricing=TRN2))


def test_annotations_have_the_predictions_of_the_report(capture: Path, store: Store) -> None:
    stored = read_into_store(capture, store, pricing=TRN2)
    annotations = load_annotations(stored.directory)
    lines = {
        (file.file, line.stats.line): line for file in annotations.files for line in file.lines
    }
    whole = report(stored)
    assert whole.predicted_ns
    for stats in whole.lines:
        line = lines[stats.file, stats.line]
        assert line.stats == stats
        if stats.predicted_ns is not None:
            assert sum(kernel.total_ns for kernel in line.kernels) == stats.predicted_ns
    assert annotations.pricing == whole.pricing


def test_what_computed_nothing_is_laid_out_by_its_prices(tmp_path: Path, store: Store) -> None:
    capture = write_program(tmp_path / "capture")
    document = json.loads((capture / "capture.json").read_text())
    (capture / "capture.json").write_text(json.dumps({**document, "target": "fake"}))
    stored = read_into_store(capture, store)
    first = report(stored)
    assert first.time_kind == "predicted"
    assert first.device == "trn2"  # the usual chip, where none was named
    assert first.device_time_ns == first.predicted_ns == report_of_measured(tmp_path, store)
    again = read_into_store(stored.directory, store, pricing=TRN1)
    at_once = read_into_store(capture, store, pricing=TRN1)
    assert report(again) == report(at_once)
    assert report(again).device == "trn1"


def report_of_measured(tmp_path: Path, store: Store) -> int | None:
    """What the same program's operators are predicted to take where it ran on the CPU."""
    return report(
        read_into_store(write_program(tmp_path / "measured"), store, pricing=TRN2)
    ).predicted_ns


def as_before_prices(stored: StoredProfile) -> None:
    """Make a stored profile what it was when nothing was known of prices."""
    path = stored.directory / MANIFEST_FILE
    document = json.loads(path.read_text())
    path.write_text(json.dumps({k: v for k, v in document.items() if k not in NEW_IN_MANIFEST}))
    kept = read_derived(stored.directory, KEPT_AS)
    assert kept is not None
    assert not NEW_IN_ANNOTATIONS.isdisjoint(json.loads(kept))
    write_derived(stored.directory, KEPT_AS, json.dumps(without_new(json.loads(kept))).encode())


def without_new(value: Any) -> Any:
    if isinstance(value, list):
        return [without_new(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {k: without_new(v) for k, v in fields.items() if k not in NEW_IN_ANNOTATIONS}
    return value


def test_a_profile_from_before_there_were_prices_is_what_it_was(
    capture: Path, store: Store
) -> None:
    stored = read_into_store(capture, store)
    before, annotations = report(stored), load_annotations(stored.directory)
    as_before_prices(stored)
    older = StoredProfile(stored.directory)
    assert report(older) == before
    assert load_annotations(older.directory) == annotations
    assert report(read_into_store(older.directory, store, pricing=TRN2)) == report(
        read_into_store(capture, store, pricing=TRN2)
    )


def test_prices_that_are_gone_are_damage(capture: Path, store: Store) -> None:
    stored = read_into_store(capture, store, pricing=TRN2)
    (stored.directory / "prices.npz").unlink()
    with pytest.raises(StoreError, match=r"prices\.npz is missing") as caught:
        report(StoredProfile(stored.directory))
    assert caught.value.code == "profile_damaged"
