"""Picking by values: what a recording does not have is taken to be the most, and said."""

from __future__ import annotations

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.operators.registry import rule_for
from sidelight.hardware.prediction import work_of
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from sidelight.hardware.work import Work

ROWS, WIDTH = 1000, 64
X = Tensor((ROWS, WIDTH), "float32")
ALL = ROWS * WIDTH * 4
ONE = Tensor((), "float32")
PLACES = Tensor((7,), "int64")


def work(name: str, *arguments: Argument) -> Work:
    rule = rule_for(name)
    found = rule(OperatorCall(name, arguments)) if rule else None
    assert found is not None
    return found


def test_what_is_picked_by_indices_that_were_not_recorded_is_all() -> None:
    picked = work("aten::index", X, None)
    assert (picked.read_bytes, picked.written_bytes, picked.descriptors) == (ALL, ALL, ROWS)
    assert picked.picks_all


def test_a_number_written_to_such_places_is_written_to_all() -> None:
    """``x[mask] = 0``: as many places as ``x[mask]`` has."""
    put = work("aten::index_put_", X, None, ONE, False)
    assert (put.read_bytes, put.written_bytes, put.descriptors) == (4, ALL, ROWS)
    assert put.picks_all


def test_values_say_how_many_places_there_are() -> None:
    put = work("aten::index_put_", X, None, Tensor((7, WIDTH), "float32"), True)
    rows = 7 * WIDTH * 4
    assert (put.read_bytes, put.written_bytes) == (2 * rows, rows)  # what is there is read too
    assert not put.picks_all


def test_indices_that_were_recorded_are_counted() -> None:
    rows = 7 * WIDTH * 4
    picked = work("aten::index", X, (PLACES,))
    assert (picked.read_bytes, picked.written_bytes) == (rows + 56, rows)
    put = work("aten::index_put_", X, (PLACES,), ONE, False)
    assert (put.read_bytes, put.written_bytes, put.descriptors) == (4 + 56, rows, 7)
    assert not picked.picks_all
    assert not put.picks_all


def test_indices_that_are_broadcast_name_as_many_places_as_they_span() -> None:
    """``x[rows[:, None], columns]``: 5 x 7 single elements."""
    column = Tensor((5, 1), "int64")
    picked = work("aten::index", X, (column, PLACES))
    assert (picked.written_bytes, picked.descriptors) == (5 * 7 * 4, 5 * 7)


def test_a_mask_picks_as_much_as_there_is_at_most() -> None:
    mask = Tensor((ROWS, WIDTH), "bool")
    picked = work("aten::index", X, (mask,))
    assert (picked.written_bytes, picked.descriptors) == (ALL, ROWS * WIDTH)
    for name, arguments in (
        ("aten::masked_select", (X, mask)),
        ("aten::nonzero", (mask,)),
        ("aten::_unique2", (X, True, False, False)),
    ):
        assert work(name, *arguments).picks_all
    assert not work("aten::nonzero_static", mask, 10).picks_all


def test_as_many_bins_as_there_are_values_is_not_guessed() -> None:
    """``bincount(x)``: priced by its bytes; with a least number of bins, by that."""
    counted, known = work_of(OperatorCall("aten::bincount", (PLACES, None, 0)), Setup())
    assert counted is not None
    assert not known
    assert work("aten::bincount", PLACES, None, 100).written_bytes == 100 * 8
