"""A comparison, worked out a second time from the documents of its two sides."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Json = dict[str, Any]


def check_comparison(comparison: Json, base: Json, new: Json) -> None:
    """Raise unless a comparison says of each side what that side's own document says.

    Which line is which is not looked at here.

    Args:
        comparison: The document of ``compare``.
        base: The document of ``lines`` of base.
        new: The same of new.
    """
    documents = {"base": base, "new": new}
    for side, document in documents.items():
        assert comparison[side] == {name: document[name] for name in comparison[side]}
        check_side(comparison, side, document)
    steps = [document["steps"] for document in documents.values()]

    def check_change(change: Json | None, was: int | None, now: int | None) -> None:
        if was is None or now is None:
            assert change is None
            return
        before, after = Fraction(was, steps[0]), Fraction(now, steps[1])
        assert change is not None
        assert change["difference"] == float(after - before)
        assert change["ratio"] == (float(after / before) if before else None)

    whole = comparison["change"]
    check_change(whole["device_time_ns"], base["device_time_ns"], new["device_time_ns"])
    check_change(whole["predicted_ns"], base["predicted_ns"], new["predicted_ns"])
    check_change(whole["recorded_ns"], base["recorded_ns"], new["recorded_ns"])
    check_change(whole["hbm_bytes"], base["hbm_bytes"], new["hbm_bytes"])
    # What is not there costs nothing, and nothing is predicted of it where nothing is of the rest.
    predicted = {"bytes", "predicted_ns"}
    absent = {side: 0 if each["pricing"] else None for side, each in documents.items()}
    for entry in all_entries(comparison):
        for figure, change in entry["change"].items():
            was, now = (
                entry[side][figure] if entry[side] else absent[side] if figure in predicted else 0
                for side in documents
            )
            check_change(change, was, now)
    for entries in (comparison["operators"], comparison["lines"]):
        sizes = [abs(entry["change"]["self_ns"]["difference"]) for entry in entries]
        assert sizes == sorted(sizes, reverse=True)
    for line in comparison["lines"]:
        sides = (line["base"] is not None, line["new"] is not None)
        assert sides == {"removed": (True, False), "added": (False, True)}.get(
            line["match"], (True, True)
        )


def check_side(comparison: Json, side: str, document: Json) -> None:
    """Raise unless everything one side's document has is in the comparison once."""
    figures = ("self_ns", "total_ns", "predicted_ns", "time_kind", "attribution")
    expected = {
        (line["file"], line["line"]): {
            **{figure: line[figure] for figure in figures},
            "launches": sum(operator["count"] for operator in line["ops"]),
            "bytes": line["hbm_bytes"],
        }
        for line in document["lines"]
    }
    found = [line for line in comparison["lines"] if line[side]]
    costs = {(line[side]["file"], line[side]["line"]): line[side] for line in found}
    assert len(costs) == len(found)
    assert expected.keys() <= costs.keys()
    for place, cost in costs.items():
        if place not in expected:
            assert (cost["self_ns"], cost["total_ns"], cost["launches"]) == (0, 0, 0)
            nothing = 0 if document["pricing"] else None
            assert (cost["predicted_ns"], cost["bytes"]) == (nothing, nothing)
            continue
        assert {name: cost[name] for name in expected[place]} == expected[place]
    unattributed_ns = document["unattributed_ns"]
    assert (
        sum(cost["self_ns"] for cost in costs.values()) + unattributed_ns
        == (document["device_time_ns"])
    )
    assert comparison["unattributed"][side]["self_ns"] == unattributed_ns
    operators = {one["name"]: one[side] for one in comparison["operators"]}
    assert len(operators) == len(comparison["operators"])
    for name, cost in operators.items():
        shares = [share for share in all_shares(document) if share["name"] == name]
        assert cost["self_ns"] == sum(share["self_ns"] for share in shares)
        assert cost["launches"] == sum(share["count"] for share in shares)
        moved = [share["hbm_bytes"] for share in shares]
        is_known = document["pricing"] and None not in moved
        assert cost["bytes"] == (sum(moved) if is_known else None)
    assert {share["name"] for share in all_shares(document)} <= operators.keys()
    for line in found:
        own = sum(operator[side]["self_ns"] for operator in line["operators"])
        assert own == line[side]["self_ns"]


def all_shares(document: Json) -> Iterator[Json]:
    """Every operator share of a document."""
    for line in document["lines"]:
        yield from line["ops"]
    yield from document["unattributed_ops"]


def all_entries(comparison: Json) -> Iterator[Json]:
    """Everything in a comparison that has a change between two costs."""
    yield comparison["unattributed"]
    yield from comparison["operators"]
    for line in comparison["lines"]:
        yield line
        yield from line["operators"]
