"""Where lines are after edits."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

from sidelight.analysis.line_mapping import GONE, LineMap, map_lines
from sidelight.analysis.text_lines import lines_of, lines_with_endings

OLD = ["import torch", "", "def f(x):", "    y = x + 1", "", "    return y", ""]


def positions(old: Sequence[str], new: Sequence[str]) -> list[int]:
    return list(map_lines(old, new).positions)


def changed(mapping: LineMap) -> set[int]:
    """The old lines that stand in the new text otherwise."""
    return {line for line in mapping.altered if mapping.positions[line] != GONE}


def test_an_unchanged_text_is_where_it_was() -> None:
    mapping = map_lines(OLD, list(OLD))
    assert list(mapping.positions) == list(range(len(OLD)))
    assert not changed(mapping)


def test_lines_below_an_insertion_move_down() -> None:
    new = [*OLD[:3], '    """Adds."""', *OLD[3:]]
    assert positions(OLD, new) == [0, 1, 2, 4, 5, 6, 7]


def test_a_removed_line_is_gone_and_those_below_move_up() -> None:
    assert positions(OLD, [*OLD[:3], *OLD[4:]]) == [0, 1, 2, GONE, 3, 4, 5]


def test_a_changed_line_stays_and_is_known_as_changed() -> None:
    new = [*OLD[:3], "    y = x + 2", *OLD[4:]]
    mapping = map_lines(OLD, new)
    assert list(mapping.positions) == list(range(len(OLD)))
    assert changed(mapping) == {3}


def test_a_line_that_was_emptied_is_gone() -> None:
    assert positions(OLD, [*OLD[:3], "", *OLD[4:]])[3] == GONE


def test_replaced_lines_stand_in_order() -> None:
    old = ["a", "x1", "x2", "x3", "b"]
    mapping = map_lines(old, ["a", "y1", "", "y2", "b"])
    assert list(mapping.positions) == [0, 1, 3, GONE, 4]
    assert changed(mapping) == {1, 2}


@pytest.mark.parametrize(
    ("new", "places"),
    [
        (["with autocast():", "    a = x @ w", "    b = a + 1", "    return b"], [1, 2, 3]),
        (["with autocast():", "    a = x @ w", "    b = a + 2", "    return b"], [1, 2, 3]),
        (["c = log(9)", "a = x @ w * 2", "b = a + 1", "return b"], [1, 2, 3]),
        (["c = log(9)", "a = x @ v", "b = a + c", "return b"], [1, 2, 3]),
        (["b = a + 3", "return b * 2"], [GONE, 0, 1]),
        (["something", "else"], [0, 1, GONE]),
    ],
    ids=["wrapped", "wrapped and changed", "above", "all changed", "removed", "rewritten"],
)
def test_a_changed_line_is_the_one_most_like_it(new: list[str], places: list[int]) -> None:
    old = ["a = x @ w", "b = a + 1", "return b"]
    assert positions(old, new) == places
    mapping = map_lines(old, new)
    assert changed(mapping) == {
        line for line, place in enumerate(places) if place != GONE and old[line] != new[place]
    }


def test_a_large_block_put_into_another() -> None:
    old = [f"    value_{number} = step({number})" for number in range(5_000)]
    mapping = map_lines(["def f():", *old], ["def f():", "    if x:", *(f"    {n}" for n in old)])
    assert list(mapping.positions) == [0, *range(2, 5_002)]
    assert len(changed(mapping)) == 5_000


def test_two_functions_that_changed_places() -> None:
    first = [f"    first {number}" for number in range(5)]
    second = [f"    second {number}" for number in range(9)]
    mapping = map_lines([*first, *second], [*second, *first])
    assert list(mapping.positions[5:]) == list(range(9))


@pytest.mark.parametrize(
    ("edited", "stale"),
    [
        (["call(", "    1,", "    2,", ")"], False),
        (["x = 0", "call(", "    1,", "    2,", ")"], False),
        (["call(", "    1,", "    3,", ")"], True),
        (["call(", "    1,", "    1.5,", "    2,", ")"], True),
        (["call(", "    2,", ")"], True),
        (["call_it(", "    1,", "    2,", ")"], True),
    ],
)
def test_a_statement_is_stale_when_any_of_its_lines_changed(edited: list[str], stale: bool) -> None:
    place = map_lines(["call(", "    1,", "    2,", ")"], edited).place(0, 3)
    assert place is not None
    assert place.stale == stale
    assert edited[place.first].startswith("call")


def test_what_was_removed_or_never_was_has_no_place() -> None:
    mapping = map_lines(OLD, OLD[:2])
    assert mapping.place(3, 3) is None
    assert mapping.place(99, 99) is None
    assert mapping.place(-1, -1) is None


@settings(deadline=None)
@given(st.data())
def test_unchanged_lines_are_found_after_any_edits(data: st.DataObject) -> None:
    """Lines that occur once: the right answer is known from how the edits were made."""
    old = [f"line {number}" for number in range(data.draw(st.integers(0, 40)))]
    new: list[str] = []
    expected: dict[int, int] = {}
    fresh = 0
    for number, text in enumerate(old):
        for _ in range(data.draw(st.sampled_from([0, 0, 0, 1, 3]))):
            new.append(f"new {fresh}")
            fresh += 1
        edit = data.draw(st.sampled_from(["keep", "keep", "change", "remove"]))
        if edit == "keep":
            expected[number] = len(new)
            new.append(text)
        elif edit == "change":
            new.append(f"{text}, changed")
    mapping = map_lines(old, new)
    unchanged = {
        line: place for line, place in enumerate(mapping.positions) if line not in mapping.altered
    }
    assert unchanged == expected


@settings(deadline=None)
@given(
    st.lists(st.sampled_from("abc "), max_size=60), st.lists(st.sampled_from("abc "), max_size=60)
)
def test_any_two_texts(old: list[str], new: list[str]) -> None:
    mapping = map_lines(old, new)
    places = [place for place in mapping.positions if place != GONE]
    assert len(mapping.positions) == len(old)
    assert places == sorted(set(places))
    assert all(0 <= place < len(new) for place in places)
    for line, place in enumerate(mapping.positions):
        if line not in mapping.altered:
            assert old[line] == new[place]
    assert list(mapping.altered) == sorted(set(mapping.altered))


def test_texts_that_share_nothing_and_repeat_themselves_are_given_up_on() -> None:
    """10,000 equal lines against 10,000 others would take minutes to compare in full."""
    old, new = ["a", "b"] * 5_000, ["b", "c", "a"] * 4_000
    assert len(map_lines(old, new).positions) == len(old)


def test_a_large_file_with_scattered_edits() -> None:
    chance = random.Random(7)
    old = [f"    value_{number} = {chance.random()}" for number in range(10_000)]
    new = list(old)
    edited = set(chance.sample(range(10_000), 50))
    for line in edited:
        new[line] += "  # changed"
    mapping = map_lines(old, new)
    assert list(mapping.positions) == list(range(10_000))
    assert changed(mapping) == edited


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\rc\n", ["a", "b", "c", ""]),
        ("\ufeffa\n", ["a", ""]),
        ("a\x0cb\u2028c\x85d\n", ["a\x0cb\u2028c\x85d", ""]),
    ],
)
def test_lines_are_those_of_python_and_of_editors(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@settings(deadline=None)
@given(st.text(st.sampled_from("ab\r\n\x0c\u2028"), max_size=30))
def test_lines_with_endings_are_the_text(text: str) -> None:
    lines = lines_with_endings(text)
    assert "".join(lines) == text
    assert [line.rstrip("\r\n") for line in lines] == lines_of(text)[: len(lines)]
