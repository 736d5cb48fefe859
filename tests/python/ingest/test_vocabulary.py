"""Codes of values: dense, in the order in which values come, also after some were taken back."""

from __future__ import annotations

from sidelight.ingest.vocabulary import Vocabulary


def test_values_that_are_taken_back_leave_no_gap() -> None:
    names = Vocabulary(["a"])
    assert names.codes(["b", "a", "c"], 3).tolist() == [1, 0, 2]
    assert names.since(1) == ["b", "c"]
    names.forget_since(1)
    assert names.values() == ["a"]
    assert names.codes(["c", "a", "d"], 3).tolist() == [1, 0, 2]
    assert names.values() == ["a", "c", "d"]
    assert names.since(3) == []
