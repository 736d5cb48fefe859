"""Shapes that a script's own session records because prices stand on them, and nobody asked for.

What the script sees of the session is as it would be without them.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_NOT_RECORDED: dict[str, Any] = {
    "input_shapes": [],
    "concrete_inputs": [],
    "kwinputs": {},
    "structured_input_shapes": [],
    "structured_input_strides": [],
    "input_dtypes": [],
}
"""What torch's description of a row holds where no shapes were recorded."""

_LIST = rb'\[(?:"(?:[^"\\]|\\.)*"|\[(?:\[[^\]]*\]|[^\[\]])*\]|[^\[\]"])*\]'
"""A JSON list of texts, or of numbers in lists in it."""

_INPUTS = re.compile(rb'"(?:Concrete Inputs|Input (?:type|Strides|Dims))": ' + _LIST + rb",\s*")
"""What Kineto writes of a row's inputs; something always follows."""

_HEADER = re.compile(rb'\n\s*"record_shapes": 1,')
"""What it writes above the rows."""


@contextmanager
def shapes_recorded(profiler: Any) -> Generator[None]:
    """Within it a session starts with shapes, of which it does not know afterwards.

    Args:
        profiler: A ``torch.autograd.profiler.profile``.
    """
    asked = profiler.record_shapes
    profiler.record_shapes = True
    try:
        yield
    finally:
        profiler.record_shapes = asked


def hide_in_events(events: Iterable[Any]) -> None:
    """Take the inputs out of torch's descriptions of rows."""
    for event in events:
        for name, nothing in _NOT_RECORDED.items():
            if getattr(event, name, None):
                setattr(event, name, type(nothing)())


def hide_in_trace(path: Path) -> None:
    """Take the inputs out of a Chrome trace that Kineto wrote.

    Raises:
        OSError: It cannot be read or written.
    """
    content = path.read_bytes()
    path.write_bytes(_INPUTS.sub(b"", _HEADER.sub(b"", content, count=1)))
