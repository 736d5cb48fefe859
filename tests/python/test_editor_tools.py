"""The scripts of tools/editor: what the tests' editor is made with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from support.waiting import PATIENCE_S, until

TOOLS = Path(__file__).parents[2] / "tools" / "editor"

INSTALL = """
import pathlib, sys, time
import cache

def install(directory):
    (directory / "first").touch()
    pathlib.Path(sys.argv[1]).write_text("begun")
    time.sleep(float(sys.argv[2]))
    (directory / "last").touch()

print(cache.installed("tool-1.0", install))
"""


def start(cache_home: Path, begun: Path, seconds: float) -> subprocess.Popen[str]:
    """A process that installs a tool and takes its time over it."""
    return subprocess.Popen(
        [sys.executable, "-c", INSTALL, str(begun), str(seconds)],
        env={**os.environ, "XDG_CACHE_HOME": str(cache_home), "PYTHONPATH": str(TOOLS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_of_two_at_once_one_installs_and_both_have_it(tmp_path: Path) -> None:
    marks = [tmp_path / "begun-1", tmp_path / "begun-2"]
    both = [start(tmp_path, mark, 0.5) for mark in marks]
    answers = [process.communicate(timeout=PATIENCE_S)[0].strip() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert answers == [str(tmp_path / "sidelight" / "tool-1.0")] * 2
    assert [mark.exists() for mark in marks].count(True) == 1
    assert sorted(path.name for path in Path(answers[0]).iterdir()) == ["first", "last"]


def test_an_installation_that_was_killed_counts_as_none(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    killed = start(tmp_path, begun, 2 * PATIENCE_S)
    until(begun.exists)
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=PATIENCE_S)
    assert not (tmp_path / "sidelight" / "tool-1.0").exists()

    answer, _ = start(tmp_path, begun, 0).communicate(timeout=PATIENCE_S)
    assert sorted(path.name for path in Path(answer.strip()).iterdir()) == ["first", "last"]


def run_without_programs(script: str, tmp_path: Path, **environment: str) -> str:
    """What a script says on standard error where nothing is on the path; it must fail."""
    ended = subprocess.run(
        [sys.executable, TOOLS / script, "true"],
        env={"PATH": str(tmp_path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    return ended.stderr


def test_what_is_missing_is_said_in_one_sentence(tmp_path: Path) -> None:
    assert run_without_programs("node.py", tmp_path) == (
        "There is no 'npm': install Node.js with npm, such as by 'apt install npm'.\n"
    )
    assert run_without_programs("browser.py", tmp_path, SIDELIGHT_BROWSER="no-such-browser") == (
        "There is no Chromium and no Chrome on PATH: install one, such as 'chromium'.\n"
    )
