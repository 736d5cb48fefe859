"""Flame graphs against folds of the events that share nothing with them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from oracle import Oracle
from profiles import Event, Steps, make_profile, recordings
from test_oracle import BOUNDED

from cli.recorded import MODEL_PATH, TRAIN_PATH, training_profile
from sidelight.analysis.attribution import attribute
from sidelight.analysis.flame.folds import FlameGraphs, flame_graphs
from sidelight.analysis.flame.graph import MOST_LEVELS, FlameNode, Label, flame_graph
from sidelight.analysis.flame.matches import flame_matches
from sidelight.analysis.lines import line_report
from sidelight.analysis.modules.tree import Modules
from sidelight.ingest import read
from sidelight.profile.model import Profile
from support.fake_runs import fake_run

TRACES = Path(__file__).parents[4] / "shared" / "traces" / "torch"
WITH_MODULES = TRACES / "tracelens__h100_gaunernst_bert-small-uncased__1016001.json.gz"

Path_ = tuple[str, ...]


def folded(profile: Profile) -> FlameGraphs:
    return flame_graphs(profile, Modules(profile))


def paths_of(node: FlameNode, above: Path_ = ()) -> Iterator[tuple[Path_, FlameNode]]:
    """Every node below one, by the names on the way to it."""
    for child in node.children:
        path = (*above, child.name)
        yield path, child
        yield from paths_of(child, path)


def check_sums(node: FlameNode) -> None:
    assert node.total_ns == node.self_ns + sum(child.total_ns for child in node.children)
    for child in node.children:
        check_sums(child)


@settings(BOUNDED, max_examples=100)
@given(recordings())
def test_by_line_it_is_the_fold_of_the_chains_of_all_rows(
    recording: tuple[list[Event], Steps],
) -> None:
    profile = make_profile(*recording)
    oracle = Oracle(profile)
    own: Counter[Path_] = Counter()
    total: Counter[Path_] = Counter()
    for row in oracle.rows:
        device_ns = len(oracle.device_instants(row) or ())
        if not device_ns or oracle.step(row) < 0:
            continue
        chain = oracle.chain(oracle.cause(row))
        path = tuple(f"{Path(file).name}:{line}" for file, line in reversed(chain))
        path = path or ("on no line",)
        own[path] += device_ns
        for depth in range(len(path)):
            total[path[: depth + 1]] += device_ns
    graph = folded(attribute(profile)).by_line
    shown = dict(paths_of(graph))
    assert {path: node.total_ns for path, node in shown.items()} == total
    assert {path: node.self_ns for path, node in shown.items() if node.self_ns} == own
    assert graph.total_ns == line_report(profile, "").device_time_ns
    check_sums(graph)


@settings(BOUNDED, max_examples=100)
@given(
    st.lists(st.tuples(st.integers(-1, 30), st.integers(0, 5)), max_size=30),
    st.integers(1, 12),
)
def test_the_smallest_stand_together_with_their_sum(
    drawn: list[tuple[int, int]], most_nodes: int
) -> None:
    parents = [parent if parent < node else -1 for node, (parent, _) in enumerate(drawn)]
    self_ns = [own_ns for _, own_ns in drawn]
    labels = [Label(str(node)) for node in range(len(drawn))]
    whole = flame_graph(parents, labels, self_ns, most_nodes=1000)
    bounded = flame_graph(parents, labels, self_ns, most_nodes=most_nodes)
    everything, shown = dict(paths_of(whole)), dict(paths_of(bounded))
    assert bounded.total_ns == whole.total_ns == sum(self_ns)
    check_sums(bounded)
    named = {path: node for path, node in shown.items() if "other" not in path[-1]}
    assert len(named) == min(most_nodes, len(everything))
    for path, node in named.items():
        assert (node.self_ns, node.total_ns) == (
            everything[path].self_ns,
            everything[path].total_ns,
        )
    # Nothing that was left out took longer than anything that is there.
    left_out = [node.total_ns for path, node in everything.items() if path not in named]
    assert max(left_out, default=0) <= min((n.total_ns for n in named.values()), default=1 << 60)
    for path, node in shown.items():
        siblings = {p for p in everything if len(p) == len(path) and p[:-1] == path[:-1]}
        if path not in named:
            merged = siblings - named.keys()
            assert node.name == f"{len(merged)} {'other' if len(merged) == 1 else 'others'}"
            assert node.others == len(merged)
            assert node.total_ns == sum(everything[p].total_ns for p in merged)


def test_a_program_that_calls_itself_endlessly_is_cut_off_with_its_time() -> None:
    depth = MOST_LEVELS + 500
    chain = flame_graph(range(-1, depth - 1), [Label("f")] * depth, [1] * depth, most_nodes=5000)
    nodes = list(paths_of(chain))
    assert len(nodes) == MOST_LEVELS + 1
    path, last = max(nodes, key=lambda node: len(node[0]))
    assert (path[-1], last.total_ns) == ("1 other", 500)
    check_sums(chain)


@settings(BOUNDED, max_examples=100)
@given(
    st.lists(st.tuples(st.integers(-1, 30), st.integers(0, 5)), max_size=30),
    st.integers(1, 12),
    st.sampled_from(["b", "A", "ab", "other"]),
)
def test_found_frames_stand_for_the_time_of_the_outermost_of_them(
    drawn: list[tuple[int, int]], most_nodes: int, text: str
) -> None:
    parents = [parent if parent < node else -1 for node, (parent, _) in enumerate(drawn)]
    labels = [Label(("a", "aB", "c", "cAb")[node % 4]) for node in range(len(drawn))]
    own_ns = [own for _, own in drawn]
    graph = flame_graph(parents, labels, own_ns, most_nodes=most_nodes)
    found, matched_ns = list[int](), 0
    for number, (path, node) in enumerate(paths_of(graph), start=1):
        chain = ["" if " other" in name else name for name in path]
        is_found = text.lower() in chain[-1].lower()
        if is_found:
            found.append(number)
        if any(text.lower() in name.lower() for name in chain):
            matched_ns += node.self_ns
    matches = flame_matches(graph, text)
    assert (matches.frames, matches.matched_ns) == (found, matched_ns)


def test_frames_are_found_by_their_functions_and_paths_too() -> None:
    labels = [Label("m.py:3", "/w/Model/m.py", 3, "Block.forward"), Label("t.py:1", "/w/t.py", 1)]
    graph = flame_graph([-1, -1], labels, [3, 5])
    assert flame_matches(graph, "block").frames == [2]
    assert flame_matches(graph, "model/").matched_ns == 3
    assert flame_matches(graph, "W/").frames == [1, 2]
    assert flame_matches(graph, "").frames == []
    assert flame_matches(graph, "device time").frames == [], "the root is everything"


NESTED = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 16)

    def forward(self, x):
        return self.linear(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(3)])

    def forward(self, x):
        def run(layer):
            return layer(x)

        return sum([run(layer) for layer in self.layers])


net = Net().to("neuron")
net(torch.zeros(4, 16, device="neuron"))
"""


def test_functions_within_a_forward_are_no_modules(tmp_path: Path) -> None:
    script = tmp_path / "nested.py"
    script.write_text(NESTED)
    graph = folded(fake_run(tmp_path, script, cwd=tmp_path).profile).by_module
    paths = {path for path, _ in paths_of(graph)}
    assert paths == {("Net",), ("Net", "Layer")}


def test_by_module_it_is_of_classes_where_lines_were_recorded() -> None:
    profile = training_profile(steps=1)
    functions = {
        (TRAIN_PATH, 7): "<module>",
        (MODEL_PATH, 25): "Block.forward",
        (MODEL_PATH, 26): "Block.forward.<locals>.<lambda>",
        (MODEL_PATH, 27): "make.<locals>.Block.forward",
        (MODEL_PATH, 12): "RMSNorm.forward",
        (MODEL_PATH, 13): "RMSNorm.forward",
        (MODEL_PATH, 14): "RMSNorm.forward",
    }
    files: list[int] = profile.frames["file"].tolist()
    lines: list[int] = profile.frames["line"].tolist()
    places = [(profile.files[file].path, line) for file, line in zip(files, lines, strict=True)]
    names = [*profile.strings, *dict.fromkeys(functions.values())]
    function = [names.index(functions.get(place, "<module>")) for place in places]
    profile.strings = names
    profile.frames = profile.frames.with_columns({"function": profile.frames["function"] * 0})
    profile.frames["function"][:] = function
    graph = folded(profile).by_module
    shown = {path: (node.self_ns, node.line) for path, node in paths_of(graph)}
    # Forward and backward of the lines' own operators, as the program has them.
    assert shown == {
        ("in no module",): (4_100 + 3_300 + 1_200 + 67_000 + 15_000, None),
        ("Block",): (
            310_000 + 602_000 + 88_000 + 121_000 + 290_000 + 540_000 + 9_800,
            24,
        ),
        ("Block", "RMSNorm"): (31_000 + 52_000 + 12_000 + 23_500 + 22_700 + 40_400, 11),
    }
    check_sums(graph)


@pytest.mark.skipif(not WITH_MODULES.exists(), reason="needs the shared traces")
def test_by_module_it_is_of_torchs_own_rows_where_there_are_any() -> None:
    with gzip.open(WITH_MODULES, "rt") as file:
        rows: list[dict[str, Any]] = json.load(file)["traceEvents"]
    calls = {
        row["args"]["correlation"]: row
        for row in rows
        if row.get("cat") in ("cuda_runtime", "cuda_driver")
    }
    modules = [row for row in rows if str(row.get("name", "")).startswith("nn.Module: ")]
    own: Counter[Path_] = Counter()
    for row in rows:
        if row.get("cat") not in ("kernel", "gpu_memcpy", "gpu_memset"):
            continue
        call = calls[row["args"]["correlation"]]
        around = [
            module
            for module in modules
            if module["tid"] == call["tid"]
            and module["ts"] <= call["ts"] < module["ts"] + module["dur"]
        ]
        around.sort(key=lambda module: module["ts"])
        path = tuple(module["name"].removeprefix("nn.Module: ") for module in around)
        own[path or ("in no module",)] += round(row["dur"] * 1000)
    profile = attribute(read(WITH_MODULES))
    graph = folded(profile).by_module
    assert {path: node.self_ns for path, node in paths_of(graph) if node.self_ns} == own
    assert len(own) > 50
    assert graph.total_ns == line_report(profile, "").device_time_ns
    check_sums(graph)
