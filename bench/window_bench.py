"""How long the server takes for windows of a timeline of 10,000,000 events on 64 tracks.

    python bench/window_bench.py [--events 10000000] [--width 2000] [--rounds 3]

Asked of the real server over standard streams: first as a view that pans and zooms asks for them
(three screens wide, at powers of two), then all over the run from the whole of it down to a
ten-thousandth. Measured until an answer's last byte is read. Beside that stands the processor time
of the server and of the process that answers it, which other work on the machine changes less (as
Linux tells it). A round is all of this once; told is the round whose p99 is in the middle. Prints
one JSON line.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psutil
from large_profile import stored
from server_bench import Server

_WINDOWS: Final = 150
"""Of each kind."""

_MARGIN_SCREENS: Final = 1
"""How much more than the screen the panel asks for, on each side."""

Stretch = tuple[int, int]


def windows_of_a_view(end_ns: int, width: int) -> Iterator[Stretch]:
    """What a panel asks for while it zooms in, pans along, and zooms out again."""
    steps = _WINDOWS // 10
    lengths = [end_ns / 2**level for level in (*range(1, 14), *range(12, 0, -1))]
    for number in range(_WINDOWS):
        length_ns = lengths[number // (steps // 2 + 1) % len(lengths)]
        pixel_ns = 2.0 ** round(math.log2(length_ns / width))
        middle_ns = end_ns * (0.3 + 0.4 * number / _WINDOWS)
        from_ns = max(0.0, middle_ns - (0.5 + _MARGIN_SCREENS) * pixel_ns * width)
        yield int(from_ns), int(from_ns + (1 + 2 * _MARGIN_SCREENS) * pixel_ns * width)


def windows_all_over(end_ns: int) -> Iterator[Stretch]:
    """Windows of five lengths, spread over the run."""
    for number in range(_WINDOWS):
        length_ns = end_ns // 10 ** (number % 5)
        from_ns = int(number * 0.618_034 % 1 * (end_ns - length_ns))
        yield from_ns, from_ns + length_ns


@dataclass(frozen=True)
class Answer:
    """What a window took."""

    wall_ms: float
    processor_ms: float
    size_bytes: int


class Asking:
    """A server, and how long it takes."""

    def __init__(self, folder: Path, directory: Path) -> None:
        self._server = Server()
        self._directory = str(directory)
        folders = [{"uri": folder.as_uri(), "name": "bench"}]
        self._server.ask("initialize", {"capabilities": {}, "workspaceFolders": folders})
        self._server.tell("initialized", {})
        overview: dict[str, Any] = self._server.ask("sidelight/timeline", self._profile)
        self.end_ns: int = overview["endNs"]
        # The first one waits for the tables.
        self.window(1, 2, 1000)

    @property
    def _profile(self) -> dict[str, object]:
        return {"directory": self._directory}

    def window(self, from_ns: int, to_ns: int, width: int) -> Answer:
        """Ask for a window, and read it."""
        part = {"fromNs": from_ns, "toNs": to_ns, "width": width}
        asked = {**self._profile, **part, "find": None, "colourBy": "category"}
        before_ns, begin_s = self._processor_ns(), time.perf_counter()
        answer = self._server.raw_answer(self._server.begin("sidelight/timelineWindow", asked))
        wall_ms = (time.perf_counter() - begin_s) * 1e3
        return Answer(wall_ms, (self._processor_ns() - before_ns) / 1e6, len(answer))

    def _processor_ns(self) -> int:
        """The processor time of the threads of the server and of its children, so far."""
        server = psutil.Process(self._server.process.pid)
        total_ns = 0
        for process in (server, *server.children(recursive=True)):
            for thread in Path(f"/proc/{process.pid}/task").iterdir():
                total_ns += int((thread / "schedstat").read_text().split()[0])
        return total_ns

    def end(self) -> None:
        """End the server."""
        self._server.end()


def measure(asking: Asking, stretches: list[Stretch], width: int) -> dict[str, float]:
    """The figures of one round."""
    answers = [asking.window(from_ns, to_ns, width) for from_ns, to_ns in stretches]
    return {
        **percentiles("ms", [answer.wall_ms for answer in answers]),
        **percentiles("processor_ms", [answer.processor_ms for answer in answers]),
        "largest_megabytes": round(max(answer.size_bytes for answer in answers) / 1e6, 2),
    }


def percentiles(unit: str, values: list[float]) -> dict[str, float]:
    """Some percentiles of some values, by name."""
    cuts = statistics.quantiles(values, n=100)
    return {f"p{part}_{unit}": round(cuts[part - 1], 1) for part in (50, 95, 99)}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--width", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    width: int = arguments.width
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asking = Asking(folder, stored(folder / ".sidelight", arguments.events))
        of_view = list(windows_of_a_view(asking.end_ns, width))
        all_over = list(windows_all_over(asking.end_ns))
        screens = 1 + 2 * _MARGIN_SCREENS
        figures: dict[str, object] = {"events": arguments.events, "width": width}
        for kind, stretches, pixels in (
            ("pan_and_zoom", of_view, screens * width),
            ("all_over", all_over, width),
        ):
            rounds = [measure(asking, stretches, pixels) for _ in range(arguments.rounds)]
            rounds.sort(key=lambda each: each["p99_ms"])
            figures[kind] = rounds[len(rounds) // 2]
        asking.end()
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
