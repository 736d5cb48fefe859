"""How fast the language server is on a large profile, over standard streams as an editor meets it.

    python bench/server_bench.py [--events 1000000] [--rounds 300]

The profile has 208 annotated lines in a file of 10,000. Measured from outside: how long until the
server has answered ``initialize`` and until a hover with numbers is there, from the start of its
process; then single requests, and a hover directly after an edit, as somebody types in one place.
Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from attribution_bench import FRAMES, LAYERS, recording

from sidelight.analysis.attribution import attribute
from sidelight.jobs.annotations import store_annotated
from sidelight.profile.manifest import SourceFile
from sidelight.profile.store import Store
from sidelight.profile.tables import FRAME_COLUMNS, Table

_COPIES = 4
_FILE_LINES = 10_000
_VISIBLE_LINES = 60

Message = dict[str, Any]


class Server:
    """The server's process, and a client that does as little as it can."""

    def __init__(self) -> None:
        self.started_s = time.perf_counter()
        command = [sys.executable, "-m", "sidelight", "server"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._requests = 0

    def tell(self, method: str, params: Message) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Message) -> Any:
        """Send a request and wait for its result."""
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        while (message := self._read()).get("id") != self._requests or "method" in message:
            pass
        return message["result"]

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> Message:
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.startswith(b"Content-Length: "):
                length = int(line.removeprefix(b"Content-Length: "))
        return json.loads(self.process.stdout.read(length))


def store_profile(folder: Path, events: int) -> tuple[Path, list[int]]:
    """Store a profile in a folder; returns its source file and the annotated lines, 0-based."""
    path = folder / "train.py"
    text = "".join(f"    value_{number} = step({number})\n" for number in range(_FILE_LINES))
    path.write_text(text)
    lines = [48 * frame for frame in range(_COPIES * FRAMES)]
    profile = recording(events, device=False)
    step = profile.events["start_ns"] // (2 * LAYERS * 2000)
    frame = profile.events["frame"]
    frame[:] = np.where(frame >= 0, frame + FRAMES * (step % _COPIES), frame)
    profile.frames = Table.of(
        FRAME_COLUMNS,
        {"file": [0] * len(lines), "line": [n + 1 for n in lines], "function": [0] * len(lines)},
    )
    profile.files[:] = [SourceFile(str(path), text)]
    profile = attribute(profile)
    store_annotated(Store(folder / ".sidelight"), profile)
    return path, lines


def measure(folder: Path, events: int, rounds: int) -> dict[str, object]:
    """The figures."""
    path, lines = store_profile(folder, events)
    chance = random.Random(1)
    document = {"uri": path.as_uri()}
    server = Server()
    server.ask(
        "initialize",
        {"capabilities": {}, "workspaceFolders": [{"uri": folder.as_uri(), "name": "bench"}]},
    )
    initialized_s = time.perf_counter() - server.started_s
    server.tell("initialized", {})
    opened = {**document, "languageId": "python", "version": 0, "text": path.read_text()}
    server.tell("textDocument/didOpen", {"textDocument": opened})

    def hover() -> object:
        line = chance.choice(lines[4:])
        position = {"line": line, "character": 5}
        return server.ask("textDocument/hover", {"textDocument": document, "position": position})

    if not hover():
        raise SystemExit("the first hover is empty")
    ready_s = time.perf_counter() - server.started_s
    version = 0

    def hints() -> object:
        line = chance.randrange(_FILE_LINES - _VISIBLE_LINES)
        start, end = {"line": line, "character": 0}, {"line": line + 60, "character": 0}
        visible = {"start": start, "end": end}
        return server.ask("textDocument/inlayHint", {"textDocument": document, "range": visible})

    def edit() -> None:
        nonlocal version
        version += 1
        place = {"line": _FILE_LINES // 2 + chance.randrange(20), "character": 0}
        change = {"range": {"start": place, "end": place}, "text": "x"}
        server.tell(
            "textDocument/didChange",
            {"textDocument": {**document, "version": version}, "contentChanges": [change]},
        )

    def edit_and_hover() -> object:
        edit()
        return hover()

    figures = {
        "initialize_s": round(initialized_s, 3),
        "first_hover_s": round(ready_s, 3),
        "hover_ms": _percentiles(hover, rounds),
        "inlay_hint_ms": _percentiles(hints, rounds),
        "heat_ms": _percentiles(lambda: server.ask("sidelight/heat", document), rounds),
        "edit_and_hover_ms": _percentiles(edit_and_hover, rounds),
        "server_megabytes": round(psutil.Process(server.process.pid).memory_info().rss / 1e6),
    }
    server.ask("shutdown", {})
    server.tell("exit", {})
    server.process.wait()
    return {"events": events, "annotated_lines": len(lines), **figures}


def _percentiles(request: Any, rounds: int) -> dict[str, float]:
    times_ms: list[float] = []
    for _ in range(rounds):
        begin_s = time.perf_counter()
        request()
        times_ms.append((time.perf_counter() - begin_s) * 1e3)
    percentiles = statistics.quantiles(times_ms, n=100)
    return {"p50": round(percentiles[49], 2), "p95": round(percentiles[94], 2)}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=300)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        print(json.dumps(measure(Path(directory), arguments.events, arguments.rounds)))


if __name__ == "__main__":
    main()
