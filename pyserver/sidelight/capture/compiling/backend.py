"""The compiler's backend ``neuron``: a graph is written down, and runs as one piece.

It computes what the graph's operators compute one by one. That they were compiled is told by the
row around them: what they cost is worked out from the graph, not from how long they took.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Callable

import torch

from ..device.clock import DeviceClock
from ..device.kernel_calls import GraphCall
from ..device.rows import COMPILED_REGION, STAND_IN
from . import private
from .executions import Compiled, boxed, in_rows, timed, unrecorded
from .graphs import Graphs

NAME = "neuron"
"""What scripts call the backend, and the device."""

_Backend = Callable[..., Callable[..., Any]]


class NeuronBackend:
    """Compiles for the device that is stood in for.

    Args:
        graphs: Where graphs are written down.
        clock: The device's clock.
        returns_on_device: Whether results are on the device wherever the inputs are.
    """

    def __init__(
        self,
        graphs: Graphs,
        clock: DeviceClock,
        *,
        returns_on_device: bool,
    ) -> None:
        self.__name__ = NAME  # torch and people's own tools ask a backend for it
        self._graphs = graphs
        self._clock = clock
        self._returns_on_device = returns_on_device
        self._compile: _Backend = private.aot_autograd(
            fw_compiler=functools.partial(self._of_graph, is_backward=False),
            bw_compiler=functools.partial(self._of_graph, is_backward=True),
            partition_fn=private.partition,
            keep_inference_input_mutations=True,
        )

    def __call__(
        self, module: Any, example_inputs: Sequence[Any], **ignored: Any
    ) -> Callable[..., Any]:
        """Compile one graph of Dynamo's.

        Args:
            module: The graph, a ``torch.fx.GraphModule``.
            example_inputs: Inputs like those it will be called with.
            ignored: Options of other backends.

        Raises:
            NotImplementedError: Sizes are left open.
        """
        if any(isinstance(each, (torch.SymInt, torch.SymFloat)) for each in example_inputs):
            raise NotImplementedError(
                "The backend neuron compiles for fixed sizes; this graph has sizes that are left "
                "open (torch._dynamo.mark_dynamic). Leave them fixed."
            )
        compiled = self._compile(module, example_inputs)
        return _on_device(compiled) if self._returns_on_device else compiled

    def _of_graph(self, module: Any, example_inputs: Any, *, is_backward: bool) -> Compiled:
        compiled = boxed(module.forward)
        graph = self._graphs.add(module.graph, is_backward=is_backward)
        if graph is None:
            return in_rows(compiled, (COMPILED_REGION,))
        if _is_in_one_place(module.graph):
            compiled = unrecorded(compiled)
        call = GraphCall((each.call, each.edges) for each, _ in graph.operators)
        return in_rows(timed(compiled, self._clock, call), (graph.row, STAND_IN))


def _is_in_one_place(graph: Any) -> bool:
    """Whether all of a graph's tensors are in one place: then nothing in it is waited for."""
    examples = (node.meta.get("val") for node in graph.nodes)
    return len({each.device for each in examples if isinstance(each, torch.Tensor)}) <= 1


def _on_device(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled graph whose results are on the device, wherever its inputs were."""

    @functools.wraps(compiled)
    def call(*inputs: Any) -> Any:
        return tuple(
            each.to(NAME) if isinstance(each, torch.Tensor) and each.device.type == "cpu" else each
            for each in compiled(*inputs)
        )

    return call
