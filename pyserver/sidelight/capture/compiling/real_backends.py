"""The graphs that a real compiler compiles, as it is told of them.

A backend that torch makes of compilers for a forward and a backward graph hands them both kinds;
we listen. Whatever fails in here is written down, and the script's backend compiles as if nobody
had listened.
"""

from __future__ import annotations

import functools
from types import FunctionType, MethodType
from typing import Any, Callable

from . import private
from .executions import in_rows
from .graphs import Graphs

_COMPILERS = {"fw_compiler": False, "inference_compiler": False, "bw_compiler": True}
"""Whether the compilers that a backend is made of get backward graphs."""

_FUNCTIONS = (FunctionType, MethodType, functools.partial)

_OURS = "_sidelight_records"
"""Marks a backend that is listened to: torch wraps its compilers anew at every use."""


def record(graphs: Graphs, failed: Callable[[], None]) -> None:
    """Write down every graph from now on that a backend's compilers are given.

    Args:
        graphs: Where graphs are written down.
        failed: Told, within the handler, of a fault.
    """
    real = private.AotAutograd.__call__

    @functools.wraps(real)
    def call(backend: Any, *arguments: Any, **keywords: Any) -> Any:
        try:
            if not hasattr(backend, _OURS):
                setattr(backend, _OURS, True)
                _listen(backend.kwargs, graphs)
        except Exception:
            failed()
        return real(backend, *arguments, **keywords)

    private.AotAutograd.__call__ = call


def _listen(compilers: dict[str, Any], graphs: Graphs) -> None:
    # Without one of its own, a backward graph goes to the forward graphs' compiler.
    if compilers.get("bw_compiler") is None:
        compilers["bw_compiler"] = compilers.get("fw_compiler")
    for name, is_backward in _COMPILERS.items():
        compiler: Any = compilers.get(name)
        # An object may be asked for more than to compile, and is left as it is.
        if type(compiler) in _FUNCTIONS:
            compilers[name] = _listening(compiler, is_backward, graphs)


def _listening(
    compiler: Callable[..., Any], is_backward: bool, graphs: Graphs
) -> Callable[..., Any]:
    def compile_(module: Any, *arguments: Any, **keywords: Any) -> Any:
        # Before the compiler sees it: it may change the graph.
        graph = graphs.add(module.graph, is_backward=is_backward)
        compiled = compiler(module, *arguments, **keywords)
        is_boxed = getattr(compiled, "_boxed_call", False)
        return in_rows(compiled, [graph.row]) if graph is not None and is_boxed else compiled

    return compile_
