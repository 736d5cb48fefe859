"""Every error of the command line is one or two plain sentences, never a traceback."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.contract import ERROR, check
from cli.recorded import training_profile
from cli.running import Outcome, Run
from sidelight.profile.model import Profile
from sidelight.profile.store import Store, StoredProfile
from sidelight.profile.tables import Table


def stored(tmp_path: Path) -> StoredProfile:
    return Store(tmp_path / "store").add(training_profile())


def file(tmp_path: Path, name: str, content: bytes) -> str:
    (tmp_path / name).write_bytes(content)
    return name


def unreadable_trace(content: bytes, name: str = "trace.json") -> Callable[[Path], str]:
    return lambda tmp_path: f"open {file(tmp_path, name, content)}"


def damaged(tmp_path: Path, part: str, content: bytes) -> str:
    (stored(tmp_path).directory / part).write_bytes(content)
    return "lines train"


def damaged_manifest(tmp_path: Path) -> str:
    profile = stored(tmp_path)
    (profile.directory / "profile.json").write_bytes(b"{")
    return f"lines {profile.id}"


def newer_schema(tmp_path: Path) -> str:
    profile = stored(tmp_path)
    (profile.directory / "profile.json").write_bytes(b'{"schema": 99}')
    return f"lines {profile.id}"


def inconsistent(tmp_path: Path) -> str:
    """A fault of ours: a stored profile whose events point to strings it does not have."""
    profile: Profile = training_profile()
    names = profile.events["name"] + 1000
    profile.events = Table({**{n: profile.events[n] for n in profile.events}, "name": names})
    Store(tmp_path / "store").add(profile)
    return "lines train"


def with_profile(line: str) -> Callable[[Path], str]:
    def prepare(tmp_path: Path) -> str:
        stored(tmp_path)
        return line

    return prepare


def empty_directory(tmp_path: Path) -> str:
    (tmp_path / "folder").mkdir()
    return "open folder"


def elsewhere(tmp_path: Path) -> str:
    directory = Store(tmp_path / "other").add(training_profile()).directory
    return f"profiles --delete {directory}"


SPOILS_ITS_RECORDING = """
import torch

def save_half(results, path):
    with open(path, "w") as trace:
        trace.write('{"traceEvents": []}')

torch._C._autograd._ProfilerResult.save = save_half
torch.ones(8) + 1
"""


def unreadable_recording(tmp_path: Path) -> str:
    """A script that spoils what the profiler writes about it."""
    return f"profile --target cpu {file(tmp_path, 'spoils.py', SPOILS_ITS_RECORDING.encode())}"


def store_blocked(tmp_path: Path, line: str) -> str:
    file(tmp_path, "store", b"")
    file(tmp_path, "script.py", b"import torch\n")
    file(tmp_path, "trace.json", json.dumps({"traceEvents": [ONE_EVENT]}).encode())
    return line


NASTY_FUNCTION = "\x1b[31mred.py(3): f"
ONE_EVENT = {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1.0, "dur": 1.0}

CASES: dict[str, tuple[int, Callable[[Path], str]]] = {
    "no such profile": (3, lambda tmp_path: "lines missing"),
    "no such rank": (3, with_profile("lines train#7")),
    "a trace is no profile": (3, lambda tmp_path: f"lines {file(tmp_path, 'trace.json', b'{}')}"),
    "no such file in the profile": (3, with_profile("lines train --file nothing.py")),
    "damaged manifest": (3, damaged_manifest),
    "damaged table": (3, lambda tmp_path: damaged(tmp_path, "events.npz", b"garbage")),
    "damaged strings": (3, lambda tmp_path: damaged(tmp_path, "strings.json", b"[1, 2]")),
    "newer schema": (3, newer_schema),
    "a fault of ours": (3, inconsistent),
    "no base to compare with": (3, with_profile("compare missing train")),
    "nothing to compare with base": (3, with_profile("compare train missing")),
    "a damaged profile to compare": (
        3,
        lambda tmp_path: damaged(tmp_path, "events.npz", b"garbage").replace(
            "lines train", "compare train train"
        ),
    ),
    "nothing to delete": (3, lambda tmp_path: "profiles --delete missing"),
    "not ours to delete": (3, elsewhere),
    "no such trace": (3, lambda tmp_path: "open missing.json"),
    "a name too long": (3, lambda tmp_path: f"open {'long' * 100}"),
    "an empty trace": (3, unreadable_trace(b"")),
    "no JSON": (3, unreadable_trace(b"\x00\x01 binary")),
    "cut off": (3, unreadable_trace(b'{"traceEvents": [{"ph": "X", "na')),
    "no event": (3, unreadable_trace(b'{"traceEvents": []}')),
    "another JSON": (3, unreadable_trace(b'{"answer": 42}')),
    "broken gzip": (3, unreadable_trace(gzip.compress(b"{}")[:-6], "trace.json.gz")),
    "an empty directory": (3, empty_directory),
    "no such script": (1, lambda tmp_path: "profile missing.py"),
    "no such module": (1, lambda tmp_path: "profile --target cpu -m no_such_module"),
    "no such interpreter": (
        1,
        lambda tmp_path: f"profile --python no/python {file(tmp_path, 'a.py', b'')}",
    ),
    "not an interpreter": (
        1,
        lambda tmp_path: f"profile --python /bin/false {file(tmp_path, 'a.py', b'')}",
    ),
    "no torch in the script": (
        1,
        lambda tmp_path: f"profile --target cpu {file(tmp_path, 'a.py', b'')}",
    ),
    "profiling into a file": (1, lambda tmp_path: store_blocked(tmp_path, "profile script.py")),
    "opening into a file": (3, lambda tmp_path: store_blocked(tmp_path, "open trace.json")),
    "a damaged recording": (1, unreadable_recording),
    "a list of a file": (3, lambda tmp_path: store_blocked(tmp_path, "profiles")),
}


def invoke(run: Run, tmp_path: Path, line: str, *options: str) -> Outcome:
    verb, *rest = line.split()
    return run(verb, "--store", tmp_path / "store", *options, *rest)


def sentences(message: str) -> int:
    """How many sentences a message has; what stands in backquotes is none."""
    return len(re.findall(r"[.!?](?=\s|$)", re.sub(r"`[^`]*`", "command", message)))


@pytest.fixture(autouse=True)
def _working_directory(  # pyright: ignore[reportUnusedFunction]
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no such names of open files here")
def test_a_pipe_that_the_shell_made_is_no_file(tmp_path: Path) -> None:
    """``sidelight open <(zcat trace.json.gz)``: the pipe is there for the first process alone."""
    reading, writing = os.pipe()
    os.write(writing, b'{"traceEvents": []}')
    os.close(writing)
    command = [sys.executable, "-m", "sidelight", "open", f"/dev/fd/{reading}"]
    done = subprocess.run(
        command, pass_fds=[reading], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    os.close(reading)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"/dev/fd/{reading} is no file, but a pipe" in done.stderr
    assert "Write what comes from it to a file" in done.stderr


@pytest.mark.parametrize("case", CASES)
def test_an_error_is_a_plain_sentence(run: Run, tmp_path: Path, case: str) -> None:
    status, prepare = CASES[case]
    line = prepare(tmp_path)
    for options in ((), ("--json",)):
        done = invoke(run, tmp_path, line, *options)
        assert done.status == status
        if options:
            document = json.loads(done.stdout)
            check(document, ERROR)
            message = document["error"]["message"]
        else:
            assert done.stdout == ""
            (message,) = [
                line.removeprefix("sidelight: ")
                for line in done.stderr.splitlines()
                if line.startswith("sidelight: ")
            ]
        assert "Traceback" not in done.stderr
        assert 1 <= sentences(message) <= 2, message
        assert message[-1] in ".!?"
        assert "\n" not in message
        assert "Errno" not in message


def test_what_a_trace_says_is_shown_and_not_obeyed(run: Run, tmp_path: Path) -> None:
    """Names in a trace may hold a terminal's commands; errors quote names."""
    trace = {"traceEvents": [{**ONE_EVENT, "cat": "python_function", "name": NASTY_FUNCTION}]}
    file(tmp_path, "trace.json", json.dumps(trace).encode())
    assert invoke(run, tmp_path, "open trace.json").status == 0
    done = invoke(run, tmp_path, "lines trace --file nope")
    assert done.status == 3
    assert "\\x1b[31mred.py" in done.stderr
    assert "\x1b" not in done.stderr


def test_debug_shows_where(run: Run, tmp_path: Path) -> None:
    done = invoke(run, tmp_path, inconsistent(tmp_path), "--debug")
    assert done.status == 3
    assert "Traceback" in done.stderr
    assert "IndexError" in done.stderr


def test_a_fault_of_ours_says_how_to_see_more(run: Run, tmp_path: Path) -> None:
    assert "--debug" in invoke(run, tmp_path, inconsistent(tmp_path)).stderr


def test_a_damaged_profile_does_not_hide_the_others(run: Run, tmp_path: Path) -> None:
    damaged_manifest(tmp_path)
    Store(tmp_path / "store").add(training_profile("good"))
    done = run("profiles", "--store", tmp_path / "store")
    assert done.status == 0
    assert "good" in done.stdout
    assert "damaged" in done.stderr
