"""Opening a trace, against HolisticTraceAnalysis on the same file in the same run.

    python bench/hta_bench.py --hta PYTHON [--megabytes 500] [--repeats 3]

PYTHON is an interpreter that has HolisticTraceAnalysis, in an environment of its own: it is no
dependency of this project. Its 0.5.0 wants a pandas before 3 (``pip install
HolisticTraceAnalysis==0.5.0 'pandas<3'``): with pandas 3 it ends in a TypeError on any trace of
more than 32,767 events, as it writes their indexes into a column of 16 bits.

The trace has ten steps, as torch.profiler's users record few: HolisticTraceAnalysis compares every
event with every step. It reads the trace and breaks the kernels' time down by name; then its call
graph finds what launched them, which makes device time an operator's. Ours reads the trace, finds
the same and the lines besides, and sums up by line. Both are measured in processes of their own,
without what they import; ``sidelight open`` is then measured as a whole, with all its processes, as
is the other. Figures are processor seconds, medians of the repeats. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

from generate_trace import generate
from ingest_bench import OURS, measure
from open_bench import open_trace

STEPS: Final = 10
PASSES_PER_MEGABYTE: Final = 1.42
"""How many forward and backward passes of the generated trace a megabyte holds."""

HTA: Final = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
from hta.common.trace_call_graph import CallGraph
from hta.trace_analysis import TraceAnalysis
began_s = time.process_time()
analysis = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir="/")
kernels = analysis.get_gpu_kernel_breakdown(visualize=False)[1]
assert len(kernels), "no kernels"
by_kernel_s = time.process_time() - began_s
CallGraph(analysis.t, ranks=[0])
events = analysis.t.get_trace(0)
operators = events.groupby("name")["kernel_dur_sum"].sum()
assert operators.max() > 0, "no operator has device time"
by_operator_s = time.process_time() - began_s
print(json.dumps({"by_kernel": by_kernel_s, "by_operator": by_operator_s}))
"""


def read_with_hta(python: str, path: Path) -> dict[str, float]:
    """Processor seconds that HolisticTraceAnalysis takes: by kernel, by operator, as a whole."""
    before = os.times()
    command = [python, "-c", HTA, str(path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after = os.times()
    used_s = after.children_user + after.children_system
    whole_s = used_s - before.children_user - before.children_system
    return {**json.loads(done.stdout.splitlines()[-1]), "whole": whole_s}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hta", metavar="PYTHON")
    parser.add_argument("--megabytes", type=float, default=500)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.hta is None:
        sys.stderr.write("hta_bench: left out, as --hta names no interpreter that has it\n")
        return
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "trace.json"
        passes = max(1, round(arguments.megabytes * PASSES_PER_MEGABYTE / STEPS))
        generate(path, arguments.megabytes, minified=False, device=True, passes=passes)
        rounds = [
            (
                read_with_hta(arguments.hta, path),
                measure(OURS, path)["seconds"],
                open_trace(path, Path(directory) / "store")[0],
            )
            for _ in range(arguments.repeats)
        ]
        figures = {
            "megabytes": round(path.stat().st_size / 1e6, 1),
            "hta_by_kernel_seconds": round(median(hta["by_kernel"] for hta, _, _ in rounds), 2),
            "hta_by_operator_seconds": round(median(h["by_operator"] for h, _, _ in rounds), 2),
            "to_lines_seconds": round(median(lines_s for _, lines_s, _ in rounds), 2),
            "times_faster_than_by_kernel": _ratio(
                [hta["by_kernel"] / lines_s for hta, lines_s, _ in rounds]
            ),
            "times_faster_than_by_operator": _ratio(
                [hta["by_operator"] / lines_s for hta, lines_s, _ in rounds]
            ),
            "open_seconds": round(median(open_s for _, _, open_s in rounds), 2),
            "hta_whole_seconds": round(median(hta["whole"] for hta, _, _ in rounds), 2),
            "open_times_faster": _ratio([hta["whole"] / open_s for hta, _, open_s in rounds]),
        }
        print(json.dumps(figures))


def _ratio(ratios: list[float]) -> float:
    return round(median(ratios), 1)


if __name__ == "__main__":
    main()
