"""How long the timeline takes on a large profile, and what is made for it when one is stored.

    python bench/timeline_bench.py [--events 1000000] [--width 2000]

Windows are asked of the process that answers for a stored profile, as the server asks: from the
whole timeline down to a ten-thousandth of it. Prints one JSON line a kind of recording.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable

import psutil
from attribution_bench import recording

from sidelight.analysis.annotate import annotate
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.jobs.first_look import keep_first_look
from sidelight.jobs.timeline_queries import TimelineQueries
from sidelight.profile.store import Store

_ROUNDS = 15


def milliseconds(function: Callable[[], object]) -> float:
    """How long a call takes."""
    begin_s = time.perf_counter()
    function()
    return (time.perf_counter() - begin_s) * 1e3


def measure(events: int, width: int, *, device: bool) -> dict[str, object]:
    """The figures of one recording."""
    profile = attribute(recording(events, device=device))
    figures: dict[str, object] = {
        "kind": "device" if device else "cpu",
        "events": len(profile.events),
        "line_report_ms": round(milliseconds(lambda: line_report(profile, ""))),
        "annotate_ms": round(milliseconds(lambda: annotate(profile))),
        "index_ms": round(milliseconds(lambda: TimelineIndex(profile))),
    }
    with tempfile.TemporaryDirectory() as directory:
        stored = Store(directory).add(profile)
        tables_bytes = stored.size_bytes()
        figures["first_look_ms"] = round(milliseconds(lambda: keep_first_look(stored, profile)))
        kept_bytes = stored.size_bytes() - tables_bytes
        figures["first_look_share_of_bytes"] = round(kept_bytes / tables_bytes, 4)
        with TimelineQueries(stored.directory) as queries:
            figures["first_answer_ms"] = round(milliseconds(queries.timeline))
            overview = queries.timeline()
            length_ns = overview.end_ns - overview.start_ns
            for parts in (1, 10, 100, 10_000):
                figures[f"window_1/{parts}"] = _windows(queries, length_ns, parts, width)
            # The other child is multiprocessing's own, and small.
            largest = max(child.memory_info().rss for child in psutil.Process().children())
            figures["process_megabytes"] = round(largest / 1e6)
    return figures


def _windows(queries: TimelineQueries, length_ns: int, parts: int, width: int) -> dict[str, float]:
    times_ms: list[float] = []
    spans = 0
    for number in range(_ROUNDS):
        from_ns = length_ns * (number % parts) // parts
        begin_s = time.perf_counter()
        spans = queries.window(from_ns, from_ns + length_ns // parts, width).count
        times_ms.append((time.perf_counter() - begin_s) * 1e3)
    return {
        "p50_ms": round(statistics.median(times_ms), 1),
        "max_ms": round(max(times_ms), 1),
        "spans": spans,
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--width", type=int, default=2000)
    arguments = parser.parse_args()
    for device in (False, True):
        print(json.dumps(measure(arguments.events, arguments.width, device=device)), flush=True)


if __name__ == "__main__":
    main()
