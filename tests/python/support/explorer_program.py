"""A program that stands where Neuron Explorer would, and does as the pages on it say.

It copies tables that a test has written, notes how it was called, and fails or waits on demand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ingest.explorer.system_sample import EPOCH_NS, INSTANCE, SystemRows
from support.explorer_tables import write_tables
from traces import chrome

_PROGRAM = """\
#!{python}
import json, os, shutil, sys, time
from pathlib import Path
beside = Path(__file__).parent
arguments = sys.argv[1:]
(beside / "arguments.json").write_text(json.dumps(arguments))
assert arguments[:2] == ["view", "--ingest-only"], arguments
options = dict(zip(arguments[2::2], arguments[3::2]))
print("INFO processing", options.get("-d") or options["-s"], flush=True)
says = (beside / "says").read_text() if (beside / "says").exists() else ""
if says == "sleep":
    (beside / "sleeping").write_text(str(os.getpid()))
    time.sleep(600)
if says:
    print(says, file=sys.stderr)
    sys.exit(1)
target = os.path.join(options["--data-path"], "profiles", "global", options["--display-name"])
shutil.copytree(beside / "tables", target + "@latest")
"""


def write_explorer(folder: Path) -> Path:
    """Write the program into a folder that is to be on the path.

    Its tables are of process 42: an execution of 50 µs that the trace's operator has launched.

    Returns:
        The file in which it notes its arguments, as JSON. Beside it are ``says``, if a test writes
        that: what it says as it fails, or ``sleep``; and then ``sleeping``: its process.
    """
    folder.mkdir(parents=True)
    program = folder / "neuron-explorer"
    program.write_text(_PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    rows = SystemRows(42)
    rows.wait(90_000, 190_000, "7", "1")
    rows.execution(100_000, 140_000, "1", 0)
    rows.execution(100_000, 150_000, "1", 1)
    write_tables(folder / "tables", {"SystemProfileEvents": rows.rows})
    return folder / "arguments.json"


def write_session(folder: Path, source: str = "train.py") -> Path:
    """Write a session of process 42: a trace, and what of the runtime only the tool reads.

    Args:
        folder: What is to hold it.
        source: The file whose third line launches the execution.

    Returns:
        The folder.
    """
    session = folder / f"{INSTANCE}_pid_42" / "1766072157"
    session.mkdir(parents=True)
    (session / "ntrace.pb").write_bytes(b"?")
    events = [
        chrome.row("python_function", f"{source}(3): step", 0, 60, pid=42),
        chrome.operator("aten::mm", 10, 20, pid=42, **{"External id": 5}),
        chrome.row("privateuse1_driver", "aten::mm", 95, 90, pid=0, tid=0, nrt_sequence_id="7"),
    ]
    chrome.write(session / "trace.json", events, base_ns=EPOCH_NS)
    return folder
