"""What a kernel of a compiled graph moves, told by which operator feeds which."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.fusion import Operation, fused_work
from sidelight.hardware.graph_edges import Edges, Operand, Result, values_read
from sidelight.hardware.prediction import work_of
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor

ROWS, WIDTH = 512, 1024
FULL = ROWS * WIDTH
X = Tensor((ROWS, WIDTH), "float32")
HALF = Tensor((ROWS, WIDTH // 2), "float32")
COLUMN = Tensor((ROWS, 1), "float32")
IN, OTHER_IN = 100, 101
"""Values that come into the graph."""


def operation(
    name: str,
    arguments: Sequence[Argument],
    reads: Sequence[tuple[int, int, int]],
    gives: tuple[int, int],
    *,
    leaves: bool = False,
) -> Operation:
    """An operator with ``(value, view, elements)`` of its operands and ``(value, elements)``."""
    call = OperatorCall(f"aten::{name}", tuple(arguments))
    work, known = work_of(call, Setup())
    assert work is not None
    assert known
    operands = tuple(Operand(*each) for each in reads)
    return Operation(call, work, Edges(operands, (Result(*gives, leaves),)))


def test_an_operand_that_is_made_within_is_not_read() -> None:
    """``sin(x) + y``, with ``x`` and ``y`` of one size, from outside."""
    operations = [
        operation("sin", [X], [(IN, 0, FULL)], (1, FULL)),
        operation("add", [X, X], [(1, 1, FULL), (OTHER_IN, 2, FULL)], (2, FULL), leaves=True),
    ]
    assert fused_work(operations).read_bytes == 4 * 2 * FULL
    assert fused_work(operations).written_bytes == 4 * FULL


def test_what_came_in_is_read_once() -> None:
    """``x * x + x``."""
    operations = [
        operation("mul", [X, X], [(IN, 0, FULL), (IN, 0, FULL)], (1, FULL)),
        operation("add", [X, X], [(1, 1, FULL), (IN, 0, FULL)], (2, FULL), leaves=True),
    ]
    assert fused_work(operations).read_bytes == 4 * FULL


def test_two_operands_of_one_size_are_told_apart() -> None:
    """``(a * b).sum(-1)`` and then ``a``'s size once more: by size alone it was there before."""
    operations = [
        operation("mul", [X, X], [(IN, 0, FULL), (OTHER_IN, 1, FULL)], (1, FULL)),
        operation("neg", [X], [(IN + 5, 2, FULL)], (2, FULL), leaves=True),
    ]
    assert fused_work(operations).read_bytes == 4 * 3 * FULL


@pytest.mark.parametrize(("leaves", "elsewhere"), [(True, set[int]()), (False, {1})])
def test_a_result_that_is_needed_outside_is_written(leaves: bool, elsewhere: set[int]) -> None:
    """``y = sin(x)``, kept for the backward pass or read by another kernel, and ``y * y``."""
    operations = [
        operation("sin", [X], [(IN, 0, FULL)], (1, FULL), leaves=leaves),
        operation("mul", [X, X], [(1, 1, FULL), (1, 1, FULL)], (2, FULL), leaves=True),
    ]
    assert fused_work(operations, elsewhere).written_bytes == 4 * 2 * FULL


def test_what_nobody_needs_outside_is_not_written() -> None:
    """A reduction's input stays within; the sums alone leave."""
    operations = [
        operation("sin", [X], [(IN, 0, FULL)], (1, FULL)),
        operation("sum", [X, [1], True, None], [(1, 1, FULL)], (2, ROWS), leaves=True),
    ]
    assert fused_work(operations, {IN}).written_bytes == 4 * ROWS


def test_two_halves_of_a_value_are_read_as_one_whole() -> None:
    """``x[:, :half] * x[:, half:]``: two looks at one value."""
    operations = [
        operation("mul", [HALF, HALF], [(IN, 3, FULL), (IN, 4, FULL)], (1, FULL // 2)),
        operation("neg", [HALF], [(1, 5, FULL // 2)], (2, FULL // 2), leaves=True),
    ]
    assert fused_work(operations).read_bytes == 4 * FULL


def test_one_half_of_a_value_is_read_as_half() -> None:
    operations = [
        operation("sin", [HALF], [(IN, 3, FULL)], (1, FULL // 2)),
        operation("neg", [HALF], [(1, 5, FULL // 2)], (2, FULL // 2), leaves=True),
    ]
    assert fused_work(operations).read_bytes == 4 * FULL // 2


def test_an_expanded_value_is_read_as_often_as_there_is_of_it() -> None:
    """``x * column.expand(rows, width)``."""
    operations = [
        operation("mul", [X, X], [(IN, 0, FULL), (OTHER_IN, 6, ROWS)], (1, FULL)),
        operation("neg", [X], [(1, 5, FULL)], (2, FULL), leaves=True),
    ]
    assert fused_work(operations).read_bytes == 4 * (FULL + ROWS)


def test_the_edges_of_a_graph_tell_more_than_sizes() -> None:
    """A graph of equal sizes: without edges everything but the first operand seems at hand."""
    calls = [("sin", [X]), ("mul", [X, X])]
    apart = [
        operation(calls[0][0], calls[0][1], [(IN, 0, FULL)], (1, FULL), leaves=True),
        operation(
            calls[1][0], calls[1][1], [(1, 1, FULL), (OTHER_IN, 2, FULL)], (2, FULL), leaves=True
        ),
    ]
    known = fused_work(apart)
    by_size = fused_work([Operation(each.call, each.work) for each in apart])
    assert known.hbm_bytes == 4 * 4 * FULL
    assert by_size.hbm_bytes < known.hbm_bytes


def test_values_read_are_those_of_all_operands() -> None:
    operations = [operation("mul", [X, COLUMN], [(7, 0, FULL), (9, 1, ROWS)], (1, FULL))]
    assert values_read(operations) == {7, 9}
