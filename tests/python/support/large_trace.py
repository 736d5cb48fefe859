"""A trace that takes many seconds to read, written in a moment."""

from __future__ import annotations

from pathlib import Path

_EVENT = '{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":1,"dur":1},'
_EVENTS = 1_000_000


def write_large_trace(path: Path) -> Path:
    """Write it; returns its path."""
    path.write_text(f'{{"traceEvents":[{(_EVENT * _EVENTS)[:-1]}]}}')
    return path
