"""Tables as text for spreadsheets, read back by Python's own reader and by pandas."""

from __future__ import annotations

import csv
import io
from typing import Any

import pandas
import pytest
from hypothesis import given, strategies as st

from sidelight.export.csv_text import Separator, csv_text

TEXTS = st.text(st.sampled_from("ab,;\"'\t\n =+-@é"), max_size=6)


@given(st.lists(st.tuples(TEXTS, st.none() | st.integers()), max_size=8), st.booleans())
def test_what_is_written_is_read_back(rows: list[tuple[str, int | None]], with_tabs: bool) -> None:
    separator: Separator = "tab" if with_tabs else "comma"
    text = csv_text(["name", "ns"], rows, separator)
    read = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t" if with_tabs else ","))
    assert read[0] == ["name", "ns"]
    for (name, number), (cell, amount) in zip(rows, read[1:], strict=True):
        assert cell.removeprefix("'") == name or cell == name
        assert not cell.startswith(("=", "+", "-", "@", "\t")), "a spreadsheet would run it"
        assert amount == ("" if number is None else str(number))


def test_lines_end_as_the_standard_has_it() -> None:
    assert csv_text(["a", "b"], [["x, y", 1.5], ['say "it"', -3]]) == (
        'a,b\r\n"x, y",1.5\r\n"say ""it""",-3\r\n'
    )


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", "+2", "-2", "\t=3"])
def test_what_a_spreadsheet_would_run_is_text_but_numbers_stay_numbers(name: str) -> None:
    reader: Any = pandas  # it carries no types of its own
    frame = reader.read_csv(io.StringIO(csv_text(["name", "ns"], [[name, -7], ["x", None]])))
    assert frame["name"].tolist() == [f"'{name}", "x"]
    assert frame["ns"].tolist()[0] == -7
