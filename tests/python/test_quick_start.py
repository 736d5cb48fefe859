"""What the command line and the server load before they have anything to do: little."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "pandas", "rich", "pyarrow", "sidelight.hardware.operators")


def test_verbs_and_the_server_start_without_what_is_heavy() -> None:
    program = (
        "import sys, sidelight.cli.main, sidelight.server.serving; print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    modules = done.stdout.decode().split()
    assert "sidelight.server.serving" in modules
    assert [name for name in modules if name.startswith(HEAVY)] == []
