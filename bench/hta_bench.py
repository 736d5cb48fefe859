"""Opening a trace, against HolisticTraceAnalysis on the same file in the same run.

    python bench/hta_bench.py --hta PYTHON [--megabytes 50]

PYTHON is an interpreter that has HolisticTraceAnalysis, in an environment of its own (``pip install
HolisticTraceAnalysis``: it is no dependency of this project). It reads the trace and breaks the
kernels' time down by name; ``sidelight open`` reads it, attributes every row to its lines, stores
it and prints the lines. Figures are those of all processes of each, on the processor. Prints one
JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from generate_trace import generate
from open_bench import open_trace

_HTA = """
import sys
from hta.trace_analysis import TraceAnalysis
analysis = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir="/")
kernels = analysis.get_gpu_kernel_breakdown(visualize=False)[1]
assert len(kernels), "no kernels"
"""


def read_with_hta(python: str, path: Path) -> float:
    """Processor seconds that HolisticTraceAnalysis takes for a trace."""
    before = os.times()
    subprocess.run([python, "-c", _HTA, str(path)], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    used_s = after.children_user + after.children_system
    return used_s - before.children_user - before.children_system


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hta", metavar="PYTHON")
    parser.add_argument("--megabytes", type=float, default=50)
    parser.add_argument("--repeats", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.hta is None:
        sys.stderr.write("hta_bench: left out, as --hta names no interpreter that has it\n")
        return
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "trace.json"
        generate(path, arguments.megabytes, minified=False, device=True)
        pairs = [
            (read_with_hta(arguments.hta, path), open_trace(path, Path(directory) / "store")[0])
            for _ in range(arguments.repeats)
        ]
        hta_s, ours_s = (min(column) for column in zip(*pairs, strict=True))
        figures = {
            "megabytes": round(path.stat().st_size / 1e6, 1),
            "hta_seconds": round(hta_s, 2),
            "open_seconds": round(ours_s, 2),
            "times_faster": round(hta_s / ours_s, 1),
        }
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
