"""Collectives of the virtual device, between two processes."""

from __future__ import annotations

import sys
from pathlib import Path

from support.tool import PROGRAMS, run


def test_two_ranks_compute_together(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    options = ["--nproc-per-node", "2", str(PROGRAMS / "ranks.py"), str(tmp_path)]
    environment = {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = run([*command, *options], environment=environment)
    assert done.status == 0, done.stderr[-4000:]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rank-0", "rank-1"]
    assert "Overriding a previously registered kernel" not in done.stderr
