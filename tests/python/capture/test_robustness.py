"""What goes wrong around a recording harms neither the script nor what was recorded."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sidelight.capture import record
from sidelight.jobs import run_directory
from support.document import Document, line_of, quality_codes
from support.tool import (
    TIMEOUT_S,
    profile_command,
    profile_json,
    run,
    wait_until_ready,
)

TRAINING = """\
import sys
import torch
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def train(steps):
    for _ in range(steps):
        model(torch.ones(2, 4)).sum().backward()
        optimizer.step()
"""


def profile(script: Path, text: str, *options: str) -> Document:
    script.write_text(text)
    return profile_json(script.parent / "store", script, options=options)


def test_both_sides_of_the_run_directory_use_the_same_names() -> None:
    names = [name for name in vars(record) if name.endswith("_NAME")]
    assert len(names) == 7
    for name in names:
        assert getattr(record, name) == getattr(run_directory, name)
    assert record.REQUEST_VARIABLE == run_directory.REQUEST_VARIABLE
    startup = (run_directory.STARTUP_DIRECTORY / "sitecustomize.py").read_text()
    assert f'"{run_directory.REQUEST_VARIABLE}"' in startup
    assert f'"{record.FAILURE_NAME}"' in startup


def test_a_store_that_breaks_meanwhile_does_not_end_the_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    store = tmp_path / "store"
    script.write_text(
        TRAINING
        + "import pathlib, shutil, time\n"
        + "profiles = pathlib.Path(sys.argv[1], 'profiles')\n"
        + "shutil.rmtree(profiles)\n"
        + "profiles.touch()\n"
        + "train(6)\n"
        + "time.sleep(2)\n"
        + "print('the end', file=sys.stderr)\n"
    )
    options = ["--json", "--warmup", "1", "--steps", "3"]
    done = run(profile_command(store, script, str(store), options=options))
    assert "the end" in done.stderr
    assert done.status == 1
    assert "profiles" in json.loads(done.stdout)["error"]["message"]


def test_a_forked_child_that_profiles_itself_leaves_ours_alone(tmp_path: Path) -> None:
    document = profile(
        tmp_path / "script.py",
        "import os\n"
        "import torch\n"
        "from torch.profiler import profile\n"
        "x = torch.ones(4)\n"
        "with profile():\n"
        "    y = x + 1\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    with profile():\n"
        "        z = x * 2\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0)\n",
    )
    assert line_of(document, tmp_path / "script.py", 6) is not None
    assert line_of(document, tmp_path / "script.py", 10) is None


def test_a_fault_of_ours_is_said(tmp_path: Path) -> None:
    document = profile(
        tmp_path / "script.py",
        TRAINING
        + "steps = sys.modules['_sidelight.capture.steps'].StepBoundaries\n"
        + "steps.optimizer_stepped = None\n"
        + "train(3)\n",
    )
    fault = next(note for note in document["quality"] if note["code"] == "capture_fault")
    assert "'NoneType' object is not callable" in fault["message"]
    assert fault["count"] == 3
    assert document["script_exit"] == 0


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="from 3.12 on tools do not compete")
def test_steps_are_known_where_lines_are_not(tmp_path: Path) -> None:
    document = profile(
        tmp_path / "script.py",
        "import sys\nsys.settrace(lambda *_: None)\n" + TRAINING + "train(20)\n",
        *("--warmup", "2", "--steps", "5"),
    )
    assert (document["steps"], document["warmup"]) == (5, 2)
    assert quality_codes(document) >= {"lines_unknown"}
    assert not quality_codes(document) & {"no_warmup", "no_stacks"}


def test_a_million_lines_of_plain_python_hide_no_work(tmp_path: Path) -> None:
    document = profile(
        tmp_path / "script.py",
        "import torch\n"
        "x = torch.ones(8, 8)\n"
        "y = x @ x\n"
        "def loop():\n"
        "    total = 0\n"
        "    for i in range(700_000):\n"
        "        total += i\n"
        "loop()\n"
        "z = x + x\n",
    )
    script = tmp_path / "script.py"
    assert line_of(document, script, 3) is not None
    assert line_of(document, script, 9) is not None
    assert document["steps"] == 1
    assert document["unattributed_ns"] == 0


def test_a_failing_import_of_torch_looks_as_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "broken" / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("def load():\n    raise OSError('no driver')\nload()\n")
    (package / "version.py").write_text("__version__ = '2.13.0'\n")
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    script = tmp_path / "script.py"
    script.write_text("import torch\n")
    by_hand = run([sys.executable, script])
    profiled = run(profile_command(tmp_path / "store", script))
    assert by_hand.stderr
    assert profiled.stderr.startswith(by_hand.stderr)


def test_torch_from_the_scripts_own_path(tmp_path: Path) -> None:
    """A bare interpreter, and a script that brings torch into its path by itself."""
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    script = tmp_path / "script.py"
    packages = [path for path in sys.path if "site-packages" in path]
    script.write_text(
        f"import sys\nsys.path += {packages!r}\nimport torch\nx = torch.ones(3) + 1\n"
    )
    document = profile_json(tmp_path / "store", script, python=str(bare / "bin" / "python"))
    assert line_of(document, script, 4) is not None


def test_a_deep_recursion_ends_as_by_hand(tmp_path: Path) -> None:
    document = profile(
        tmp_path / "script.py",
        "import torch\n"
        "def deeper(n):\n"
        "    return deeper(n + 1)\n"
        "try:\n"
        "    deeper(0)\n"
        "except RecursionError:\n"
        "    x = torch.ones(2) + 1\n",
    )
    line = line_of(document, tmp_path / "script.py", 7)
    if sys.version_info >= (3, 12):
        assert line is not None
        assert line["count"] == 1
    else:
        assert "lines_unknown" in quality_codes(document)


@pytest.mark.parametrize("pause_s", [0.0, 0.3, 0.8])
def test_ctrl_c_while_the_recording_is_read_loses_nothing(tmp_path: Path, pause_s: float) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        TRAINING
        + "import time\n"
        + "train(5)\n"
        + "print('recorded', file=sys.stderr, flush=True)\n"
        + f"time.sleep({TIMEOUT_S})\n"
    )
    options = ["--json", "--warmup", "1", "--steps", "4"]
    process = subprocess.Popen(
        [str(part) for part in profile_command(tmp_path / "store", script, options=options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    seen = ""
    while "recorded" not in seen:
        seen = process.stderr.readline()
        assert process.poll() is None
    time.sleep(pause_s)
    # As a terminal does: everybody in the process group.
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=TIMEOUT_S)
    document = json.loads(stdout)
    assert (document["steps"], document["stopped_by"]) == (4, "interrupt")
    assert "sidelight" not in re.sub(r"^sidelight: .*", "", stderr, flags=re.MULTILINE)


def test_a_forked_child_that_ends_by_itself_does_end(tmp_path: Path) -> None:
    """Kineto's destructors wait, in the child, for a thread that only the parent has."""
    document = profile(
        tmp_path / "script.py",
        "import os, sys\n"
        "import torch\n"
        "x = torch.ones(3).sin()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    print('from the child', file=sys.stderr)\n"
        "    sys.exit(4)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) - 4)\n",
    )
    assert document["script_exit"] == 0


def test_what_the_scripts_signal_handlers_raise_is_the_scripts(tmp_path: Path) -> None:
    document = profile(
        tmp_path / "script.py",
        TRAINING
        + "import signal\n"
        + "class Timeout(Exception): pass\n"
        + "armed = False\n"
        + "def alarm(*_):\n"
        + "    global armed\n"
        # Once a round: while one is handled, a slow machine might come to the next.
        + "    if armed:\n"
        + "        armed = False\n"
        + "        raise Timeout\n"
        + "signal.signal(signal.SIGALRM, alarm)\n"
        + "timeouts = rounds = 0\n"
        + "signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)\n"
        # Every other round is left alone: a slow machine might end no other.
        + "while timeouts < 20 or rounds < 60:\n"
        + "    rounds += 1\n"
        + "    try:\n"
        + "        armed = rounds % 2 == 0\n"
        + "        train(1)\n"
        + "        armed = False\n"
        + "    except Timeout:\n"
        + "        timeouts += 1\n"
        + "signal.setitimer(signal.ITIMER_REAL, 0)\n",
    )
    assert document["script_exit"] == 0
    assert document["steps"] == 20
    assert "capture_fault" not in quality_codes(document)


def test_another_program_takes_the_process_over(tmp_path: Path) -> None:
    document = profile(
        tmp_path / "script.py",
        "import os, sys\n"
        "import torch\n"
        "x = torch.ones(3).sin()\n"
        "os.execl(sys.executable, sys.executable, '-c', 'pass')\n",
    )
    assert line_of(document, tmp_path / "script.py", 3) is not None


def test_names_that_are_not_unicode(tmp_path: Path) -> None:
    script = tmp_path / os.fsdecode(b"scr\xffpt.py")
    script.write_text("import torch\nx = torch.ones(3) + 1\n")
    document = profile_json(tmp_path / "store", script, os.fsdecode(b"data-\xff"))
    assert document["device_time_ns"] > 0
    assert document["unattributed_ns"] == 0


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no safe path")
def test_reading_runs_no_code_from_the_working_directory(tmp_path: Path) -> None:
    for name in ("types", "struct", "socket"):
        (tmp_path / f"{name}.py").write_text("import os\nos._exit(99)\n")
    script = tmp_path / "code" / "script.py"
    script.parent.mkdir()
    script.write_text("import torch\nx = torch.ones(3) + 1\n")
    # As the installed command, whose path does not start with the working directory.
    start = "import sys; from sidelight.cli import main; sys.exit(main())"
    command = profile_command(tmp_path / "store", script, options=["--json"])
    arguments = [str(part) for part in command[command.index("sidelight") + 1 :]]
    done = subprocess.run(
        [sys.executable, "-P", "-c", start, *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["device_time_ns"] > 0


@pytest.mark.parametrize("delay_s", [0.5, 0.75, 1.0])
def test_ctrl_c_shows_no_frame_of_ours(tmp_path: Path, delay_s: float) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, torch\n"
        "def spin():\n"
        "    n = 0\n"
        "    print('ready', file=sys.stderr, flush=True)\n"
        "    while True:\n"
        "        n += 1\n"
        "        n -= 1\n"
        "spin()\n"
    )
    process = subprocess.Popen(
        [str(part) for part in profile_command(tmp_path / "store", script, options=["--json"])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until_ready(process)
    time.sleep(delay_s)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=TIMEOUT_S)
    assert json.loads(stdout)["stopped_by"] == "interrupt"
    assert "KeyboardInterrupt" in stderr
    if sys.version_info >= (3, 12):  # before, the trace function's own entry may show
        assert "in spin" in stderr
        assert "sidelight" not in stderr


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import signal\n"
        "import torch\n"
        "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN\n"
        "x = torch.ones(3) + 1\n"
    )
    command = profile_command(tmp_path / "store", script, options=["--json"])
    done = run(["bash", "-c", 'trap "" INT; exec "$@"', "bash", *command])
    assert done.status == 0, done.stderr
