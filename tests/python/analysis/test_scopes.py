"""What the syntax of a source says: where statements end, and which functions there are."""

from __future__ import annotations

import warnings

from sidelight.analysis.scopes import Outline

SOURCE = '''\
import torch


@torch.no_grad()
@cached(
    size=3,
)
def outer(
    x=1,
):
    """Text."""
    total = (
        x
        + 1
    )
    for item in range(
        total
    ):
        print(item); print(
            item)

    async def inner(): return 1
    return inner


class Block(
    torch.nn.Module,
):
    def forward(self, x):
        with torch.no_grad(), open(
            "x"
        ) as file:
            pass
        try:
            pass
        except (ValueError,
                TypeError):
            pass
        return lambda: [
            x
        ]

    class Inner:
        def forward(self): ...


def forward():
    match SOURCE:
        case (1,
              2):
            pass
    if a: b = (
        1)
    elif (
        c
    ):
        pass
'''


def test_statements_end_where_their_own_text_does() -> None:
    outline = Outline(SOURCE)
    ends = {line: outline.end_line(line) for line in range(1, 60)}
    own = {line: end for line, end in ends.items() if end != line}
    assert own == {
        5: 7,  # the decorator's call
        8: 9,  # a header without its last parenthesis, which has no place in the syntax tree
        12: 15,
        16: 18,
        19: 20,  # two statements on the line: the last end
        26: 27,
        30: 32,
        36: 37,
        39: 41,
        52: 53,
        54: 55,
    }


def test_functions_and_classes() -> None:
    scopes = Outline(SOURCE).scopes
    found = [(s.kind, s.name, s.first_line, s.line, s.end_line) for s in scopes]
    assert found == [
        ("function", "outer", 4, 8, 23),
        ("function", "outer.inner", 22, 22, 22),
        ("class", "Block", 26, 26, 44),
        ("forward", "Block.forward", 29, 29, 41),
        ("class", "Block.Inner", 43, 43, 44),
        ("forward", "Block.Inner.forward", 44, 44, 44),
        ("function", "forward", 47, 47, 57),
    ]
    assert Outline(SOURCE).scopes_at()[30] == (2, 3)
    assert Outline(SOURCE).scopes_at()[4] == (0,)
    assert 24 not in Outline(SOURCE).scopes_at()


def test_a_source_that_is_not_valid() -> None:
    for text in ("def f(:\n", "x = '\0'\n", "(" * 100_000, "", "\ufeff"):
        outline = Outline(text)
        assert outline.scopes == []
        assert outline.end_line(7) == 7


def test_a_byte_order_mark_old_line_ends_and_odd_escapes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outline = Outline('\ufeffdef f():\r\n    return ("\\d",\r\n        1)\r\n')
    assert [scope.name for scope in outline.scopes] == ["f"]
    assert outline.end_line(2) == 3


def test_a_source_nested_deeper_than_calls_may_be() -> None:
    depth = 90
    lines = [f"{' ' * level}class C{level}:" for level in range(depth)]
    outline = Outline("\n".join([*lines, " " * depth + "pass"]))
    assert len(outline.scopes) in (0, depth)
