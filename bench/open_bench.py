"""Opening a trace from end to end, against a bare typed decode of the same file in the same run.

    python bench/open_bench.py [--megabytes 500]

``sidelight open`` reads, attributes, stores and prints the lines; its figures are those of all its
processes together: processor time, and the peak of their memory. A trace of half the size shows
whether time grows linearly. Prints one JSON line a trace.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from generate_trace import generate
from ingest_bench import BARE, measure

_SAMPLE_S = 0.02


def open_trace(path: Path, store: Path) -> tuple[float, int]:
    """Open a trace; returns processor seconds and the peak of all processes' memory in bytes."""
    before = os.times()
    command = [sys.executable, "-m", "sidelight", "open", str(path), "--json"]
    with subprocess.Popen([*command, "--store", str(store)], stdout=subprocess.DEVNULL) as process:
        peak_bytes = 0
        while process.poll() is None:
            peak_bytes = max(peak_bytes, _tree_bytes(process.pid))
            time.sleep(_SAMPLE_S)
    if process.returncode:
        raise SystemExit(f"sidelight open ended with status {process.returncode}")
    after = os.times()
    used_s = after.children_user + after.children_system
    return used_s - before.children_user - before.children_system, peak_bytes


def _tree_bytes(pid: int) -> int:
    try:
        root = psutil.Process(pid)
        processes = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    total = 0
    for process in processes:
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--megabytes", type=float, default=500)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        for megabytes in (arguments.megabytes / 2, arguments.megabytes):
            path = Path(directory) / "trace.json"
            generate(path, megabytes, minified=False, device=False)
            bare = measure(BARE, path)
            opened_s, peak_bytes = open_trace(path, Path(directory) / "store")
            figures = {
                "megabytes": round(path.stat().st_size / 1e6),
                "events": bare["events"],
                "bare_decode_seconds": round(bare["seconds"], 2),
                "open_seconds": round(opened_s, 2),
                "open_microseconds_an_event": round(opened_s / bare["events"] * 1e6, 2),
                "ratio": round(opened_s / bare["seconds"], 2),
                "open_peak_megabytes": round(peak_bytes / 1e6),
            }
            print(json.dumps(figures))


if __name__ == "__main__":
    main()
