"""What the timeline tells of an event beside its time, against figures worked out by hand."""

from __future__ import annotations

import numpy as np
from profiles import Event, make_profile

from sidelight.analysis.attribution import attribute
from sidelight.analysis.timelines.facts import EventFacts
from sidelight.profile.model import Profile
from sidelight.profile.tables import PRICE_COLUMNS, WORK_COLUMNS, Category, Table


def recorded(*events: Event) -> Profile:
    return attribute(make_profile(list(events), [(0, 1_000)]))


def facts_of(profile: Profile, name: str) -> dict[str, str]:
    (event,) = (
        row
        for row in range(len(profile.events))
        if profile.strings[int(profile.events["name"][row])] == name
    )
    facts = EventFacts(profile).of(event)
    told = {fact.term: fact.text for fact in facts}
    assert len(told) == len(facts)
    return told


def test_ids_and_the_level_are_told() -> None:
    profile = recorded(
        Event(Category.OPERATOR, 10, 100, "aten::mm", external_id=4),
        Event(Category.DEVICE, 200, 50, "kernel", 3, correlation_id=7),
        Event(Category.DEVICE_COARSE, 190, 70, "submission", 2),
    )
    assert facts_of(profile, "kernel") == {
        "Device-time level": "counts: device",
        "Correlation id": "7",
    }
    assert facts_of(profile, "aten::mm") == {"External id": "4"}
    assert facts_of(profile, "submission") == {
        "Device-time level": "does not count: other rows tell this time"
    }


def with_work(**columns: int | str) -> Profile:
    """An instruction with what is known of it."""
    profile = recorded(Event(Category.ENGINE_WORK, 0, 100, "matmul", 3))
    given: dict[str, int] = {}
    for name, value in columns.items():
        if isinstance(value, str):
            profile.strings = [*profile.strings, value]
            value = len(profile.strings) - 1
        given[name] = value
    row = {name: [given.get(name, -1)] for name in WORK_COLUMNS} | {"event": [0]}
    profile.work = Table.of(WORK_COLUMNS, row)
    return profile


def test_the_work_of_an_instruction_is_told() -> None:
    told = facts_of(
        with_work(
            program="model.neff",
            hlo="dot.3",
            wait_ns=1_500,
            flops=4_000_000,
            transpose_flops=1_000_000,
            hbm_read_bytes=1_500_000,
            hbm_write_bytes=500_000,
            spill_save_bytes=20_000,
            spill_reload_bytes=0,
        ),
        "matmul",
    )
    assert told == {
        "Device-time level": "counts: engine",
        "NEFF": "model.neff",
        "HLO": "dot.3",
        "Waited": "1.50 µs",
        "FLOPs": "4.00 MFLOP, of which 1.00 MFLOP only transpose",
        "HBM read": "1.50 MB",
        "HBM written": "500 kB",
        "Spill saved": "20.0 kB",
        "Spill reloaded": "0 B",
        # 4,000,000 by 2,000,000.
        "Arithmetic intensity": "2.00 FLOP/byte",
    }


def test_what_is_not_known_is_not_told() -> None:
    told = facts_of(with_work(flops=10), "matmul")
    assert told == {"Device-time level": "counts: engine", "FLOPs": "10 FLOP"}


def test_an_endless_name_is_cut() -> None:
    assert len(facts_of(with_work(bir="x" * 10_000), "matmul")["BIR"]) == 500


def test_the_place_under_the_roofline_is_told_of_what_was_priced() -> None:
    profile = recorded(Event(Category.OPERATOR, 10, 100, "aten::mm", external_id=1))
    profile.strings = [*profile.strings, "Tensor", "memory", "bf16"]
    engine, bound, dtype = range(len(profile.strings) - 3, len(profile.strings))
    price = {name: [0] for name in PRICE_COLUMNS} | {
        "engine": [engine],
        "bound": [bound],
        "dtype": [dtype],
        "flops": [6_000_000],
        "hbm_bytes": [3_000_000],
        "duration_ns": [2_000],
        "roof_ns": [500],
    }
    profile.prices = Table.of(PRICE_COLUMNS, price)
    profile.events = Table(
        {
            **{name: profile.events[name] for name in profile.events},
            "price": np.array([0], np.int32),
            "predicted_ns": np.array([1]),
        }
    )
    assert facts_of(profile, "aten::mm") == {
        "Device-time level": "counts: operator",
        "Predicted": "≈2.00 µs",
        "Predicted work": "6.00 MFLOP, 3.00 MB",
        "Arithmetic intensity": "≈2.00 FLOP/byte",
        # 500 of 2,000 ns.
        "Roofline": "≈25.0% of the roof of bf16",
        "Bound by": "memory, on Tensor",
        "External id": "1",
    }
