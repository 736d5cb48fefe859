"""From a trace to per-line numbers, against a bare typed decode of the same file in the same run.

    python bench/ingest_bench.py [trace.json] [--megabytes 500] [--minified] [--device]

Without a file, one is generated. Ours is read, attributed and summed up by line. Each runs alone in
a process of its own, which reports its processor time (imports left out; one thread, so on an idle
machine it is the wall's) and its peak memory. The two take turns, so that both meet the same load
of the machine; figures are medians of all turns, and so are the ratios of each. Prints one JSON
line.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from generate_trace import generate

BARE = """
import msgspec
class Arguments(msgspec.Struct, gc=False, rename={
        "external_id": "External id", "sequence_nr": "Sequence number", "thread": "Fwd thread id"}):
    external_id: int = -1
    correlation: int = -1
    sequence_nr: int = -1
    thread: int = 0
class Event(msgspec.Struct, gc=False):
    ph: str
    name: str = ""
    cat: str = ""
    ts: float = 0.0
    dur: float = 0.0
    pid: int | str = 0
    tid: int | str = 0
    args: Arguments | None = None
class Trace(msgspec.Struct, gc=False):
    traceEvents: list[Event]
def run(path):
    return len(msgspec.json.decode(path.read_bytes(), type=Trace).traceEvents)
"""
OURS = """
import time
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.jobs.freed_memory import keep_freed_memory
keep_freed_memory()  # as the process does that reads for an editor or the command line
def run(path):
    profile = ingest.read(path)
    stages["read_seconds"] = time.process_time()
    line_report(attribute(profile), "")
    return len(profile.events)
"""
MEASURE = """
import json, resource, sys, time
from pathlib import Path
path = Path(sys.argv[1])
stages = {}
began = time.process_time()
events = run(path)
seconds = time.process_time() - began
stages = {name: ended - began for name, ended in stages.items()}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
peak_bytes = peak if sys.platform == "darwin" else peak * 1024
print(json.dumps({"seconds": seconds, "peak_bytes": peak_bytes, "events": events, **stages}))
"""


def measure(program: str, path: Path) -> dict[str, Any]:
    """Run a reading in a process of its own."""
    command = [sys.executable, "-c", program + MEASURE, str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def compare(path: Path, repeats: int) -> dict[str, Any]:
    """Read ``path`` both ways, ``repeats`` times."""
    pairs = [(measure(BARE, path), measure(OURS, path)) for _ in range(repeats)]
    bare_s = median(bare["seconds"] for bare, _ in pairs)
    read_s = median(ours["read_seconds"] for _, ours in pairs)
    lines_s = median(ours["seconds"] for _, ours in pairs)
    return {
        "megabytes": round(path.stat().st_size / 1e6, 1),
        "events": pairs[0][0]["events"],
        "rows": pairs[0][1]["events"],
        "bare_decode_seconds": round(bare_s, 3),
        "bare_decode_peak_megabytes": round(max(bare["peak_bytes"] for bare, _ in pairs) / 1e6),
        "read_seconds": round(read_s, 3),
        "to_lines_seconds": round(lines_s, 3),
        "to_lines_peak_megabytes": round(max(ours["peak_bytes"] for _, ours in pairs) / 1e6),
        "read_ratio": round(median(o["read_seconds"] / b["seconds"] for b, o in pairs), 2),
        "to_lines_ratio": round(median(o["seconds"] / b["seconds"] for b, o in pairs), 2),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--megabytes", type=float, default=500)
    parser.add_argument("--minified", action="store_true")
    parser.add_argument("--device", action="store_true")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        path = arguments.path
        if path is None:
            path = Path(directory) / "trace.json"
            generate(
                path,
                arguments.megabytes,
                minified=arguments.minified,
                device=arguments.device,
            )
        print(json.dumps(compare(path, arguments.repeats)))


if __name__ == "__main__":
    main()
