"""Steps in scripts as the public writes them, worked out by hand from what a step is.

Programs label lines with ``#: LABEL``. Each case says how often the labelled lines must have been
entered within the recorded steps; a line that never ran there must not be listed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.document import Document, broken_invariants, line_of, quality_codes
from support.tool import PROGRAMS, interpreters, profile_command, profile_json, run

STEPS = PROGRAMS / "steps"


@dataclass(frozen=True)
class Case:
    """A run of a program and what must be recorded of it.

    Attributes:
        program: Name of the script.
        arguments: Its arguments.
        warmup: Steps asked to be left out.
        steps: Steps asked to be recorded.
        recorded: Steps that must be recorded.
        dropped: Steps that must be left out as warm-up.
        counts: Label to entries; every label of the program, or None where threads race.
    """

    program: str
    arguments: str
    warmup: int
    steps: int
    recorded: int
    dropped: int
    counts: dict[str, int] | None

    def __str__(self) -> str:
        return f"{self.program} {self.arguments} warmup={self.warmup} steps={self.steps}"


def each(count: int, labels: str) -> dict[str, int]:
    return dict.fromkeys(labels.split(), count)


SGD = "data forward loss backward step"
CRITIC = "data fake critic_loss critic_backward critic_step"
GENERATOR = "generator_loss generator_backward generator_step"
PRETRAIN = "pretrain_data pretrain_loss pretrain_backward pretrain_step"
FINETUNE = "finetune_features finetune_loss finetune_backward finetune_step"
DECODE = "embedding projection attention unembedding choose emit"

CASES = [
    # The evaluation after the last boundary belongs to no step.
    Case("sgd", "8", 0, 3, 3, 0, {**each(3, SGD), "after": 0}),
    Case("sgd", "8", 2, 4, 4, 2, {**each(4, SGD), "after": 0}),
    Case("sgd", "8", 2, 6, 6, 2, {**each(6, SGD), "after": 0}),
    Case("sgd", "8", 5, 6, 6, 2, {**each(6, SGD), "after": 0}),
    Case("sgd", "8", 3, 20, 8, 0, {**each(8, SGD), "after": 0}),
    # Four micro-batches a step; the closing one is never stepped on.
    Case("accumulation", "5", 1, 2, 2, 1, each(8, "forward loss backward") | each(2, "clip step")),
    Case("accumulation", "5", 3, 9, 5, 0, each(20, "forward loss backward") | each(5, "clip step")),
    # The generator steps least often. Clipping runs for four parameters.
    Case("gan", "5", 1, 2, 2, 1, each(10, CRITIC) | {"clip": 40} | each(2, GENERATOR)),
    Case("gan", "5", 3, 9, 5, 0, each(25, CRITIC) | {"clip": 100} | each(5, GENERATOR)),
    # A tie: the one built first. The other's last step comes after the last boundary.
    Case(
        "two_optimizers",
        "6",
        1,
        3,
        3,
        1,
        each(3, "data lookup head loss backward sparse_step dense_step"),
    ),
    Case(
        "two_optimizers",
        "6",
        2,
        9,
        6,
        0,
        each(6, "data lookup head loss backward sparse_step") | {"dense_step": 5},
    ),
    # One optimizer after the other: both give boundaries.
    Case(
        "pretrain_finetune", "6 6", 1, 2, 2, 1, each(2, PRETRAIN) | each(0, FINETUNE) | {"head": 0}
    ),
    Case(
        "pretrain_finetune", "6 6", 3, 8, 8, 3, each(3, PRETRAIN) | each(5, FINETUNE) | {"head": 1}
    ),
    Case(
        "pretrain_finetune",
        "6 6",
        3,
        20,
        12,
        0,
        each(6, PRETRAIN) | each(6, FINETUNE) | {"head": 1},
    ),
    # Three evaluations of the closure a step.
    Case("lbfgs", "5", 1, 3, 3, 1, each(9, "loss backward") | {"step": 3}),
    # Iteration 2 is skipped by the scaler and counts. update() follows each boundary.
    Case(
        "grad_scaler", "6", 1, 3, 3, 1, each(3, "data loss backward step update") | {"overflow": 1}
    ),
    Case(
        "grad_scaler",
        "6",
        3,
        9,
        6,
        0,
        each(6, "data loss backward step") | {"update": 5, "overflow": 1},
    ),
    # No optimizer: the module's calls. The last step ends with the run.
    Case("inference", "6", 1, 3, 3, 1, each(3, "layers head loss accuracy item")),
    Case("inference", "6", 3, 9, 6, 0, each(6, "layers head loss accuracy item")),
    Case("generation", "6", 1, 3, 3, 1, each(3, DECODE) | each(3, "grow grow_value")),
    Case("generation", "6", 2, 9, 6, 0, each(6, DECODE) | each(5, "grow grow_value")),
    Case("manual_update", "6", 1, 3, 3, 1, each(3, "forward backward") | {"update": 6}),
    Case("resumed_evaluation", "6", 1, 3, 3, 1, each(3, "forward best")),
    # No module: the whole run. One call: what precedes it belongs to no step.
    Case("no_module", "5", 3, 9, 1, 0, {"matrix": 1, "vector": 1, "multiply": 5, "normalise": 5}),
    Case("single_call", "", 3, 9, 1, 0, {"build": 0, "forward": 1, "after": 1}),
    # Validation (six calls first, three after every second step) is held by the step it precedes.
    Case(
        "trainer",
        "8",
        1,
        2,
        2,
        1,
        {"validate": 3, **each(2, "loss backward step callback"), "update": 4},
    ),
    Case(
        "trainer",
        "8",
        3,
        20,
        8,
        0,
        {"validate": 15, **each(8, "loss backward step"), "callback": 7, "update": 16},
    ),
    # Optimizers on different threads each give boundaries, in whatever order they come.
    Case("thread_optimizers", "3 4", 0, 7, 7, 0, each(7, "loss backward step")),
    Case("thread_optimizers", "3 4", 2, 3, 3, 2, None),
    # The inner optimizer was built first: what the outer one does after it opens the next step.
    Case("wrapped_optimizer", "6", 1, 2, 2, 1, each(2, "loss backward step inner_step lerp")),
    Case(
        "wrapped_optimizer", "6", 3, 9, 6, 0, each(6, "loss backward step inner_step") | {"lerp": 4}
    ),
]


def labelled_counts(document: Document, program: Path) -> dict[str, int]:
    """Label to entries of its line; 0 where the document does not list the line."""
    counts: dict[str, int] = {}
    for number, text in enumerate(program.read_text(encoding="utf-8").splitlines(), 1):
        label = re.search(r"#: (\w+)$", text)
        if label:
            line = line_of(document, program, number)
            counts[label[1]] = line["count"] if line else 0
    return counts


@pytest.mark.parametrize("python", interpreters())
@pytest.mark.parametrize("case", CASES, ids=str)
def test_steps(case: Case, python: str, tmp_path: Path) -> None:
    program = STEPS / f"{case.program}.py"
    options = ["--warmup", str(case.warmup), "--steps", str(case.steps)]
    document = profile_json(
        tmp_path, program, *case.arguments.split(), options=options, python=python
    )
    assert (document["steps"], document["warmup"]) == (case.recorded, case.dropped)
    if case.counts is not None:
        assert labelled_counts(document, program) == case.counts
    assert ("no_warmup" in quality_codes(document)) == (case.dropped < case.warmup)
    assert broken_invariants(document) == []


@pytest.mark.parametrize("python", interpreters())
@pytest.mark.parametrize(
    ("mode", "recorded", "counts"),
    [
        # Three steps in each of two cycles; five steps without a recording after them.
        ("schedule", 6, {**each(6, "loss backward step"), "product": 0}),
        # Two sessions, and five products after them that nobody records.
        ("twice", 2, {**each(0, "loss backward step"), "product": 20}),
    ],
)
def test_a_script_that_profiles_itself(
    mode: str, recorded: int, counts: dict[str, int], python: str, tmp_path: Path
) -> None:
    program = STEPS / "own_profiler.py"
    by_hand, profiled = tmp_path / "by-hand", tmp_path / "profiled"
    by_hand.mkdir()
    profiled.mkdir()
    alone = run([python, program, mode, by_hand])
    document = profile_json(tmp_path / "store", program, mode, str(profiled), python=python)
    assert document["steps"] == recorded
    assert labelled_counts(document, program) == counts
    assert broken_invariants(document) == []

    exported = sorted(path.name for path in by_hand.iterdir())
    assert sorted(path.name for path in profiled.iterdir()) == exported
    assert len(exported) == 2

    shown = run(profile_command(tmp_path / "again", program, mode, profiled, python=python))
    assert alone.stdout.splitlines()[:2] == shown.stdout.splitlines()[:2]
