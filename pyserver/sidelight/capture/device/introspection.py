"""What a program may ask TorchNeuron about its own run: which operators ran, what was compiled."""

from __future__ import annotations

import os
from typing import Any, Callable, NamedTuple

from .clock import DeviceClock


class CompiledGraph(NamedTuple):
    """What is told of a graph that was compiled.

    Attributes:
        graph_name: What it is called: after the model, where the program gave it a name.
        graph_node_count: How many operators it has.
        torch_neuronx_compile_us: What the device's compiler took, in microseconds: nothing, as
            there is none.
    """

    graph_name: str
    graph_node_count: int
    torch_neuronx_compile_us: float = 0.0


class Introspection:
    """The functions of one device.

    Args:
        clock: The device's clock.
    """

    def __init__(self, clock: DeviceClock) -> None:
        self._clock = clock
        self._model_name = ""

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions by the names they are asked by."""
        return {
            "get_executed_ops": self._get_executed_ops,
            "get_fallback_ops": self._get_fallback_ops,
            "clear_op_tracking": self._clock.forget_executed,
            "set_model_name": self._set_model_name,
            "get_model_name": lambda: self._model_name,
            "get_rank": lambda: int(os.environ.get("RANK", "0")),
            "get_dynamo_metrics": self._get_dynamo_metrics,
            "reset_dynamo_metrics": self._clock.graphs.clear,
            "get_compiled_cache_keys": self._get_compiled_cache_keys,
            "clear_compiled_cache_keys": self._clear_compiled_cache_keys,
        }

    def _get_executed_ops(self) -> list[str]:
        """Each operator that the device ran, as often as it did."""
        return list(self._clock.executed().elements())

    def _get_fallback_ops(self) -> list[str]:
        """None: which operators a chip would leave to the host is not known here."""
        return []

    def _get_dynamo_metrics(self) -> list[CompiledGraph]:
        """The compiled graphs that have run."""
        name = self._model_name or "model"
        return [
            CompiledGraph(f"{name}_{number}", graph.operator_count)
            for number, graph in enumerate(self._clock.graphs)
        ]

    def _set_model_name(self, name: str) -> None:
        self._model_name = name

    def _get_compiled_cache_keys(self, artifact_type: Any = None) -> frozenset[str]:
        """None: nothing that is compiled here would run on a chip."""
        return frozenset()

    def _clear_compiled_cache_keys(self, artifact_type: Any = None) -> None:
        """There are none."""
