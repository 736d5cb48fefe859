"""Makes one execution of what each physical core of a logical NeuronCore reports of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.profile.quality import QualityNote

Integers = npt.NDArray[np.int64]

EXECUTION: Final = "nc_exec_running"
"""What Neuron's system profiles call the time in which a core executes a program."""

EXECUTIONS_LANE: Final = "executions"
"""Of a core's lanes, the one that its executions are on (``tid``)."""

NONE: Final = -1


@dataclass(frozen=True)
class Executions:
    """Executions on logical cores, in the order of their first rows.

    Attributes:
        start_ns: When the first physical core starts.
        end_ns: When the last one ends.
        first_row: The first of the rows that each was made of.
        of_row: The execution that each row belongs to.
        unmerged_rows: Rows without a flow: nothing tells which belong together, so that each counts
            for itself.
        repeated_flows: Executions that share model and flow with an earlier one, told from it by
            the same core's running both.
    """

    start_ns: Integers
    end_ns: Integers
    first_row: Integers
    of_row: Integers
    unmerged_rows: int
    repeated_flows: int

    def __len__(self) -> int:
        return len(self.start_ns)

    def notes(self, advice: str) -> list[QualityNote]:
        """What could not be told of them, for the data-quality report.

        Args:
            advice: What to do to have those merged that are not.
        """
        found = [
            QualityNote(
                "executions_not_merged",
                "warning",
                "Executions without a flow id cannot be merged over the physical cores of a "
                "logical one, so each core's counts: device time may be up to twice what it is. "
                f"{advice}",
                self.unmerged_rows,
            ),
            QualityNote(
                "repeated_flow_ids",
                "info",
                "Some executions have the model and flow id of an earlier one on the same core; "
                "they count as executions of their own. Compare their number with Neuron "
                "Explorer's.",
                self.repeated_flows,
            ),
        ]
        return [note for note in found if note.count]


def merge_executions(
    model: Integers, flow: Integers, core: Integers, start_ns: Integers, end_ns: Integers
) -> Executions:
    """Merge the rows of one execution: those of one model with one flow.

    Under LNC2 two physical cores report each execution, which counts once, from the first start to
    the last end.

    Args:
        model: A number for each row's model, -1 for unknown.
        flow: A number for each row's flow, -1 for none.
        core: The physical core, -1 for unknown.
        start_ns: When each row starts.
        end_ns: When each row ends.
    """
    rows = np.arange(len(flow))
    alone = flow == NONE
    # A row without a flow gets one that no other has.
    flow = np.where(alone, -2 - rows, flow)
    turn = _turns(model, flow, core, start_ns, end_ns)
    keys = np.stack((model, flow, turn), axis=1)
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    group = np.asarray(group, np.int64).ravel()  # of one axis in numpy 2.1 and later only
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    of_row = place[group]
    starts = np.full(len(order), np.iinfo(np.int64).max)
    ends = np.full(len(order), np.iinfo(np.int64).min)
    np.minimum.at(starts, of_row, start_ns)
    np.maximum.at(ends, of_row, end_ns)
    repeated = len(np.unique(keys[turn > 0], axis=0))
    return Executions(starts, ends, first[order], of_row, int(alone.sum()), repeated)


def _turns(
    model: Integers, flow: Integers, core: Integers, start_ns: Integers, end_ns: Integers
) -> Integers:
    """How often before a row its core has run its model with its flow, and ended."""
    turn = np.zeros(len(flow), np.int64)
    on_core = list(zip(model.tolist(), flow.tolist(), core.tolist(), strict=True))
    often = {key for key, count in Counter(on_core).items() if count > 1 and key[2] != NONE}
    if not often:
        return turn
    reached: dict[tuple[int, int, int], tuple[int, int]] = {}
    for row in map(int, np.lexsort((end_ns, start_ns))):
        key = on_core[row]
        if key not in often:
            continue
        number, until_ns = reached.get(key, (0, int(end_ns[row])))
        if start_ns[row] >= until_ns and key in reached:
            number += 1
        turn[row] = number
        reached[key] = number, max(until_ns, int(end_ns[row]))
    return turn
