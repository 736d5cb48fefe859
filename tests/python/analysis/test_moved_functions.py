"""Where the lines of functions are that changed places."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from sidelight.analysis.line_mapping import GONE
from sidelight.analysis.moved_functions import map_sources
from sidelight.analysis.text_lines import lines_of


def function(number: int) -> list[str]:
    """A function; its last line is that of every other."""
    return [
        f"def f{number}(x):",
        *(f"    x = x + {number}{n}" for n in range(number)),
        "    return x",
    ]


@settings(deadline=None)
@given(st.permutations(range(8)))
def test_every_line_of_every_function_is_found(order: list[int]) -> None:
    functions = [function(number) for number in range(8)]
    old = [line for lines in functions for line in lines]
    new = [line for number in order for line in functions[number]]
    starts = {line: number for number, line in enumerate(new) if line.startswith("def")}
    expected = [starts[lines[0]] + offset for lines in functions for offset in range(len(lines))]
    mapping = map_sources("\n".join(old), "\n".join(new))
    assert list(mapping.positions) == expected
    assert not mapping.altered


def test_a_method_moves_with_its_class_and_is_known_by_it() -> None:
    one = ["class One:", "    def forward(self, x):", "        return x @ self.one", ""]
    two = [
        "class Two:",
        "    @checked",
        "    def forward(self, x):",
        "        return x @ self.two",
        "",
    ]
    edited = [line.replace("x @", "2 * x @") for line in one]
    mapping = map_sources("\n".join([*one, *two]), "\n".join([*two, *edited]))
    assert mapping.positions[:3] == [5, 6, 7]
    assert mapping.positions[4:8] == [0, 1, 2, 3]
    assert list(mapping.altered) == [2]


PIECES = [
    "def f():",
    "def g():",
    "class C:",
    "    def f(self):",
    "        return 1",
    "    return 1",
    "",
]


@settings(deadline=None)
@given(*[st.lists(st.sampled_from(PIECES), max_size=14)] * 2)
def test_any_two_sources(old_lines: list[str], new_lines: list[str]) -> None:
    old, new = "\n".join(old_lines), "\n".join(new_lines)
    mapping = map_sources(old, new)
    places = [place for place in mapping.positions if place != GONE]
    assert len(set(places)) == len(places)
    assert len(mapping.positions) == len(lines_of(old))
    for line, place in enumerate(mapping.positions):
        if line not in mapping.altered:
            assert lines_of(old)[line].strip() == lines_of(new)[place].strip()
