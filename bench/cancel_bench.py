"""How long it takes to cancel the reading of a large trace, over the wire as an editor does it.

    python bench/cancel_bench.py [--megabytes 500] [--repeats 3]

A server is asked to open the trace and, at several moments of its reading, attribution and storing,
to leave it. Measured is the time from that message until the process that reads is gone; then it is
checked that nothing was stored. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import psutil
from generate_trace import generate
from server_bench import Server

_MOMENTS = (0.02, 0.2, 0.4, 0.6, 0.8, 0.95)
"""When to cancel, as parts of the time that the whole takes."""
_POLL_S = 0.001


def _workers(server: Server) -> list[psutil.Process]:
    """The processes that read for a server."""
    return [
        child
        for child in psutil.Process(server.process.pid).children()
        if any("spawn_main" in argument for argument in child.cmdline())
    ]


def cancel_s(server: Server, trace: Path, after_s: float) -> float:
    """Begin to open a trace, cancel that, and return how long the worker went on after it."""
    request = server.begin("sidelight/openTrace", {"path": str(trace)})
    while not (workers := _workers(server)):
        time.sleep(_POLL_S)
    time.sleep(after_s)
    if not any(worker.is_running() for worker in workers):
        raise SystemExit("the trace was read before it could be cancelled")
    begin_s = time.perf_counter()
    server.tell("$/cancelRequest", {"id": request})
    while any(worker.is_running() for worker in workers):
        time.sleep(_POLL_S)
    took_s = time.perf_counter() - begin_s
    if "error" not in server.answer(request):
        raise SystemExit("what was cancelled was answered all the same")
    return took_s


def measure(folder: Path, trace: Path, repeats: int) -> dict[str, object]:
    """The figures."""
    server = Server()
    folders = [{"uri": folder.as_uri(), "name": "bench"}]
    server.ask("initialize", {"capabilities": {}, "workspaceFolders": folders})
    server.tell("initialized", {})
    begin_s = time.perf_counter()
    opened = server.ask("sidelight/openTrace", {"path": str(trace)})
    whole_s = time.perf_counter() - begin_s
    moments: dict[str, Sequence[float]] = {
        f"at_{moment}": [cancel_s(server, trace, whole_s * moment) for _ in range(repeats)]
        for moment in _MOMENTS
    }
    profiles = list((folder / ".sidelight" / "profiles").iterdir())
    if len(profiles) != 1:
        raise SystemExit(f"there are {len(profiles)} profiles, and one was opened: {opened}")
    server.end()
    every_s = [took_s for times_s in moments.values() for took_s in times_s]
    return {
        "open_s": round(whole_s, 2),
        "cancel_median_s": {name: round(median(times), 3) for name, times in moments.items()},
        "cancel_longest_s": round(max(every_s), 3),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--megabytes", type=float, default=500)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        trace = Path(directory) / "trace.json"
        generate(trace, arguments.megabytes, minified=False, device=False)
        folder = Path(directory) / "workspace"
        folder.mkdir()
        print(json.dumps(measure(folder, trace, arguments.repeats)))


if __name__ == "__main__":
    main()
