"""Sessions that do not ask for shapes are priced, and do not see those."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sidelight.capture.hidden_shapes import hide_in_trace
from support.document import line_of, quality_codes
from support.tool import profile_json, run

SCRIPT = """\
import json
import sys
import torch
from torch.profiler import profile, schedule

asks = sys.argv[2] == "asks"
x = torch.ones(16, 16)
seen = []
attributes = ("input_shapes", "concrete_inputs", "structured_input_shapes", "input_dtypes")


def ready(prof):
    for event in prof.events():
        seen.append([event.name, *(str(getattr(event, each, None)) for each in attributes)])
    for event in prof.key_averages(group_by_input_shape=True):
        seen.append([event.key, event.count, str(event.input_shapes)])
    seen.append("Input Shapes" in prof.key_averages(group_by_input_shape=True).table())
    prof.export_chrome_trace(f"{sys.argv[1]}-{prof.step_num}.json")


plan = schedule(wait=1, warmup=1, active=2)
with profile(schedule=plan, on_trace_ready=ready, record_shapes=asks) as prof:
    for _ in range(4):
        y = x @ x
        z = torch.cat([y.view(4, 64), torch.ones(2, 64)])
        prof.step()
seen += [prof.record_shapes, prof.profiler.record_shapes]
json.dump(seen, open(f"{sys.argv[1]}-seen.json", "w"))
"""

INPUTS = ("Concrete Inputs", "Input type", "Input Strides", "Input Dims")


def exported(path: Path) -> tuple[list[Any], list[str]]:
    """Names and inputs of a trace's rows, and what is above them."""
    trace = json.loads(path.read_text())
    inputs = [
        (row["name"], [pair for pair in row.get("args", {}).items() if pair[0] in INPUTS])
        for row in trace["traceEvents"]
        if row["ph"] == "X"
    ]
    return sorted(inputs), sorted(trace)


@pytest.mark.parametrize("asks", ["asks", "asks not"])
def test_a_session_sees_the_shapes_it_asked_for_and_is_priced(asks: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert run([sys.executable, script, tmp_path / "hand", asks], cwd=tmp_path).status == 0
    document = profile_json(
        tmp_path / "store", script, str(tmp_path / "tool"), asks, options=["--target", "virtual"]
    )
    hand, tool = (
        json.loads((tmp_path / f"{who}-seen.json").read_text()) for who in ("hand", "tool")
    )
    assert tool == hand
    assert exported(tmp_path / "tool-4.json") == exported(tmp_path / "hand-4.json")
    number = SCRIPT.split("y = x @ x")[0].count("\n") + 1
    for line in (line_of(document, script, number), line_of(document, script, number + 1)):
        assert line is not None
        assert line["self_ns"] > 0
    assert "not_priced" not in quality_codes(document)


def test_inputs_of_every_form_are_taken_out(tmp_path: Path) -> None:
    values = ["", "[1, 2]", 'a "quoted" ]', "\\\\", "False"]
    inputs: dict[str, Any] = {
        "Concrete Inputs": values,
        "Input type": ["float", "TensorList", "Scalar"],
        "Input Strides": [[[3, 1], []], [], [1]],
        "Input Dims": [[[3, 1], []], [], [1, 2]],
    }
    others = {"External id": 7, "name": 'an "Input Dims": [1], of a name', "Ev Idx": 3}
    path = tmp_path / "trace.json"
    rows: list[Any] = [{"args": {"External id": 7, **inputs, "Ev Idx": 3}}, {"args": others}]
    path.write_text('{\n  "record_shapes": 1,\n  "rows": ' + json.dumps(rows) + "}")
    hide_in_trace(path)
    expected = {"rows": [{"args": {"External id": 7, "Ev Idx": 3}}, {"args": others}]}
    assert json.loads(path.read_text()) == expected
