"""Where statements are that moved, by themselves or into another function."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings, strategies as st

from sidelight.analysis.line_mapping import GONE
from sidelight.analysis.moved_functions import map_sources
from sidelight.analysis.text_lines import lines_of

LOOP = """\
def train(model, optimizer):
    for _ in range(26):
        x = torch.randn(64, 512)
        out = model(x)
        loss = out.square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
"""
EXTRACTED = """\
def step(model, optimizer, x):
    out = model(x)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
CALLER = """\
def train(model, optimizer):
    for _ in range(26):
        x = torch.randn(64, 512)
        step(model, optimizer, x)
"""


def where(old: str, new: str) -> list[tuple[str, str | None, bool]]:
    """Of each old line that is not blank: its text, what is at its place now, if it is altered."""
    mapping = map_sources(old, new)
    now = [line.strip() for line in lines_of(new)]
    return [
        (line.strip(), None if place == GONE else now[place], number in mapping.altered)
        for number, (line, place) in enumerate(zip(lines_of(old), mapping.positions, strict=True))
        if line.strip()
    ]


def check_all_found(old: str, new: str) -> None:
    """Raise unless each old line, of which none occurs twice, is at that same text."""
    assert where(old, new) == [
        (line.strip(), line.strip(), False) for line in lines_of(old) if line.strip()
    ]


def with_lines(order: list[int]) -> str:
    """The loop with its body, the lines from 2 on, in another order."""
    lines = lines_of(LOOP)
    return "\n".join([*lines[:2], *(lines[number] for number in order), ""])


@settings(deadline=None)
@given(st.permutations(range(2, 8)))
def test_statements_in_any_order(order: list[int]) -> None:
    mapping = map_sources(LOOP, with_lines(order))
    assert list(mapping.positions) == [0, 1, *(2 + order.index(line) for line in range(2, 8)), 8]
    assert not mapping.altered


@pytest.mark.parametrize("pieces", [(EXTRACTED, CALLER), (CALLER, EXTRACTED)])
def test_a_body_that_was_made_a_function(pieces: tuple[str, str]) -> None:
    check_all_found(LOOP, "\n\n".join(pieces))


@pytest.mark.parametrize("pieces", [(EXTRACTED, CALLER), (CALLER, EXTRACTED)])
def test_a_function_that_was_put_where_it_is_called(pieces: tuple[str, str]) -> None:
    found = where("\n\n".join(pieces), LOOP)
    gone = {line for line, _, altered in found if altered}
    assert gone == {"def step(model, optimizer, x):", "step(model, optimizer, x)"}
    assert all(line == now for line, now, altered in found if not altered)


def test_functions_changed_places_and_a_statement_went_from_one_to_the_other() -> None:
    one = "def one(x):\n    x = first(x)\n    x = second(x)\n    return log(x)\n"
    two = "def two(y):\n    y = third(y)\n    return exp(y)\n"
    moved = two.replace("    y =", "    x = second(x)\n    y =")
    check_all_found(f"{one}\n{two}", f"{moved}\n{one.replace('    x = second(x)', '')}")


def test_statements_of_several_lines_move_whole() -> None:
    """Their closing lines are all the same, so by themselves they would be anywhere."""
    first, second, third = (f"{name} = call(\n    {name}_0,\n    w,\n)" for name in "abc")
    old, new = (
        f"def f(w):\n{textwrap.indent(body, '    ')}"
        for body in (f"{first}\n{second}\n{third}\n", f"{third}\n{first}\n{second}\n")
    )
    assert list(map_sources(old, new).positions) == [0, *range(5, 13), *range(1, 5), 13]
    assert not map_sources(old, new).altered


def test_the_same_scope_comes_first() -> None:
    old = "def f(x):\n    a = 1\n    x = norm(x)\n    b = 2\n\ndef g(x):\n    c = 3\n    d = 4\n"
    new = (
        "def f(x):\n    x = norm(x)\n    a = 1\n    b = 2\n\n"
        "def g(x):\n    x = norm(x)\n    c = 3\n    d = 4\n"
    )
    mapping = map_sources(old, new)
    assert list(mapping.positions) == [0, 2, 1, 3, 4, 5, 7, 8, 9]


def test_a_text_that_occurs_more_often_on_one_side_is_not_guessed_at() -> None:
    old = "def f(x):\n    x = norm(x)\n    a = 1\n    return a\n"
    new = "def f(x):\n    a = 1\n    return a\n\ndef g(x):\n    x = norm(x)\n    x = norm(x)\n"
    assert map_sources(old, new).positions[1] == GONE


def test_a_text_that_occurs_equally_often_is_paired_in_order() -> None:
    old = "def f(x):\n    x = relu(x)\n    y = up(x)\n    x = relu(x)\n    return y\n"
    new = (
        "def act(x):\n    x = relu(x)\n    y = up(x)\n    x = relu(x)\n    return y\n\n"
        "def f(x):\n    return act(x)\n"
    )
    mapping = map_sources(old, new)
    assert list(mapping.positions)[:5] == [6, 1, 2, 3, 4]


def test_lines_that_are_no_statements_do_not_move() -> None:
    old = "a = f(\n    x\n)\nb = 1\n"
    new = "b = 1\nc = g(\n    y\n)\n"
    assert map_sources(old, new).positions[:4] == [GONE, GONE, GONE, 0]


@pytest.mark.parametrize("broken", ["def f(:\n", "\x00"])
def test_a_source_that_is_no_python_is_compared_in_order(broken: str) -> None:
    old, new = f"{broken}\na = 1\nb = 2\nc = 3\n", f"{broken}\nb = 2\nc = 3\na = 1\n"
    positions = map_sources(old, new).positions
    found = [place for place in positions if place != GONE]
    assert found == sorted(found)
