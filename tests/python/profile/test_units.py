"""Numbers as people read them."""

from __future__ import annotations

import pytest

from sidelight.profile import units


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [
        (0, "0 ns"),
        (0.4, "<1 ns"),
        (0.999, "1.00 ns"),
        (1, "1 ns"),
        (1.5, "1.50 ns"),
        (999, "999 ns"),
        (999.4, "999 ns"),
        (999.5, "1.00 µs"),
        (1_000, "1.00 µs"),
        (9_994, "9.99 µs"),
        (9_996, "10.0 µs"),
        (99_940, "99.9 µs"),
        (99_960, "100 µs"),
        (412_345, "412 µs"),
        (999_499, "999 µs"),
        (999_501, "1.00 ms"),
        (1_834_000, "1.83 ms"),
        (2_000_000_000, "2.00 s"),
        (3_600_000_000_000, "3600 s"),
    ],
)
def test_durations(nanoseconds: float, shown: str) -> None:
    assert units.duration(nanoseconds) == shown
    assert units.duration(nanoseconds, predicted=True) == f"≈{shown}"


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [
        (0, "0 ns"),
        (0.25, "+<1 ns"),
        (-0.25, "-<1 ns"),
        (1_834_000, "+1.83 ms"),
        (-412_345, "-412 µs"),
        (-999_501, "-1.00 ms"),
    ],
)
def test_changes(nanoseconds: float, shown: str) -> None:
    assert units.change(nanoseconds) == shown
    assert units.change(nanoseconds, predicted=True) == f"≈{shown}"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0.00"),
        (0.004, "<0.01"),
        (0.8149, "0.81"),
        (1, "1.00"),
        (12.35, "12.3"),
        (999.4, "999"),
        (1_234, "1.23k"),
        (5_600_000, "5.60M"),
    ],
)
def test_ratios(value: float, shown: str) -> None:
    assert units.ratio(value) == shown
    assert units.ratio(value, predicted=True) == f"≈{shown}"


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (0, 0, ""),
        (0, 10, "0.0%"),
        (1, 10_000, "<0.1%"),
        (224, 1000, "22.4%"),
        (999_999, 1_000_000, "99.9%"),
        (10, 10, "100%"),
    ],
)
def test_shares(part: int, whole: int, shown: str) -> None:
    assert units.share(part, whole) == shown


@pytest.mark.parametrize(
    ("count", "steps", "shown"),
    [
        (3, 1, "3"),
        (60, 20, "3"),
        (50, 20, "2.5"),
        (1, 100, "<0.1"),
        (9_999, 1, "9999"),
        (12_345, 1, "12.3k"),
        (999_600, 1, "1.00M"),
        (2_345, 10, "234"),
        (3, 0, "3"),
    ],
)
def test_counts(count: int, steps: int, shown: str) -> None:
    assert units.mean_count(count, steps) == shown


@pytest.mark.parametrize(("size", "shown"), [(0, "0 B"), (999, "999 B"), (21_710, "21.7 kB")])
def test_sizes(size: int, shown: str) -> None:
    assert units.size(size) == shown
