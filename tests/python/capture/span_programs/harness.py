"""Runs `subjects.py` under the real tracer of this interpreter, with a stand-in for the profiler.

Usage: harness.py CAPTURE_ROOM. Prints the operators and entries of every line as JSON. It needs the
standard library only, so that any CPython can run it.
"""

import importlib
import json
import sys
import threading
import types
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUBJECTS = HERE / "subjects.py"


def load(room):
    package = types.ModuleType("_sidelight")
    package.__path__ = [str(Path(room).parent)]
    sys.modules["_sidelight"] = package
    names = ("line_spans", "tracer", "statements")
    return [importlib.import_module("_sidelight.capture." + name) for name in names]


class Recorder:
    """Keeps the ranges that are open on each thread, as a profiler does."""

    def __init__(self, room):
        line_spans, tracer, self._statements = load(room)
        self.open = threading.local()
        self.events = []
        self.faults = []
        self.spans = line_spans.LineSpans(
            lambda code: code.co_filename == str(SUBJECTS) and code.co_name != "op",
            10**6,
            lambda frame: self.faults.append("limit reached"),
        )
        self.spans.open_range = lambda name: Range(self, name)
        self._new_tracer = lambda: tracer.new_tracer(self.spans, {})

    def stack(self):
        if not hasattr(self.open, "names"):
            self.open.names = []
        return self.open.names

    def start(self):
        self._tracer = self._new_tracer()
        self._tracer.start(sys._getframe(1))

    def stop(self):
        self._tracer.stop()
        if self.stack():
            self.faults.append("left open: %s" % self.stack())

    def operator(self):
        self.events.append((None, self.stack()[-1] if self.stack() else None))

    def answers(self):
        statements = self._statements.StatementMap(SUBJECTS.read_bytes())
        prefix = "sidelight:"
        ops, counts = Counter(), Counter()
        for entered, name in self.events:
            if name is None:
                continue
            label = self.spans.labels[int(name[len(prefix) :])]
            line, enters = statements.resolve(label.code, label.offset, label.previous)
            if entered is None:
                ops[line] += 1
            elif enters and not label.resumed:
                counts[line] += 1
        return {"ops": ops, "counts": counts, "faults": self.faults}


class Range:
    def __init__(self, recorder, name):
        self._recorder, self._name = recorder, name

    def __enter__(self):
        self._recorder.stack().append(self._name)
        self._recorder.events.append((True, self._name))

    def __exit__(self, *exception):
        stack = self._recorder.stack()
        if not stack or stack[-1] != self._name:
            self._recorder.faults.append("%s closed while open: %s" % (self._name, stack))
            return
        stack.pop()


def main():
    recorder = Recorder(sys.argv[1])
    space = {"__name__": "subjects", "RECORDER": recorder}
    exec(compile(SUBJECTS.read_text(), str(SUBJECTS), "exec"), space)
    space["running"](recorder)
    json.dump(recorder.answers(), sys.stdout)


main()
