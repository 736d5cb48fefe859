"""torch's own samples of its operators, and the table of those that fail in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.operator_samples import fates

DOCUMENT = Path(__file__).parents[4] / "docs" / "virtual-device.md"

PARTS = 3
"""Processes that the list is split over, each a test of its own."""

FEWEST = 500
"""Distinct operators that have to come out as on the CPU."""


def documented_failures() -> dict[str, str]:
    """The table's rows: operator to what it says goes wrong."""
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \|$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    return {operator: wrong.strip() for operator, wrong in rows}


@pytest.mark.timeout(900)  # Half a minute of a processor's time, on a machine that may be busy.
@pytest.mark.parametrize("part", range(PARTS))
def test_operators_give_what_they_do_on_the_cpu(part: int) -> None:
    found = fates(part, PARTS)
    failed = {operator: wrong for operator, wrong in found.items() if wrong}
    documented = documented_failures()
    assert failed == {name: documented[name] for name in found if name in documented}
    passed = {operator.partition(" (")[0] for operator in found.keys() - failed.keys()}
    assert len(passed) > FEWEST / PARTS
    assert documented, "the table is where it is looked for"
