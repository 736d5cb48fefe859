"""Operators as torch's profiler records them on the CPU, decoded as the predictor gets them."""

# pyright: reportUnknownMemberType=false
from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from torch.profiler import ProfilerActivity, profile

from sidelight.analysis.operator_calls import OperatorCalls
from sidelight.hardware.calls import OperatorCall

_SIGNATURE = ("Input Dims", "Input type", "Concrete Inputs")


def recorded_calls(function: Callable[[], object]) -> list[OperatorCall]:
    """What a function calls, in order of the calls' start, as one profile would decode it."""
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as recorded:
        function()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        recorded.export_chrome_trace(str(path))
        events: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["traceEvents"]
    operators = [event for event in events if event.get("cat") == "cpu_op"]
    operators.sort(key=lambda event: (event["ts"], -event["dur"]))
    signatures = [
        json.dumps({key: event["args"][key] for key in _SIGNATURE if key in event["args"]})
        for event in operators
    ]
    calls = OperatorCalls(Counter(signatures))
    return [
        calls.call(event["name"], signature)
        for event, signature in zip(operators, signatures, strict=True)
    ]


def recorded_call(name: str, function: Callable[[], object]) -> OperatorCall:
    """The only call of an operator that a function makes, in place or not, or the outermost."""
    found = [call for call in recorded_calls(function) if call.name.rstrip("_") == name.rstrip("_")]
    assert found, f"{name} was not called"
    return found[0]
