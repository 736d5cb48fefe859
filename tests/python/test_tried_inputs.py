"""What is tried at random is the same in every run, whatever was loaded before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given, strategies as st

TRY = """
import conftest
{before}
import test_tried_inputs
test_tried_inputs.note()
print(test_tried_inputs.noted)
"""
noted: list[tuple[int, float, str]] = []


@given(st.integers(), st.floats(), st.text())
def note(number: int, part: float, text: str) -> None:
    """Note what is tried; no test by itself."""
    noted.append((number, part, text))


def tried(before: str) -> str:
    """What a process tries that has run some code before."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), "PYTHONUTF8": "1"}
    environment.pop("SIDELIGHT_FUZZ_FACTOR", None)
    command = [sys.executable, "-c", TRY.format(before=before)]
    run = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return run.stdout


def test_what_is_tried_depends_on_no_module_that_was_loaded() -> None:
    plain = tried("")
    assert plain.count("(") >= 100
    assert tried("import sidelight.hardware.chips, sidelight.ingest, sidelight.server") == plain
