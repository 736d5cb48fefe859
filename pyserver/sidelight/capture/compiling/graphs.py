"""The graphs that were compiled: what each is made of, written down once.

An execution of graph N is the row ``sidelight::graph::N``. What ``capture.json`` holds of a graph::

    {"id": N, "backward": false,
     "operators": [{"name": "aten::mul", "signature": {…}, "lines": [3, 7], "sequence_nr": 12,
                    "alone_ns": 19011}, …]}

``signature`` is described by :class:`.operators.Operator`; ``lines`` are indices into the capture's
``frames``, the user's whole chain within what was compiled, outermost first; ``sequence_nr`` is
autograd's number of the forward operator, -1 for none; ``alone_ns`` is what the operator would take
a NeuronCore by itself, predicted: what a device's own time for the graph is split by.
"""

from __future__ import annotations

import itertools
from typing import Any, Callable, NamedTuple

from ...hardware.calls import OperatorCall
from ...hardware.prediction import predict_call
from ...hardware.setup import Setup
from ..notes import Notes
from .inputs import UnknownSizeError
from .operators import Operator, operators_of
from .source_lines import Place, places_in

MAX_OPERATORS = 200_000
"""Operators that are written down at most: about 100 MB of JSON."""

ROW_PREFIX = "sidelight::graph::"
"""Begins the name of the row around an execution; the graph's number follows."""


class Graph(NamedTuple):
    """A compiled graph.

    Attributes:
        number: Its number, which its executions' rows have in their names.
        is_backward: Whether it computes gradients.
        operators: Its operators, each with the user's lines that it is from, outermost first.
    """

    number: int
    is_backward: bool
    operators: list[tuple[Operator, tuple[Place, ...]]]

    @property
    def row(self) -> str:
        """The name of the row that an execution of it is."""
        return f"{ROW_PREFIX}{self.number}"


class Graphs:
    """Writes down what is compiled.

    Args:
        notes: Where people are told of what is not written down.
        is_user: Whether a file is the user's own.
        seen: Told of each file that lines are from.
        failed: Told, within the handler, of a fault.
    """

    def __init__(
        self,
        notes: Notes,
        is_user: Callable[[str], bool],
        seen: Callable[[str], None],
        failed: Callable[[], None],
    ) -> None:
        self._notes = notes
        self._is_user = is_user
        self._seen = seen
        self._failed = failed
        self._numbers = itertools.count()
        self._graphs: list[Graph] = []
        self._room = MAX_OPERATORS

    def add(self, graph: Any, *, is_backward: bool) -> Graph | None:
        """Write down a graph.

        Args:
            graph: A ``torch.fx.Graph`` of torch's own operators.
            is_backward: Whether it computes gradients.

        Returns:
            What was written down; None where it could not be, which is told.
        """
        if len(graph.nodes) > self._room:
            self._say_left_out(f"after {MAX_OPERATORS:,} operators no more are written down")
            return None
        try:
            operators = [
                (each, places_in(each.stack_trace, self._is_user)) for each in operators_of(graph)
            ]
        except UnknownSizeError:
            self._say_left_out("their sizes are not known before they run")
            return None
        except Exception:
            self._failed()
            return None
        self._room -= len(operators)
        for _, places in operators:
            for place in places:
                self._seen(place.file)
        number = next(self._numbers)
        self._graphs.append(Graph(number, is_backward, operators))
        return self._graphs[-1]

    def _say_left_out(self, reason: str) -> None:
        self._notes.say(
            "graph_as_a_whole",
            "info",
            f"Some compiled graphs show as a whole, on the line that calls them: {reason}. Their "
            "time is right; their own lines have none.",
            place=reason,
        )

    def as_json(self, number_of: Callable[[Place], int]) -> list[dict[str, Any]]:
        """What ``capture.json`` holds of the graphs.

        Args:
            number_of: The index of a place in the capture's ``frames``.
        """
        return [
            {
                "id": graph.number,
                "backward": graph.is_backward,
                "operators": [
                    {
                        "name": operator.name,
                        "signature": operator.signature,
                        "lines": [number_of(place) for place in places],
                        "sequence_nr": operator.sequence_nr,
                        "alone_ns": _alone_ns(operator.call),
                    }
                    for operator, places in graph.operators
                ],
            }
            for graph in self._graphs
        ]


def _alone_ns(call: OperatorCall) -> int:
    try:
        prediction = predict_call(call, Setup())
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return 0  # rules expect what torch takes; other compilers may give more
    return 0 if prediction is None else prediction.duration_ns
