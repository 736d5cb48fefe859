"""What the timeline tells of an event beside its time, against figures worked out by hand."""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest
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
        "Roofline": "not known: the profile is not priced for a chip",
        "Correlation id": "7",
    }
    assert facts_of(profile, "aten::mm") == {
        "Bytes of inputs": "not recorded",
        "Bytes of outputs": "not recorded",
        "External id": "4",
    }
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
        "Bytes of inputs": "not recorded",
        "Bytes of outputs": "not recorded",
        "Predicted FLOPs": "≈6.00 MFLOP",
        "Predicted HBM bytes": "≈3.00 MB",
        "Arithmetic intensity": "≈2.00 FLOP/byte",
        # 500 of 2,000 ns.
        "Roofline": "≈25.0% of the roof of bf16",
        "Bound by": "memory, on Tensor",
        "External id": "1",
    }


def signed(dims: object, types: object, **others: object) -> Profile:
    """An operator that was given tensors, and the kernel that it launched."""
    profile = recorded(
        Event(Category.OPERATOR, 10, 100, "aten::op", external_id=4),
        Event(Category.RUNTIME, 20, 10, "launch", correlation_id=7, external_id=4),
        Event(Category.DEVICE, 200, 50, "kernel", 3, correlation_id=7, external_id=4),
    )
    signature = json.dumps({"Input Dims": dims, "Input type": types, **others})
    profile.strings = [*profile.strings, signature]
    codes: list[int] = profile.events["name"].tolist()
    names = [profile.strings[code] for code in codes]
    column = np.full(len(names), -1, np.int32)
    column[names.index("aten::op")] = len(profile.strings) - 1
    profile.events = profile.events.with_columns({"signature": column})
    return profile


def test_tensors_of_an_operator_and_of_its_kernel_have_their_bytes() -> None:
    # 64 by 1,024 halves and 16 doubles; a number is no tensor.
    profile = signed([[64, 1024], [16], []], ["c10::Half", "double", "Scalar"])
    assert facts_of(profile, "aten::op")["Bytes of inputs"] == "131 kB"  # 131,072 + 128
    assert facts_of(profile, "kernel")["Bytes of inputs"] == "131 kB"
    assert "Bytes of outputs" not in facts_of(profile, "kernel")


_INPUTS: list[tuple[object, object, object, str]] = [
    ([[10], [4]], ["float", "mystery"], None, "40 B, and 1 of unknown size"),
    ([[-1]], ["float"], None, "1 of unknown size"),
    ([[0, 8]], ["float"], None, "0 B"),
    ([[]], ["long int"], None, "8 B"),
    ([[[2], [3]]], ["TensorList"], None, "2 of unknown size"),
    ([[[2], [3]]], ["TensorList"], [["float", "c10::BFloat16"]], "14 B"),
    ([[]], ["TensorList"], None, "1 of unknown size"),
]
"""Dims, types, types of lists, and what is told."""


@pytest.mark.parametrize(("dims", "types", "list_types", "told"), _INPUTS)
def test_tensors_of_unknown_size_are_counted_and_not_guessed(
    dims: object, types: object, list_types: object, told: str
) -> None:
    profile = signed(dims, types, **{"List types": list_types})
    assert facts_of(profile, "aten::op")["Bytes of inputs"] == told


def test_rows_of_engines_say_whose_they_are_and_what_is_not_recorded() -> None:
    told: dict[str, str] = {}
    for engine, term in (("tensor", "FLOPs"), ("dma", "Moved"), ("vector", "")):
        profile = recorded(Event(Category.ENGINE_WORK, 0, 100, "row", 3))
        profile.tracks[3] = msgspec.structs.replace(profile.tracks[3], engine=engine)
        told = facts_of(profile, "row")
        assert told["Engine"] == {"tensor": "Tensor", "dma": "DMA", "vector": "Vector"}[engine]
        assert told.get(term, "") == ("not recorded" if term else "")


def test_a_call_of_the_runtime_without_an_id_says_so() -> None:
    profile = recorded(Event(Category.RUNTIME, 20, 10, "launch"))
    assert facts_of(profile, "launch") == {"Correlation id": "not recorded"}


def test_what_a_priced_profile_has_no_price_of_says_why() -> None:
    for price, why in ((-1, "no operator with a price is"), (-2, "what it works on is not")):
        profile = recorded(Event(Category.DEVICE, 200, 50, "kernel", 3, correlation_id=7))
        profile.events = profile.events.with_columns({"price": np.array([price], np.int32)})
        assert facts_of(profile, "kernel")["Roofline"].startswith(f"not known: {why}")


def test_a_kernel_has_the_price_of_the_operator_that_its_own_is_within() -> None:
    profile = recorded(
        Event(Category.OPERATOR, 10, 100, "aten::linear", external_id=3),
        Event(Category.OPERATOR, 20, 60, "aten::addmm", external_id=4),
        Event(Category.RUNTIME, 30, 10, "launch", correlation_id=7, external_id=4),
        Event(Category.DEVICE, 200, 50, "kernel", 3, correlation_id=7, external_id=4),
    )
    profile.strings = [*profile.strings, "Tensor"]
    texts = {name: [len(profile.strings) - 1] for name in ("engine", "bound", "dtype")}
    figures = {"flops": [8], "hbm_bytes": [2], "duration_ns": [40], "roof_ns": [10]}
    profile.prices = Table.of(
        PRICE_COLUMNS, {name: [0] for name in PRICE_COLUMNS} | texts | figures
    )
    codes: list[int] = profile.events["name"].tolist()
    price = [0 if profile.strings[code] == "aten::linear" else -1 for code in codes]
    profile.events = profile.events.with_columns({"price": np.array(price, np.int32)})
    for name in ("aten::addmm", "kernel"):
        told = facts_of(profile, name)
        assert (told["Priced as"], told["Predicted HBM bytes"]) == ("aten::linear", "≈2 B")
        assert told["Roofline"] == "≈25.0% of the roof of Tensor"
    assert "Priced as" not in facts_of(profile, "aten::linear")
