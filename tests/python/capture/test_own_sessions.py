"""A script that uses torch.profiler itself sees what it would see by hand."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from support.document import Document, line_of, quality_codes
from support.tool import profile_command, profile_json, run

SCRIPT = """\
import json
import sys
import torch
from torch.profiler import ProfilerActivity, profile, schedule

x = torch.ones(16, 16)
seen = []


def ready(prof):
    seen.append(sorted((row.key, row.count) for row in prof.key_averages()))
    prof.export_chrome_trace(f"{sys.argv[1]}-{prof.step_num}.json")
    try:
        prof.export_chrome_trace("again.json")
    except RuntimeError as error:
        seen.append(str(error))


plan = schedule(wait=1, warmup=1, active=2, repeat=2)
with profile(activities=[ProfilerActivity.CPU], schedule=plan, on_trace_ready=ready) as prof:
    for _ in range(9):
        y = x @ x
        z = y.relu()
        prof.step()

with profile(activities=[ProfilerActivity.CPU]) as second:
    w = x + x
seen.append(sorted((event.name, event.count) for event in second.events()))
second.export_chrome_trace(f"{sys.argv[1]}.json.gz")
json.dump(seen, open(f"{sys.argv[1]}-seen.json", "w"))
"""


def exported(path: Path) -> list[Any]:
    """What is in a trace apart from times and ids."""
    rows = json.loads(path.read_text())["traceEvents"]
    return sorted((str(row.get("cat")), row["name"]) for row in rows if row["ph"] == "X")


def test_tables_events_and_exports_are_those_by_hand(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert run([sys.executable, script, tmp_path / "hand"], cwd=tmp_path).status == 0
    document = profile_json(tmp_path / "store", script, str(tmp_path / "tool"))

    hand, tool = (
        json.loads((tmp_path / f"{who}-seen.json").read_text()) for who in ("hand", "tool")
    )
    assert tool == hand
    for step in (4, 8):
        assert exported(tmp_path / f"tool-{step}.json") == exported(tmp_path / f"hand-{step}.json")

    assert document["steps"] == 5, "two cycles of two active steps, and a session without any"
    matmul, add = line_of(document, script, 22), line_of(document, script, 27)
    assert matmul is not None
    assert matmul["count"] == 4
    assert add is not None
    assert add["count"] == 1
    assert "no_warmup" not in quality_codes(document)


def test_a_session_takes_the_place_of_what_was_announced_before(tmp_path: Path) -> None:
    """Nothing in the script's own text says that it will use the profiler."""
    (tmp_path / "helper.py").write_text(
        "import torch.profiler as p\n\ndef watch(work):\n    with p.profile():\n        work()\n"
    )
    script = tmp_path / "script.py"
    script.write_text(
        "import torch\nfrom helper import watch\n"
        "model = torch.nn.Linear(4, 4)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "def step():\n"
        "    model(torch.ones(2, 4)).sum().backward()\n"
        "    optimizer.step()\n"
        "for _ in range(8):\n"
        "    step()\n"
        "watch(step)\n"
    )
    document = profile_json(tmp_path / "store", script, options=["--warmup", "1", "--steps", "3"])
    assert document["steps"] == 1
    listed = run([sys.executable, "-m", "sidelight", "profiles", "--store", tmp_path / "store"])
    assert len(re.findall(r"^script ", listed.stdout, re.MULTILINE)) == 1


def test_a_session_that_is_open_at_the_end_is_kept(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, signal, time, torch\n"
        "from torch.profiler import profile\n"
        "x = torch.ones(16, 16)\n"
        "with profile():\n"
        "    y = x @ x\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    time.sleep(60)\n"
    )
    done = run(profile_command(tmp_path / "store", script, options=["--json"]), cwd=tmp_path)
    document: Document = json.loads(done.stdout)
    assert document["stopped_by"] == "terminate"
    matmul = line_of(document, script, 5)
    assert matmul is not None
    assert matmul["count"] == 1


def test_sessions_that_end_one_another_go_as_by_hand(tmp_path: Path) -> None:
    """The outer one finds itself ended, and has no recording that could be taken."""
    script = tmp_path / "script.py"
    script.write_text(
        "import torch\n"
        "from torch.profiler import profile\n"
        "x = torch.ones(16, 16)\n"
        "with torch.autograd.profiler.profile():\n"
        "    with profile():\n"
        "        y = x @ x\n"
    )
    assert run([sys.executable, script], cwd=tmp_path).status == 0
    document = profile_json(tmp_path / "store", script)
    matmul = line_of(document, script, 6)
    assert matmul is not None
    assert matmul["count"] == 1


def test_a_session_asked_for_in_the_old_way_has_the_devices_times(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import torch\n"
        'x = torch.ones(16, 16, device="neuron")\n'
        'with torch.autograd.profiler.profile(use_device="neuron") as prof:\n'
        "    y = x @ x\n"
        "assert prof.key_averages().total_average().self_device_time_total > 0\n"
    )
    document = profile_json(tmp_path / "store", script, options=["--target", "virtual"])
    matmul = line_of(document, script, 4)
    assert matmul is not None
    assert matmul["self_ns"] == document["device_time_ns"] > 0


def test_another_tool_that_traces_keeps_working(tmp_path: Path) -> None:
    """Before Python 3.12 there is one trace function a thread: the conflict is said."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "seen = set()\n"
        "def tracer(frame, event, argument):\n"
        "    seen.add(frame.f_code.co_name)\n"
        "sys.settrace(tracer)\n"
        "import torch\n"
        "def work():\n"
        "    return torch.ones(3) + 1\n"
        "work()\n"
        "assert sys.gettrace() is tracer and 'work' in seen\n"
    )
    document = profile_json(tmp_path / "store", script)
    assert document["script_exit"] == 0
    if sys.version_info >= (3, 12):
        line = line_of(document, script, 8)
        assert line is not None
        assert line["count"] == 1
    else:
        assert "lines_unknown" in quality_codes(document)
        assert document["unattributed_ns"] == document["device_time_ns"] > 0
