"""Without values a program calls the same operators, with the same shapes, on the same lines."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from sidelight.profile.stored_profile import StoredProfile
from sidelight.profile.tables import Category
from support.document import quality_codes
from support.fake_runs import FAKE, Called, fake_run, outermost_operators, row_names
from support.tool import interpreters, profile_json

IN_PLACE = {"aten::add_": "aten::add"}
"""Autograd adds gradients up in place, but not into tensors of a class of their own."""

LEFT_TO_TORCH = {
    "aten::to": "the host's scalars are written differently",
    "aten::empty": "a library's workspace",
    "aten::slice": "how autograd makes a view anew that was written to",
    "aten::as_strided": "the same",
}
"""Operators without work, whose number depends on what a tensor is, and why."""


def comparable(calls: Counter[Called]) -> Counter[Called]:
    result: Counter[Called] = Counter()
    for call, count in calls.items():
        if call.name not in LEFT_TO_TORCH:
            result[call._replace(name=IN_PLACE.get(call.name, call.name))] += count
    return result


@pytest.mark.parametrize("python", interpreters())
@pytest.mark.parametrize("program", ["training.py", "recipes.py"])
def test_operators_are_those_of_a_run_with_values(
    program: str, python: str, tmp_path: Path
) -> None:
    without = fake_run(tmp_path / "fake", program, python=python)
    with_values = profile_json(
        tmp_path / "cpu", FAKE / program, options=["--warmup", "0"], python=python
    )
    assert without.document["steps"] == with_values["steps"]
    expected = outermost_operators(StoredProfile(Path(with_values["profile"])).load())
    assert comparable(outermost_operators(without.profile)) == comparable(expected)
    assert sum(expected.values()) > 300

    assert not {"PythonDispatchMode", "sidelight::stand_in"} & set(row_names(without.profile))
    assert "fake_value_read" not in quality_codes(without.document)


def test_a_compiled_callable_is_a_row_around_its_operators(tmp_path: Path) -> None:
    run = fake_run(tmp_path, "compiled.py")
    profile = run.profile
    events = profile.events
    names = row_names(profile)
    parents: list[int] = events["parent"].tolist()
    regions = {row for row, name in enumerate(names) if name == "sidelight::compiled_region"}
    assert len(regions) == 6, "as the comments of the program count them"
    inside: Counter[str] = Counter()
    for row, name in enumerate(names):
        above = parents[row]
        while above >= 0 and above not in regions:
            above = parents[above]
        if above >= 0 and events["category"][row] == Category.OPERATOR:
            inside[name] += 1
    assert inside["aten::cos"] == 2
    assert inside["aten::sin"] == 1
    assert inside["aten::gelu"] == 1
    assert inside["aten::linear"] == 2, "the third is not compiled"
    assert inside["aten::tanh"] == 0


def test_steps_warmup_and_an_early_end(tmp_path: Path) -> None:
    options = ["--warmup", "1", "--steps", "1", "--until", "captured"]
    run = fake_run(tmp_path, "training.py", options=options)
    assert (run.document["steps"], run.document["warmup"]) == (1, 1)
    assert run.document["stopped_by"] == "captured"


def test_a_session_of_the_programs_own(tmp_path: Path) -> None:
    run = fake_run(tmp_path, "own_session.py")
    assert run.document["steps"] == 1
    calls = outermost_operators(run.profile)
    linear = Called("own_session.py:9", "aten::linear", "[[2, 4], [4, 4], [4]]")
    assert calls[linear] == 3
