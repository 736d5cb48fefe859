"""What a program may ask TorchNeuron about its own run: which operators ran, what was compiled."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any, Callable, NamedTuple


class CompiledGraph(NamedTuple):
    """What is told of a graph that was compiled.

    Attributes:
        graph_name: What it is called.
        graph_node_count: How many operators it has.
        torch_neuronx_compile_us: What compiling it took, in microseconds.
    """

    graph_name: str
    graph_node_count: int
    torch_neuronx_compile_us: float


class Introspection:
    """The functions of one device.

    Args:
        executed: Tells how often the device ran each operator.
        forget_executed: Has them counted anew.
    """

    def __init__(
        self, executed: Callable[[], Counter[str]], forget_executed: Callable[[], None]
    ) -> None:
        self._executed = executed
        self._forget_executed = forget_executed
        self._model_name = ""
        self._graphs: list[CompiledGraph] = []

    def add_graph(self, graph: CompiledGraph) -> None:
        """A graph was compiled."""
        self._graphs.append(graph)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions by the names they are asked by."""
        return {
            "get_executed_ops": self._get_executed_ops,
            "get_fallback_ops": self._get_fallback_ops,
            "clear_op_tracking": self._forget_executed,
            "set_model_name": self._set_model_name,
            "get_model_name": lambda: self._model_name,
            "get_rank": lambda: int(os.environ.get("RANK", "0")),
            "get_dynamo_metrics": lambda: list(self._graphs),
            "reset_dynamo_metrics": self._graphs.clear,
            "get_compiled_cache_keys": self._get_compiled_cache_keys,
            "clear_compiled_cache_keys": self._clear_compiled_cache_keys,
        }

    def _get_executed_ops(self) -> list[str]:
        """Each operator that the device ran, as often as it did."""
        return list(self._executed().elements())

    def _get_fallback_ops(self) -> list[str]:
        """None: which operators a chip would leave to the host is not known here."""
        return []

    def _set_model_name(self, name: str) -> None:
        self._model_name = name

    def _get_compiled_cache_keys(self, artifact_type: Any = None) -> frozenset[str]:
        """None: nothing that is compiled here would run on a chip."""
        return frozenset()

    def _clear_compiled_cache_keys(self, artifact_type: Any = None) -> None:
        """There are none."""
