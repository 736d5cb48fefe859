"""How fast the language server is on a large profile, over standard streams as an editor meets it.

    python bench/server_bench.py [--events 1000000] [--rounds 300]

The profile has 208 annotated lines in a file of 10,000, and is stored. Measured from outside: how
long until the server has answered ``initialize`` and until it has given the file's first
annotations, from the start of its process; how long a running server takes to show the stored
profile again until it gives them; then single requests, and a hover directly after an edit, as
somebody types in one place. Beside the start stands what it is made of that is not ours: an
interpreter that does nothing, and one that imports the libraries of the protocol. Starts are
medians of several, taken in turns. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
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
_SEEN = 180
"""The first line that is visible, 0-based; those before it have no time of their own."""
_STARTS = 7

# As the server does it: without looking for garbage meanwhile.
_LIBRARIES = "import gc; gc.disable(); import lsprotocol.types, pygls.lsp.server"

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
        return self.answer(self.begin(method, params))["result"]

    def begin(self, method: str, params: Message) -> int:
        """Send a request; returns its number."""
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        return self._requests

    def answer(self, request: int) -> Message:
        """Wait for the answer to a request, a result or an error."""
        while (message := json.loads(self._read())).get("id") != request or "method" in message:
            pass
        return message

    def raw_answer(self, request: int) -> bytes:
        """Wait for the answer to a request, whatever it is; it is not opened."""
        begins = b'{"jsonrpc":"2.0","id":%d,"result"' % request
        while not (body := self._read()).startswith(begins):
            if b'"error"' in body[:200]:
                raise SystemExit(body.decode())
        return body

    def hints(self, path: Path, first: int) -> Any:
        """What stands beside the lines that an editor shows from one on, 0-based."""
        begin, end = ({"line": line, "character": 0} for line in (first, first + _VISIBLE_LINES))
        seen = {"textDocument": {"uri": path.as_uri()}, "range": {"start": begin, "end": end}}
        return self.ask("textDocument/inlayHint", seen)

    def end(self) -> None:
        """Have the process end, and wait for it."""
        self.ask("shutdown", {})
        self.tell("exit", {})
        self.process.wait()

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> bytes:
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.startswith(b"Content-Length: "):
                length = int(line.removeprefix(b"Content-Length: "))
        return self.process.stdout.read(length)


def store_profile(folder: Path, events: int) -> tuple[Path, list[int], Path]:
    """Store a profile in a folder.

    Returns:
        Its source file, the annotated lines, 0-based, and its directory.
    """
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
    stored = store_annotated(Store(folder / ".sidelight"), profile)
    return path, lines, stored.directory


def start(folder: Path, path: Path) -> tuple[Server, dict[str, float]]:
    """Start a server and open a file of a stored profile, as an editor does.

    Returns:
        The server, and the seconds from the start of its process until it is initialized and until
        the file's first annotations are there.
    """
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
    if not server.hints(path, _SEEN):
        raise SystemExit("the file has no annotations")
    annotated_s = time.perf_counter() - server.started_s
    return server, {"initialize_s": initialized_s, "first_annotation_s": annotated_s}


def run_s(program: str) -> float:
    """How long an interpreter takes for a program, from its start to its end."""
    begin_s = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - begin_s


def measure(folder: Path, events: int, rounds: int) -> dict[str, object]:
    """The figures."""
    path, lines, directory = store_profile(folder, events)
    chance = random.Random(1)
    document = {"uri": path.as_uri()}
    starts: list[dict[str, float]] = []
    for _ in range(_STARTS):
        server, times_s = start(folder, path)
        server.end()
        parts_s = {"python_s": run_s("pass"), "libraries_s": run_s(_LIBRARIES)}
        starts.append({**times_s, **parts_s})
    server, _ = start(folder, path)

    def hover() -> object:
        line = chance.choice(lines[4:])
        position = {"line": line, "character": 5}
        return server.ask("textDocument/hover", {"textDocument": document, "position": position})

    version = 0

    def hints() -> object:
        return server.hints(path, chance.randrange(_FILE_LINES - _VISIBLE_LINES))

    def reopen() -> float:
        server.ask("sidelight/clearAnnotations", {})
        begin_s = time.perf_counter()
        server.ask("sidelight/showProfile", {"directory": str(directory)})
        if not server.hints(path, _SEEN):
            raise SystemExit("the profile that was shown again has no annotations")
        return time.perf_counter() - begin_s

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
        **{name: round(median(each[name] for each in starts), 3) for name in starts[0]},
        "reopened_s": round(median(reopen() for _ in range(_STARTS)), 3),
        "hover_ms": _percentiles(hover, rounds),
        "inlay_hint_ms": _percentiles(hints, rounds),
        "heat_ms": _percentiles(lambda: server.ask("sidelight/heat", document), rounds),
        "edit_and_hover_ms": _percentiles(edit_and_hover, rounds),
        "server_megabytes": round(psutil.Process(server.process.pid).memory_info().rss / 1e6),
    }
    server.end()
    return {"events": events, "annotated_lines": len(lines), **figures}


def _percentiles(request: Any, rounds: int) -> dict[str, float]:
    times_ms: list[float] = []
    for _ in range(rounds):
        begin_s = time.perf_counter()
        request()
        times_ms.append((time.perf_counter() - begin_s) * 1e3)
    percentiles = quantiles(times_ms, n=100)
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
