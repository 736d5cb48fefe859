"""The command line in a real terminal, and where there is none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from cli.recorded import training_profile
from cli.running import Run
from sidelight.profile.store import Store
from support.tool import TIMEOUT_S

COMMAND = [sys.executable, "-m", "sidelight"]


def in_terminal(arguments: list[str], columns: int = 72, **environment: str) -> str:
    """What a terminal of this width is sent."""
    child: pexpect.spawn[str] = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *arguments],
        dimensions=(40, columns),
        encoding="utf-8",
        env={**os.environ, "TERM": "xterm-256color", **environment},  # type: ignore[arg-type]
        timeout=TIMEOUT_S,
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    return child.before or ""


@pytest.fixture(autouse=True)
def _no_width(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    for variable in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)


def test_a_terminal_gets_colour_at_its_width(store: Path) -> None:
    text = in_terminal(["lines", "train", "--store", str(store)])
    assert "\x1b[" in text
    assert "self  share  count" in text, "72 columns have no room for more"


def test_progress_shows_a_name_and_does_not_obey_it(tmp_path: Path) -> None:
    trace = tmp_path / "\x1b[31mred.json"
    event = {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1.0, "dur": 1.0}
    trace.write_text(json.dumps({"traceEvents": [event]}))
    text = in_terminal(["open", str(trace), "--store", str(tmp_path / "store")])
    assert "reading \\x1b[31mred.json" in text
    assert "\x1b[31m" not in text


def test_no_color_is_respected(store: Path) -> None:
    assert "\x1b[3" not in in_terminal(["lines", "train", "--store", str(store)], NO_COLOR="1")


def test_a_pipe_gets_neither_colour_nor_escapes(store: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "lines", "train", "--store", str(store)], capture_output=True, check=True
    )
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_will_do(store: Path, encoding: str) -> None:
    Store(store).add(training_profile("名前", time_kind="predicted"))
    for arguments in (
        ["profiles"],
        ["lines", "train"],
        ["lines", "名前"],
        ["lines", "名前", "--json"],
    ):
        done = subprocess.run(
            [*COMMAND, *arguments, "--store", str(store)],
            env={**os.environ, "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=True,
        )
        text = done.stdout.decode(encoding)
        assert "model.py" in text or "train" in text
        if encoding == "ascii" and "--json" not in arguments:
            assert "us" in text or "ms" in text


@pytest.mark.parametrize("arguments", [["lines", "train"], ["lines", "train", "--json"]])
def test_a_reader_that_leaves_early_is_no_error(store: Path, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, *arguments, "--store", str(store)], stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 0


def test_the_list_of_profiles(run: Run, store: Path) -> None:
    Store(store).add(training_profile("ranked", rank=1, world_size=2))
    done = run("profiles", "--store", store)
    heading, first, second, sums = done.stdout.splitlines()
    assert heading.split() == ["name", "created", "time", "a", "step", "id", "device", "size"]
    assert first.startswith("ranked#1 ")
    assert second.startswith("train ")
    assert "2.23 ms" in second
    assert sums.startswith("2 profiles, ")


def test_deleting_says_what_went(run: Run, store: Path) -> None:
    identifier = Store(store).resolve("train").id
    done = run("profiles", "--store", store, "--delete", "train")
    assert done.stderr == f"sidelight: deleted {identifier}\n"
    assert "No profiles in" in done.stdout


def test_start_up_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom sidelight.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'pandas', 'rich', 'torch', 'multiprocessing'}\n"
        "sys.exit(repr(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
