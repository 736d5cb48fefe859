"""Run programs under plain torch.profiler and print how often each operator ran in each.

Usage: ``python plain_counts.py PROGRAM...``. Prints one JSON object: program to operator to count.
Programs run one after the other in this process, as ``__main__``; their own output is dropped.
"""

from __future__ import annotations

import contextlib
import io
import json
import runpy
import sys
from pathlib import Path
from typing import Any

from torch._C._profiler import _ExperimentalConfig  # pyright: ignore[reportPrivateUsage]
from torch.profiler import ProfilerActivity, profile


def operator_counts(program: str) -> dict[str, int]:
    """Run one program on its own and count the operators of all its threads."""
    sys.path.insert(0, str(Path(program).parent))
    all_threads = _ExperimentalConfig(profile_all_threads=True)
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            profile(activities=[ProfilerActivity.CPU], experimental_config=all_threads) as profiler,
        ):
            runpy.run_path(program, run_name="__main__")
    finally:
        del sys.path[0]
    rows: list[Any] = list(profiler.key_averages())
    return {row.key: row.count for row in rows}


if __name__ == "__main__":
    print(json.dumps({program: operator_counts(program) for program in sys.argv[1:]}))
