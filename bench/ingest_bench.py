"""Reading a trace, against a bare typed decode of the same file in the same run.

    python bench/ingest_bench.py [trace.json] [--megabytes 200] [--minified] [--device]

Without a file, one is generated. Each reading runs alone in a process of its own, which reports its
processor time (imports left out; one thread, so on an idle machine it is the wall's) and its peak
memory; the best of a few runs counts. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
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
from sidelight import ingest
def run(path):
    return len(ingest.read(path).events)
"""
MEASURE = """
import json, resource, sys, time
from pathlib import Path
path = Path(sys.argv[1])
began = time.process_time()
events = run(path)
seconds = time.process_time() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
peak_bytes = peak if sys.platform == "darwin" else peak * 1024
print(json.dumps({"seconds": seconds, "peak_bytes": peak_bytes, "events": events}))
"""


def measure(program: str, path: Path) -> dict[str, Any]:
    """Run a reading in a process of its own."""
    command = [sys.executable, "-c", program + MEASURE, str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def compare(path: Path, repeats: int) -> dict[str, Any]:
    """Read ``path`` both ways, in turns, so that both meet the same load of the machine."""
    pairs = [(measure(BARE, path), measure(OURS, path)) for _ in range(repeats)]
    bare = min((bare for bare, _ in pairs), key=lambda run: run["seconds"])
    ours = min((ours for _, ours in pairs), key=lambda run: run["seconds"])
    return {
        "megabytes": round(path.stat().st_size / 1e6, 1),
        "bare_decode_seconds": round(bare["seconds"], 3),
        "bare_decode_peak_megabytes": round(bare["peak_bytes"] / 1e6),
        "read_seconds": round(ours["seconds"], 3),
        "read_peak_megabytes": round(ours["peak_bytes"] / 1e6),
        "rows": ours["events"],
        "ratio": round(ours["seconds"] / bare["seconds"], 2),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--megabytes", type=float, default=200)
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
