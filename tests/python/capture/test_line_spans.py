"""The line spans of every CPython on this machine, against answers written beside the lines."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import sidelight
from support.interpreters import installed_interpreters
from support.tool import TIMEOUT_S

PROGRAMS = Path(__file__).parent / "span_programs"
CAPTURE = Path(sidelight.__file__).parent / "capture"
ANSWER = re.compile(r"#= ops (\d+) count (\d+)")


def right_answers() -> dict[int, tuple[int, int]]:
    lines = (PROGRAMS / "subjects.py").read_text().splitlines()
    found = ((number, ANSWER.search(line)) for number, line in enumerate(lines, 1))
    return {number: (int(match[1]), int(match[2])) for number, match in found if match}


@pytest.mark.parametrize("python", installed_interpreters(), ids=str)
def test_every_subject_has_the_right_answer(python: str) -> None:
    done = subprocess.run(
        [python, str(PROGRAMS / "harness.py"), str(CAPTURE)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert answers["faults"] == []
    expected = right_answers()
    got = {
        line: (answers["ops"].get(str(line), 0), answers["counts"].get(str(line), 0))
        for line in expected
    }
    assert got == expected
    elsewhere = {int(line) for line in answers["ops"]} - set(expected)
    assert not elsewhere, f"operators on lines without an answer: {sorted(elsewhere)}"
