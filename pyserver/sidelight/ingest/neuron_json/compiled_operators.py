"""Operators as the compiler knows them: HLO instructions and layers, on a track of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.neuron_json.cores import Cores, Facts
from sidelight.ingest.neuron_json.values import LONGEST_TEXT, NO_TIME, whole_number
from sidelight.ingest.time_policy import good_times
from sidelight.profile.tables import Category, Column


class CompiledOperators:
    """The operators of a profile.

    An operator's row is as long as ``layer_summary`` has it, else as from its first instruction to
    the end of its last.

    Args:
        operators: (subgraph, name) by the id that instructions have.
        facts: ``layer_summary`` has layers by ``/subgraph/layer``; ``/subgraph`` is all of them.

    Attributes:
        subgraphs: Those that have operators.
    """

    def __init__(self, operators: Sequence[tuple[str, str]], facts: Facts) -> None:
        self._operators = operators
        ids = {operator: index for index, operator in enumerate(operators)}
        self._layers: list[tuple[str, str, int, int, int]] = []
        for row in facts.get("layer_summary", ()):
            whole, full_name = str(row.get("fully_qualified_subgraph")), str(row.get("name"))
            subgraph = whole.strip("/")
            start, duration = whole_number(row.get("start")), _duration_ns(row)
            if start is not None and duration is not None:
                index = ids.get((subgraph, full_name.removeprefix(whole).strip("/")), -1)
                self._layers.append((subgraph, full_name, index, start, duration))
        self.subgraphs = {each[0] for each in (*operators, *self._layers)}

    def add_to(self, builder: ProfileBuilder, rows: Mapping[str, Column], cores: Cores) -> None:
        """Add the operators to a profile.

        Args:
            builder: The profile.
            rows: The instructions: ``operator``, ``start`` and ``duration``, of all of them.
            cores: Names their tracks.
        """
        of_layers = {index for _, _, index, _, _ in self._layers}
        first_ns = np.full(len(self._operators), 1 << 62)
        last_ns = np.full(len(self._operators), NO_TIME)
        own = rows["operator"] >= 0
        operator, start_ns = rows["operator"][own], rows["start_ns"][own]
        np.minimum.at(first_ns, operator, start_ns)
        np.maximum.at(last_ns, operator, start_ns + rows["duration_ns"][own])
        found = [
            (subgraph, name, index, int(first_ns[index]), int(last_ns[index] - first_ns[index]))
            for index, (subgraph, name) in enumerate(self._operators)
            if index not in of_layers and last_ns[index] != NO_TIME
        ]
        shown = [*self._layers, *found]
        starts = np.array([start for *_, start, _ in shown], np.int64)
        durations = np.array([duration for *_, duration in shown], np.int64)
        good = good_times(starts, durations)
        shown = [each for each, is_good in zip(shown, good, strict=True) if is_good]
        builder.add_rows(
            {
                "track": [builder.tracks.code(cores.operators(each[0])) for each in shown],
                "category": np.full(len(shown), Category.COMPILED_OPERATOR),
                "name": [builder.strings.code(each[1][:LONGEST_TEXT]) for each in shown],
                "external_id": [each[2] for each in shown],
                "start_ns": starts[good],
                "duration_ns": durations[good],
            }
        )


def _duration_ns(row: Mapping[str, Any]) -> int | None:
    duration = whole_number(row.get("duration"))
    start, end = whole_number(row.get("start")), whole_number(row.get("end"))
    if duration is not None or start is None or end is None:
        return duration
    return whole_number(end - start)
