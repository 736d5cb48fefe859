"""Run programs in plain Python and print which lines built the graph that each backward runs.

Usage: ``python backward_oracle.py PROGRAM...``. Autograd's anomaly mode keeps the Python traceback
of every graph node's creation. Before each backward pass the graph is walked from its roots, and
each node is counted on the innermost line of the program in its traceback. Prints one JSON object:
program to ``{"nodes": {line: {name: count}}, "accumulations": {line: count}}``, where gradient
accumulation is on the line that started the outermost backward pass.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
import sys
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

import torch

from support.statement_lines import statement_lines

ACCUMULATION = "torch::autograd::AccumulateGrad"


class Oracle:
    """Counts the graph nodes that a program's backward passes run, by line.

    Args:
        program: The program's path.
    """

    def __init__(self, program: Path) -> None:
        self._program = str(program)
        self._first_line = statement_lines(program.read_text(encoding="utf-8"))
        self._launches: list[int] = []
        self.nodes: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.accumulations: Counter[int] = Counter()

    def watch(self, engine: Callable[..., Any]) -> Callable[..., Any]:
        """The engine's entry point, its graphs counted before they run."""

        def run(roots: Iterable[torch.Tensor], *args: Any, **keywords: Any) -> Any:
            here = self._innermost(traceback.format_stack())
            self._launches.append(self._launches[0] if self._launches else here)
            # torch.autograd.grad hands gradients back: it accumulates none.
            accumulates = bool(keywords.get("accumulate_grad"))
            self._count([root.grad_fn for root in roots if root.grad_fn is not None], accumulates)
            try:
                return engine(roots, *args, **keywords)
            finally:
                self._launches.pop()

        return run

    def _count(self, roots: list[Any], accumulates: bool) -> None:
        pending, seen = list(roots), set(roots)
        while pending:
            node = pending.pop()
            if node.name() == ACCUMULATION:
                self.accumulations[self._launches[0]] += accumulates
            else:
                line = self._innermost(node.metadata["traceback_"])
                self.nodes[line][node.name()] += 1
            following = {nxt for nxt, _ in node.next_functions if nxt is not None} - seen
            seen |= following
            pending += following

    def _innermost(self, stack: Iterable[str]) -> int:
        frames = [re.search(r'File "(.*)", line (\d+)', frame) for frame in stack]
        lines = [int(frame[2]) for frame in frames if frame and frame[1] == self._program]
        return self._first_line[lines[-1]]


@contextlib.contextmanager
def watched(oracle: Oracle) -> Generator[None]:
    """Every way into the autograd engine passes by the oracle."""
    from torch.autograd import graph

    engine = vars(graph)["_engine_run_backward"]
    modules = [module for module in list(sys.modules.values()) if _uses(module, engine)]
    for module in modules:
        vars(module)["_engine_run_backward"] = oracle.watch(engine)
    try:
        yield
    finally:
        for module in modules:
            vars(module)["_engine_run_backward"] = engine


def _uses(module: Any, engine: Callable[..., Any]) -> bool:
    return getattr(module, "__dict__", {}).get("_engine_run_backward") is engine


def lines_of_backward(program: Path) -> dict[str, Any]:
    """Run one program and count its graph nodes by line."""
    oracle = Oracle(program)
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        torch.autograd.set_detect_anomaly(True, check_nan=False),
        watched(oracle),
    ):
        runpy.run_path(str(program), run_name="__main__")
    return {"nodes": oracle.nodes, "accumulations": oracle.accumulations}


if __name__ == "__main__":
    print(json.dumps({path: lines_of_backward(Path(path)) for path in sys.argv[1:]}))
