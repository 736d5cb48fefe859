"""Two profiles compared: lines matched through their sources, and every figure in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from cli.recorded import Recording, training_profile
from sidelight.analysis.compare import Side, compare
from sidelight.analysis.comparison import Comparison
from sidelight.analysis.lines import line_report
from sidelight.profile.manifest import Manifest, Pricing, SourceFile
from sidelight.profile.model import Profile
from support.comparison import check_comparison

PATH = "/project/model.py"

Times = Mapping[int, int]
"""Device time of lines, in nanoseconds a step."""


def profile_of(
    times_ns: Mapping[str, Times], texts: Mapping[str, str | None], *, steps: int = 1, **also: Any
) -> Profile:
    """A profile in which lines of some files take time, one operator each."""
    run = Recording()
    for _ in range(steps):
        run.step()
        for file, times in times_ns.items():
            for line, time_ns in times.items():
                with run.line(file, line):
                    run.operator(f"aten::op{line}", time_ns)
    fields: dict[str, Any] = {"name": "made", "format": "capture", "device": "cpu", **also}
    manifest = Manifest(created="", line_level="line", **fields)
    return run.profile(manifest, [SourceFile(path, text) for path, text in texts.items()])


def side(profile: Profile) -> Side:
    report = line_report(profile, f"/store/{id(profile)}")
    return Side(report, profile.files, profile.manifest.environment)


def compared(base: Profile, new: Profile) -> Comparison:
    """The comparison, checked against the documents of both sides."""
    sides = side(base), side(new)
    comparison = compare(*sides)
    check_comparison(*map(msgspec.to_builtins, (comparison, *(one.report for one in sides))))
    return comparison


def compared_files(
    old: str | None, new: str | None, old_times: Times, new_times: Times
) -> list[tuple[str, int | None, int | None]]:
    """How the lines of two versions of one file match, from top to bottom."""
    comparison = compared(
        profile_of({PATH: old_times}, {PATH: old}), profile_of({PATH: new_times}, {PATH: new})
    )
    return matches(comparison)


def matches(comparison: Comparison) -> list[tuple[str, int | None, int | None]]:
    found = [
        (line.match, line.base.line if line.base else None, line.new.line if line.new else None)
        for line in comparison.lines
    ]
    return sorted(found, key=lambda match: (match[1] or match[2] or 0, match[2] or 0))


NAIVE = """\
def norm(x, weight):
    mean_square = (x * x).mean(-1, keepdim=True)
    inverse = torch.rsqrt(mean_square + 1e-6)
    return x * inverse * weight

def step(x, weight):
    return norm(x, weight).sum()
"""
FUSED = """\
import torch

def norm(x, weight):
    return torch.rms_norm(x, weight.shape, weight, 1e-6)

def step(x, weight):
    return norm(x, weight).sum()
"""


def test_lines_that_were_replaced_by_one() -> None:
    assert compared_files(NAIVE, FUSED, {2: 50, 3: 20, 4: 30, 7: 5}, {4: 40, 7: 6}) == [
        ("removed", 2, None),
        ("removed", 3, None),
        ("changed", 4, 4),
        ("same", 7, 7),
    ]


def test_inserted_lines_move_the_others() -> None:
    new = NAIVE.replace("    inverse", "    checked = mean_square.abs()\n    inverse")
    assert compared_files(NAIVE, new, {2: 50, 3: 20, 4: 30}, {2: 50, 3: 9, 4: 20, 5: 30}) == [
        ("same", 2, 2),
        ("added", None, 3),
        ("same", 3, 4),
        ("same", 4, 5),
    ]


def test_functions_that_changed_places() -> None:
    first, second = NAIVE.split("\n\n")
    swapped = f"{second}\n{first}\n"
    assert compared_files(
        NAIVE, swapped, {2: 50, 3: 20, 4: 30, 7: 5}, {2: 5, 5: 50, 6: 20, 7: 30}
    ) == [
        ("same", 2, 5),
        ("same", 3, 6),
        ("same", 4, 7),
        ("same", 7, 2),
    ]


def test_a_function_that_moved_and_was_edited() -> None:
    first, second = NAIVE.split("\n\n")
    swapped = f"{second}\n{first.replace('1e-6', 'EPSILON')}\n"
    assert ("changed", 3, 6) in compared_files(NAIVE, swapped, {3: 20}, {6: 20})


def test_a_body_that_was_made_a_function() -> None:
    """Its lines are compared with themselves, and the call of it with none of them."""
    old = "def train(x):\n    for _ in range(9):\n        loss = f(x)\n        opt.step()\n"
    new = (
        "def step(opt, x):\n    loss = f(x)\n    opt.step()\n\n"
        "def train(x):\n    for _ in range(9):\n        step(opt, x)\n"
    )
    assert compared_files(old, new, {3: 50, 4: 20}, {2: 50, 3: 20, 7: 1}) == [
        ("same", 3, 2),
        ("same", 4, 3),
        ("added", None, 7),
    ]


def test_a_statement_and_a_line_within_it_are_not_the_same_line_of_base() -> None:
    """Only where the times of a trace are on lines that begin no statement."""
    found = compared_files("  1)\n", "y = (\n  1)\n", {}, {1: 5, 2: 7})
    assert found == [("changed", 1, 1), ("added", None, 2)]


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("y = f(\n    a,\n    b,\n)\n", "y = f(\n    a,\n    c,\n)\n", ("changed", 1, 1)),
        ("y = f(\n    a,\n    b,\n)\n", "\ny = f(\n    a,\n    b,\n)\n", ("same", 1, 2)),
        ("return x + down(h)\n", "return (\n    x + down(h)\n)\n", ("changed", 1, 1)),
        ("return (\n    x + down(h)\n)\n", "return x + down(h)\n", ("changed", 1, 1)),
        ("f(x)\n", "y = (\nf(x)\n)\n", ("changed", 1, 1)),
        ("y = (\nf(x)\n)\n", "f(x)\n", ("changed", 1, 1)),
    ],
    ids=["argument changed", "moved", "wrapped", "unwrapped", "put into another", "taken out"],
)
def test_statements_of_several_lines(old: str, new: str, match: tuple[str, int, int]) -> None:
    assert compared_files(f"# Before.\n{old}", f"# Before.\n{new}", {2: 9}, {match[2] + 1: 8}) == [
        (match[0], match[1] + 1, match[2] + 1)
    ]


def test_of_statements_that_were_merged_the_first_stays() -> None:
    old = "hidden = gate(x)\nreturn project(hidden)\n"
    new = "return project(\n    gate(x)\n)\n"
    assert compared_files(old, new, {1: 5, 2: 7}, {1: 11}) == [
        ("removed", 1, None),
        ("changed", 2, 1),
    ]


@pytest.mark.parametrize("swapped", [False, True])
def test_a_line_without_device_time_on_one_side_is_in_its_source(swapped: bool) -> None:
    times = ({2: 50, 3: 20}, {2: 50})
    before, after = reversed(times) if swapped else times
    profiles = [profile_of({PATH: one}, {PATH: NAIVE}) for one in (before, after)]
    comparison = compared(profiles[0], profiles[1])
    assert matches(comparison) == [("same", 2, 2), ("same", 3, 3)]
    (line,) = [line for line in comparison.lines if line.change.self_ns.difference]
    assert line.change.self_ns.difference == (20 if swapped else -20)
    assert line.change.self_ns.ratio == (None if swapped else 0)


def test_a_line_that_ran_without_device_time_and_was_changed() -> None:
    new = NAIVE.replace("1e-6", "1e-5")
    assert compared_files(NAIVE, new, {3: 20}, {}) == [("changed", 3, 3)]
    assert compared_files(NAIVE, new, {}, {3: 20}) == [("changed", 3, 3)]


@pytest.mark.parametrize("text", [None, NAIVE])
def test_where_a_text_is_not_known_lines_are_where_they_were(text: str | None) -> None:
    base, new = (profile_of({PATH: {2: 5, 90: 7}}, {PATH: one}) for one in (None, text))
    comparison = compared(base, new)
    assert matches(comparison) == [("same", 2, 2), ("same", 90, 90)]
    assert [note.code for note in comparison.quality] == ["source_text_unknown"]


@pytest.mark.parametrize(
    ("path", "text", "same"),
    [
        ("/elsewhere/project/model.py", FUSED, True),
        ("/elsewhere/model.py", f"{FUSED}\n\n\ndef another():\n    pass\n", True),
        ("C:\\project\\model.py", FUSED, True),
        ("/elsewhere/model.py", "def another():\n    x = 1\n    y = 2\n    return x @ y\n", False),
        ("/project/model_fused.py", FUSED, True),
        ("/project/other.py", "def another():\n    x = 1\n    y = 2\n    return x @ y\n", False),
    ],
    ids=["elsewhere", "grown", "windows", "another of its name", "copied", "another script"],
)
def test_files_at_other_paths(path: str, text: str, same: bool) -> None:
    base = profile_of({PATH: {4: 40}}, {PATH: FUSED})
    new = profile_of({path: {4: 30}}, {path: text})
    comparison = compared(base, new)
    assert matches(comparison) == (
        [("same", 4, 4)] if same else [("removed", 4, None), ("added", None, 4)]
    )
    codes = [note.code for note in comparison.quality]
    assert codes == ([] if same else ["no_common_source"])


def test_of_files_of_one_name_the_most_alike_are_compared() -> None:
    base_texts = {"/a/x/m.py": NAIVE, "/a/y/m.py": FUSED}
    new_texts = {"/b/z/m.py": FUSED, "/b/w/m.py": NAIVE}
    base, new = (
        profile_of({path: {4: 5} for path in texts}, texts) for texts in (base_texts, new_texts)
    )
    pairs = {
        (line.base.file, line.new.file)
        for line in compared(base, new).lines
        if line.base and line.new
    }
    assert pairs == {("/a/x/m.py", "/b/w/m.py"), ("/a/y/m.py", "/b/z/m.py")}


def test_steps_of_each_side_are_its_own() -> None:
    comparison = compared(
        profile_of({PATH: {2: 30}}, {PATH: NAIVE}, steps=2),
        profile_of({PATH: {2: 20}}, {PATH: NAIVE}, steps=5),
    )
    (line,) = comparison.lines
    assert line.base
    assert line.new
    assert (line.base.self_ns, line.new.self_ns) == (60, 100)
    assert line.change.self_ns.difference == -10
    assert line.change.self_ns.ratio == pytest.approx(2 / 3)
    assert line.change.launches.difference == 0


def test_totals_hold_what_a_line_calls() -> None:
    """A training run against itself with a slower optimizer: calls, backward, an odd operator."""
    base, new = training_profile(), training_profile(steps=6)
    device_ns = new.events["device_ns"]
    device_ns[new.events["name"] == new.strings.index("aten::_foreach_add_")] *= 3
    comparison = compared(base, new)
    changed = [line for line in comparison.lines if line.change.total_ns.difference]
    assert [line.change.total_ns.difference for line in changed] == [134_000]
    assert [operator.name for operator in changed[0].operators] == ["aten::_foreach_add_"]
    assert comparison.unattributed.change.self_ns.ratio == 1
    assert {line.match for line in comparison.lines} == {"same"}


def test_what_is_not_known_is_none() -> None:
    base = training_profile()
    (cost, *_) = [line.base for line in compared(base, training_profile()).lines if line.base]
    assert cost.bytes is None
    assert cost.predicted_ns is None


PRICING = Pricing(chip="trn2", lnc=2, label="trn2, LNC 2", auto_cast="none", hbm_bytes=24 << 30)


@pytest.mark.parametrize("is_base_priced", [False, True])
@pytest.mark.parametrize("is_new_priced", [False, True])
def test_nothing_is_predicted_of_lines_that_an_unpriced_side_lacks(
    is_base_priced: bool, is_new_priced: bool
) -> None:
    """A line that was added, one that was removed, and an operator of one side only."""

    def sided(times: dict[int, int], text: str, is_priced: bool) -> Side:
        measured = side(profile_of({PATH: times}, {PATH: text}))
        if not is_priced:
            return measured
        lines = [
            replace(
                line,
                predicted_ns=9,
                hbm_bytes=64,
                ops=[replace(operator, hbm_bytes=64) for operator in line.ops],
            )
            for line in measured.report.lines
        ]
        report = replace(measured.report, lines=lines, predicted_ns=9, pricing=PRICING)
        return Side(report, measured.files)

    base = sided({2: 50, 3: 20, 7: 5}, NAIVE, is_base_priced)
    new = sided({4: 40, 7: 6}, FUSED, is_new_priced)
    comparison = compare(base, new)
    check_comparison(*map(msgspec.to_builtins, (comparison, base.report, new.report)))
    (removed,) = [line for line in comparison.lines if line.base and line.base.line == 3]
    assert removed.new is None
    both = is_base_priced and is_new_priced
    assert (removed.change.predicted_ns is None) is (removed.change.bytes is None) is not both
    if both:
        assert removed.change.predicted_ns
        assert removed.change.predicted_ns.difference == -9


def test_priced_profiles_compare_their_predictions() -> None:
    def priced(predicted_ns: int) -> Side:
        measured = side(profile_of({PATH: {2: 30, 3: 5}}, {PATH: NAIVE}))
        lines = [replace(line, predicted_ns=predicted_ns) for line in measured.report.lines]
        report = replace(
            measured.report, lines=lines, predicted_ns=2 * predicted_ns, pricing=PRICING
        )
        return Side(report, measured.files)

    base, new = priced(7), priced(4)
    comparison = compare(base, new)
    check_comparison(*map(msgspec.to_builtins, (comparison, base.report, new.report)))
    assert comparison.change.predicted_ns
    assert comparison.change.predicted_ns.difference == -6
    changes = [line.change.predicted_ns for line in comparison.lines]
    assert [change and change.difference for change in changes] == [-3, -3]


@pytest.mark.parametrize(
    ("base", "new", "codes"),
    [
        ({}, {"time_kind": "predicted"}, ["time_kinds_differ"]),
        ({}, {"time_kind": "predicted", "device": "neuron"}, ["time_kinds_differ"]),
        ({}, {"device": "cuda"}, ["devices_differ"]),
        ({}, {"format": "torch_trace"}, ["formats_differ"]),
        ({"attribution": "apportioned"}, {}, ["attributions_differ"]),
        (
            {"environment": {"NEURON_LOGICAL_NC_CONFIG": "1"}},
            {"environment": {"NEURON_RT_VIRTUAL_CORE_SIZE": "2"}},
            ["lnc_differs"],
        ),
        ({}, {"environment": {"NEURON_RT_VIRTUAL_CORE_SIZE": "2"}}, []),
        ({}, {"warmup": 9, "target": "file"}, []),
    ],
)
def test_what_keeps_profiles_from_comparing(
    base: dict[str, Any], new: dict[str, Any], codes: Sequence[str]
) -> None:
    comparison = compared(training_profile(**base), training_profile(**new))
    assert [note.code for note in comparison.quality] == codes


def test_attributions_are_told_in_words() -> None:
    (note,) = compared(training_profile(attribution="mixed"), training_profile()).quality
    assert note.message.startswith("The lines' times of base are apportioned in part, those of new")


def test_a_profile_against_itself() -> None:
    one = side(training_profile())
    comparison = compare(one, one)
    assert [note.code for note in comparison.quality] == ["same_profile"]
    assert not any(line.change.self_ns.difference for line in comparison.lines)


@pytest.mark.parametrize("empty", [0, 1])
def test_a_side_without_device_time(empty: int) -> None:
    profiles = [training_profile(), training_profile()]
    profiles[empty] = profile_of({"/other.py": {2: 0}}, {"/other.py": NAIVE})
    comparison = compared(*profiles)
    assert comparison.change.device_time_ns.ratio == (None if empty == 0 else 0)
    assert {line.match for line in comparison.lines} == {"added" if empty == 0 else "removed"}


@settings(deadline=None)
@given(st.data())
def test_edited_sources(data: st.DataObject) -> None:
    """Lines that are all different: what became of each is known from how the edits were made."""
    old = [f"value_{number} = step_{number}(x)" for number in range(data.draw(st.integers(0, 25)))]
    new: list[str] = []
    expected: dict[int, int | None] = {}
    for number, text in enumerate(old, 1):
        for _ in range(data.draw(st.sampled_from([0, 0, 0, 1, 2]))):
            new.append(f"inserted_{len(new)} = other_{len(new)}(z)")
        edit = data.draw(st.sampled_from(["keep", "keep", "keep", "remove"]))
        if edit == "keep":
            new.append(text)
        expected[number] = len(new) if edit == "keep" else None
    old_times = {line: 10 * line for line in range(1, len(old) + 1)}
    new_times = {line: 7 * line for line in range(1, len(new) + 1)}
    texts = ["\n".join(lines) for lines in (old, new)]
    found = compared_files(texts[0], texts[1], old_times, new_times)
    same = {(before, after) for match, before, after in found if match == "same"}
    assert same == {(before, after) for before, after in expected.items() if after}
    for match, before, after in found:
        if match == "changed":
            assert before
            assert expected[before] is None
            assert after not in expected.values()


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_any_two_sources(data: st.DataObject) -> None:
    """Sources of all kinds, times on any lines: each line once, and the sums hold."""
    pieces = [
        "def f():",
        "def g(a):",
        "class C:",
        "    return x",
        "    y = (",
        "  1)",
        "@deco",
        "",
        "\x0c",
    ]
    texts = ["\n".join(data.draw(st.lists(st.sampled_from(pieces), max_size=12))) for _ in range(2)]
    times = [
        data.draw(st.dictionaries(st.integers(1, 15), st.integers(1, 99), max_size=8))
        for _ in range(2)
    ]
    compared_files(texts[0], texts[1], times[0], times[1])
