"""Operators on many tensors at once are priced by all of them, whatever the profiler writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from sidelight.analysis.operator_calls import OperatorCalls
from sidelight.capture.compiling.operators import operators_of
from sidelight.hardware.tensors import Tensor
from sidelight.profile.stored_profile import StoredProfile
from support.document import Document, line_of, quality_codes
from support.tool import PROGRAMS, profile_command, run

PROGRAM = PROGRAMS / "fake" / "many_tensors.py"
TRAINING = Path(__file__).parents[3] / "examples" / "transformer_train.py"

STAND_INS = ("virtual", "fake")


def recorded(store: Path, target: str, program: Path, *arguments: str) -> Document:
    options = ["--target", target, "--warmup", "0", "--json"]
    done = run(profile_command(store, program, *arguments, options=options), cwd=store.parent)
    assert done.status == 0, done.stderr[-4000:]
    document: Document = json.loads(done.stdout)
    return document


def bytes_moved(document: Document, operator: str) -> list[int]:
    """What an operator's kernels read and write, in order of their start."""
    profile = StoredProfile(Path(document["profile"])).load()
    events = profile.events
    rows = np.flatnonzero(
        (events["name"] == profile.strings.index(operator)) & (events["price"] >= 0)
    )
    rows = rows[np.argsort(events["start_ns"][rows], kind="stable")]
    moved: list[int] = profile.prices["hbm_bytes"][events["price"][rows]].tolist()
    return moved


@pytest.mark.parametrize("target", STAND_INS)
@pytest.mark.parametrize("layers", [30, 31, 40])
def test_what_lists_move_is_counted_by_hand(layers: int, target: str, tmp_path: Path) -> None:
    document = recorded(tmp_path / "store", target, PROGRAM, str(layers))
    assert "not_priced" not in quality_codes(document)
    half, whole = 8 * 16 * 2, 100 * 4
    scalars = layers * 4
    assert bytes_moved(document, "aten::stack") == [2 * layers * half, 2 * scalars]
    # What is joined becomes fp32, as one of the tensors is.
    joined = (layers + 1) * 2 * half
    assert bytes_moved(document, "aten::cat") == [layers * half + 2 * half + joined]
    assert bytes_moved(document, "aten::_foreach_mul_") == [2 * layers * whole]
    assert bytes_moved(document, "aten::_foreach_add_") == [3 * layers * whole]
    assert bytes_moved(document, "aten::_foreach_norm") == [layers * whole + scalars]
    # Parameters, their gradients and two means are read, and all but the gradients written.
    assert bytes_moved(document, "aten::_fused_adamw_") == [(4 + 3) * layers * whole]


@pytest.mark.parametrize("target", STAND_INS)
def test_an_optimizers_step_costs_more_with_more_layers(target: str, tmp_path: Path) -> None:
    number = TRAINING.read_text().split("optimizer.step()")[0].count("\n") + 1

    def step_ns(layers: int) -> int:
        sizes = ["--dim", "64", "--steps", "1", "--layers", str(layers)]
        document = recorded(tmp_path / str(layers), target, TRAINING, *sizes)
        assert "not_priced" not in quality_codes(document)
        line = line_of(document, TRAINING, number)
        assert line is not None
        return line["self_ns"]

    few, more, most = map(step_ns, (2, 4, 6))
    assert few < more < most
    # Each layer adds the same.
    assert most - more == pytest.approx(more - few, rel=0.05)


def test_lists_in_a_compiled_graph_have_their_own_types() -> None:
    def joined(source: torch.Tensor) -> torch.Tensor:
        return torch.cat([source.bfloat16(), source.bfloat16()])

    graph = make_fx(joined)(torch.ones(3, 5)).graph
    (cat,) = [each for each in operators_of(graph) if each.name == "aten::cat"]
    understood = OperatorCalls({}).call(cat.name, json.dumps(cat.signature))
    assert understood.arguments[0] == (Tensor((3, 5), "bfloat16"),) * 2
    assert understood.arguments[0] == cat.call.arguments[0]
