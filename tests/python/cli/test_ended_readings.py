"""Readings that are killed or interrupted end in a sentence, and leave the others alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from support.tool import TIMEOUT_S
from support.waiting import until
from traces import chrome

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")


def write_trace(path: Path) -> None:
    chrome.write(path, [chrome.operator("aten::add", 1, 2)])


def in_readers(folder: Path, code: str) -> dict[str, str]:
    """The environment in which each process that reads runs some code before anything else."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import os, signal, sys, time\n"
        "if any('spawn_main' in word for word in sys.orig_argv):\n"
        f"{textwrap.indent(textwrap.dedent(code), '    ')}"
    )
    path = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


KILLED_AT_B = """
    def kill(event, arguments):
        if event == "open" and str(arguments[0]).endswith("b.json"):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(kill)
"""


def test_one_reading_that_is_killed_leaves_the_others(tmp_path: Path) -> None:
    for name in ("a.json", "b.json", "c.json"):
        write_trace(tmp_path / name)
    done = subprocess.run(
        [sys.executable, "-m", "sidelight", "open", "a.json", "b.json", "c.json", "--json"],
        cwd=tmp_path,
        env=in_readers(tmp_path / "before", KILLED_AT_B),
        stdout=subprocess.PIPE,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 3
    document = json.loads(done.stdout)
    assert [profile["name"] for profile in document["profiles"]] == ["a", "c"]
    assert [(e["path"], e["code"]) for e in document["errors"]] == [("b.json", "worker_killed")]


INTERRUPTED_WHILE_LOADING = """
import signal, sys

def interrupt(event, arguments):
    if event == "import" and arguments[0] == "sidelight.cli.lines":
        signal.raise_signal(signal.SIGINT)

sys.addaudithook(interrupt)
from sidelight.cli import main
print("loaded")
"""


def test_interrupting_before_it_has_begun() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WHILE_LOADING], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "sidelight: Interrupted.\n"


def test_interrupting_a_reading(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json")
    begun = tmp_path / "begun"
    # The reading process has begun, and has yet to load what it reads with.
    code = f"open({str(begun)!r}, 'x').close(); time.sleep({TIMEOUT_S})\n"
    with subprocess.Popen(
        [sys.executable, "-m", "sidelight", "open", "trace.json", "--json"],
        cwd=tmp_path,
        env=in_readers(tmp_path / "before", code),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        until(begun.exists)
        os.killpg(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 1
    assert json.loads(stdout)["error"]["code"] == "interrupted"
    assert stderr == ""
