"""``torch.compile`` on the virtual device: values, lines, prices, and what is told of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from sidelight.profile.model import Profile
from sidelight.profile.stored_profile import StoredProfile
from sidelight.profile.tables import Category
from support.document import Document, Line, Note, broken_invariants
from support.tool import PROGRAMS, profile_command, run

COMPILING = PROGRAMS / "compiling"
BLOCKS = COMPILING / "blocks.py"
RMSNORM = PROGRAMS.parents[2] / "examples" / "rmsnorm.py"

CALLS = 3
"""How often ``blocks.py`` calls the block."""


class Run:
    """A run under ``--target virtual`` that ended well."""

    def __init__(self, store: Path, program: Path, *arguments: str, warmup: int = 0) -> None:
        options = ["--target", "virtual", "--warmup", str(warmup), "--json"]
        done = run(profile_command(store, program, *arguments, options=options), cwd=store.parent)
        assert done.status == 0, done.stderr[-4000:]
        assert "capture_fault" not in done.stdout
        self.document: Document = json.loads(done.stdout)
        self.told = done.stderr
        self._statements = program.read_text().splitlines()
        self._program = program

    def line(self, statement: str) -> Line:
        """The line with this text, of which there is one."""
        (number,) = [
            index
            for index, text in enumerate(self._statements, start=1)
            if text.strip() == statement
        ]
        (line,) = [
            each
            for each in self.document["lines"]
            if each["line"] == number and Path(each["file"]) == self._program
        ]
        return line

    def notes(self, code: str) -> list[Note]:
        return [note for note in self.document["quality"] if note["code"] == code]

    @property
    def profile(self) -> Profile:
        return StoredProfile(Path(self.document["profile"])).load()


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(tmp_path_factory.mktemp("blocks") / "store", BLOCKS)


def told_number(told: str, what: str) -> float:
    (line,) = [each for each in told.splitlines() if each.startswith(what)]
    assert "neuron:0" in line
    return float(line.split()[-1])


def test_what_is_compiled_computes_what_it_says(blocks: Run) -> None:
    x = torch.arange(8 * 32, dtype=torch.float32).view(8, 32) / 256
    weight = torch.full((32, 16), 0.5, requires_grad=True)
    result = torch.sin((x @ weight) ** 2 + 1)
    (slope,) = torch.autograd.grad(result.sum(), weight)
    assert told_number(blocks.told, "result") == pytest.approx(result.sum().item(), rel=1e-4)
    gradient = CALLS * slope.sum().item()
    assert told_number(blocks.told, "gradient") == pytest.approx(gradient, rel=1e-4)


OPERATORS_OF_LINES = {
    # Forward, and by the rules of derivatives backward.
    "hidden = torch.mm(": {"aten::mm": 2},
    "squared = value * value": {"aten::mul": 2, "aten::add": 1},
    "return squared + 1": {"aten::add": 1},
    "return torch.sin(more)": {"aten::sin": 1, "aten::cos": 1, "aten::mul": 1},
}


@pytest.mark.parametrize("statement", OPERATORS_OF_LINES)
def test_each_operator_of_a_graph_is_on_its_own_line(blocks: Run, statement: str) -> None:
    line = blocks.line(statement)
    counts = {each["name"]: each["count"] for each in line["ops"]}
    expected = {name: CALLS * count for name, count in OPERATORS_OF_LINES[statement].items()}
    assert counts == expected
    assert line["forward_ns"] > 0
    has_backward = statement != "return squared + 1"
    assert (line["backward_ns"] > 0) == has_backward
    assert line["count"] == CALLS


def test_the_lines_of_a_graph_are_apportioned(blocks: Run) -> None:
    lines: list[dict[str, object]] = json.loads(json.dumps(blocks.document["lines"]))
    labels = {each["line"]: each["attribution"] for each in lines}
    assert labels[blocks.line("hidden = torch.mm(")["line"]] == "apportioned"
    assert labels[blocks.line("result.sum().backward()")["line"]] == "exact"
    assert blocks.document["attribution"] == "mixed"


def test_the_numbers_add_up(blocks: Run) -> None:
    assert broken_invariants(blocks.document) == []
    assert blocks.document["unattributed_ns"] == 0


def test_totals_hold_what_the_whole_chain_called(blocks: Run) -> None:
    own = {text: blocks.line(text)["self_ns"] for text in OPERATORS_OF_LINES}
    squares = blocks.line("more = squared_and_more(hidden)")
    assert squares["self_ns"] == 0
    assert squares["total_ns"] == own["squared = value * value"] + own["return squared + 1"]
    calling = blocks.line("result = compiled(x)")
    assert calling["total_ns"] == calling["self_ns"] + sum(own.values())
    # Neither the first line of a compiled function nor the one before a graph break calls the rest.
    shown = {each["line"] for each in blocks.document["lines"]}
    texts = [text.strip() for text in BLOCKS.read_text().splitlines()]
    assert texts.index('print("a graph ends here")') + 1 not in shown
    assert not any(texts[number - 1].startswith("def ") for number in shown)


def test_each_graph_is_one_launch_each_time(blocks: Run) -> None:
    profile = blocks.profile
    graphs = np.array([name.startswith("sidelight::graph::") for name in profile.strings])
    events = profile.events
    executions = graphs[events["name"]] & (events["category"] == Category.OPERATOR)
    assert int(executions.sum()) == 4 * CALLS  # two graphs, forward and backward
    within: dict[int, int] = {}
    for row in np.flatnonzero(events["category"] == Category.DEVICE).tolist():
        outer = int(events["operator"][row])
        while outer >= 0 and not executions[outer]:
            outer = int(events["parent"][outer])
        if outer >= 0:
            within[outer] = within.get(outer, 0) + int(events["launch_ns"][row] > 0)
    assert len(within) == 4 * CALLS
    assert set(within.values()) == {1}


def test_compiling_is_the_hosts_time(blocks: Run) -> None:
    """The compiler calls every operator, with tensors that are none."""
    profile = blocks.profile
    events = profile.events
    compiling = events["name"] == profile.strings.index("sidelight::compiling")
    assert compiling.sum() >= 2
    counts = {each["name"]: each["count"] for each in blocks.line("result = compiled(x)")["ops"]}
    assert "aten::mm" not in counts
    assert "aten::sin" not in counts


def test_the_graphs_of_a_function_are_no_modules_of_the_script(tmp_path: Path) -> None:
    ran = Run(tmp_path / "store", COMPILING / "functions.py")
    assert ran.notes("lost_steps") == []
    sine = ran.line("return torch.sin(x)")
    assert sine["ops"][0]["count"] == sine["count"] == 5  # as often as the program calls it


@pytest.fixture(scope="module")
def asks(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return Run(tmp_path_factory.mktemp("asks") / "store", COMPILING / "asks.py").told.splitlines()


@pytest.mark.parametrize(
    "sentence",
    [
        "by name: neuron:0 True",
        "by default: neuron:0 True",
        "by dynamo: neuron:0 True",
        "decorated: neuron:0 True",
        "module.compile: True",
        "from the host: neuron:0 True",
        "gradients: cpu neuron:0 True",
        "by default from the host: cpu",
        "mode: neuron:0 True",
        "in place: 8.0 [2.0, 2.0, 2.0, 2.0]",
        "explained: 1",
        "backends: True",
        "fullgraph: Unsupported",
    ],
)
def test_scripts_ask_for_it_in_their_ways(asks: list[str], sentence: str) -> None:
    assert sentence in asks


def test_what_is_ignored_is_said_once(asks: list[str]) -> None:
    (sentence,) = [line for line in asks if line.startswith("ignored:")]
    assert sentence.count("mode means nothing") == 1


def test_sizes_cannot_be_left_open(asks: list[str]) -> None:
    (sentence,) = [line for line in asks if line.startswith("dynamic:")]
    assert "fixed sizes" in sentence


TRAINING = COMPILING / "training.py"


def losses(told: str) -> list[float]:
    return [float(line.split()[1]) for line in told.splitlines() if line.startswith("loss ")]


@pytest.fixture(scope="module")
def eager_losses() -> list[float]:
    done = run([sys.executable, TRAINING, "cpu", "eager"])
    assert done.status == 0, done.stderr
    return losses(done.stdout)


@pytest.mark.parametrize("way", ["model", "blocks"])
def test_training_goes_as_on_the_cpu(tmp_path: Path, eager_losses: list[float], way: str) -> None:
    trained = Run(tmp_path / "store", TRAINING, "neuron", way, warmup=1)
    assert losses(trained.told) == pytest.approx(eager_losses, rel=1e-4)
    assert len(eager_losses) == 4
    assert broken_invariants(trained.document) == []
    attention = trained.line(
        "mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)"
    )
    steps = trained.document["steps"]
    assert attention["count"] == 2 * steps  # two blocks
    assert attention["forward_ns"] > 0
    assert attention["backward_ns"] > 0
    # It is one operator, as it is eager; only its backward pass is another.
    assert len(attention["ops"]) == 2


@pytest.fixture(scope="module")
def trouble(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(tmp_path_factory.mktemp("trouble") / "store", COMPILING / "trouble.py")


@pytest.mark.parametrize(
    ("code", "statement", "count"),
    [
        ("graph_break", 'print("breaks")', 1),
        ("recompilation", "def of_many_sizes(x):", 2),
        ("compile_fallback", "def of_many_sizes(x):", 1),
    ],
)
def test_trouble_is_told_with_its_line(trouble: Run, code: str, statement: str, count: int) -> None:
    texts = (COMPILING / "trouble.py").read_text().splitlines()
    number = [text.strip() for text in texts].index(statement) + 1
    (note,) = trouble.notes(code)
    assert f"trouble.py:{number}: " in note["message"]
    assert note["count"] == count


@pytest.mark.parametrize(
    ("what", "statement", "count"),
    [
        ("graph break: ", 'print("breaks")', 1),
        ("compiled again: ", "def of_many_sizes(x):", 2),
        ("runs eagerly: ", "def of_many_sizes(x):", 1),
    ],
)
def test_trouble_is_on_the_timeline_at_its_line(
    trouble: Run, what: str, statement: str, count: int
) -> None:
    profile = trouble.profile
    events = profile.events
    named = np.array([name.startswith(what) for name in profile.strings])
    rows = np.flatnonzero(named[events["name"]])
    assert len(rows) == count
    texts = (COMPILING / "trouble.py").read_text().splitlines()
    for row in rows.tolist():
        frame = profile.stacks["frame"][events["stack"][row]]
        assert texts[profile.frames["line"][frame] - 1].strip() == statement
        assert events["device_ns"][row] == 0


FUNCTIONS = {
    "naive": (
        "squares = x * x",
        "mean_square = squares.mean(dim=-1, keepdim=True)",
        "inverse_rms = torch.rsqrt(mean_square + EPSILON)",
        "normalized = x * inverse_rms",
        "return normalized * weight",
    ),
    "fused": ("return functional.rms_norm(x, weight.shape, weight, EPSILON)",),
    "compiled": ("return x * torch.rsqrt((x * x).mean(dim=-1, keepdim=True) + EPSILON) * weight",),
}


@pytest.mark.parametrize("size", [(256, 512), (1024, 1024), (2048, 4096)])
def test_compiled_comes_close_to_fused_and_written_out_costs_several_times(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    tokens, width = map(str, size)
    arguments = ["--variant", "all", "--steps", "2", "--tokens", tokens, "--width", width]
    ran = Run(tmp_path / "store", RMSNORM, *arguments, warmup=1)
    cost_ns = {
        variant: sum(ran.line(text)["self_ns"] for text in texts)
        for variant, texts in FUNCTIONS.items()
    }
    assert cost_ns["naive"] > 3 * cost_ns["fused"]
    assert cost_ns["fused"] < cost_ns["compiled"] < 2 * cost_ns["fused"]
