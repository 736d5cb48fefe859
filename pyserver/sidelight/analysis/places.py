"""Where host rows run: under which chain of user lines, and in which backward pass."""

from __future__ import annotations

from array import array
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sidelight.analysis.nesting import Indexes, IntColumn, Mask, operator_rows
from sidelight.profile.model import Profile

NODE_PREFIX = "autograd::engine::evaluate_function: "
"""How torch names the row in which the autograd engine evaluates one node."""

_GRADIENTS_RETURNED = "torch.distributed.ddp.reducer::copy_bucket_to_grad"
"""How DistributedDataParallel names the row in which it returns a parameter's reduced gradient.
That is the last of a backward pass: the engine calls it when all nodes are done, so in none."""

_NONE = -1
_NOWHERE = 0


class Place(NamedTuple):
    """Where a row runs. Rows that share a place are attributed alike.

    Attributes:
        stack: Its calling context: the node of its innermost line, -1 for none.
        caller: What a user line nested in the row hangs under. It differs from ``stack`` only
            under nodes that belong to the .backward() line itself: a hook's line is another line,
            and the .backward() line's total must not hold it.
        backward: Whether it is part of a backward pass.
        launch: That pass, by the line that started it; -1 for none.
        line_stack: Calling context of the user line around it on its own thread, -1 for none.
        line_launch: The backward pass which that user line is itself part of.
    """

    stack: int = _NONE
    caller: int = _NONE
    backward: bool = False
    launch: int = _NONE
    line_stack: int = _NONE
    line_launch: int = _NONE


class Tree:
    """A growing tree whose nodes are told apart by their parent and a label."""

    def __init__(self) -> None:
        self.parents: list[int] = []
        self.labels: list[int] = []
        self._known: dict[tuple[int, int], int] = {}

    def child(self, parent: int, label: int) -> int:
        """The node with this label under ``parent``, made if it is new. -1 is above the roots."""
        node = self._known.setdefault((parent, label), len(self.parents))
        if node == len(self.parents):
            self.parents.append(parent)
            self.labels.append(label)
        return node


class _Forwards:
    """The places of forward operators, by the sequence numbers that their nodes may have.

    An operator's row carries the number that its node will get, if it makes one; so the
    last-started row with a number is the one whose node has it. One operator may make several
    nodes (a write into a view, a foreach operator): their numbers follow, and the next operator's
    is beyond them.

    Args:
        numbers_have_gaps: Operators may be missing between the rows there are, so that only a row
            with the very number tells whose node it is.
    """

    def __init__(self, *, numbers_have_gaps: bool) -> None:
        self._numbers_have_gaps = numbers_have_gaps
        self._places: defaultdict[int, dict[int, int]] = defaultdict(dict)  # by track, then number
        self._numbers: defaultdict[int, list[int]] = defaultdict(list)

    def add(self, track: int, sequence_nr: int, place: int) -> None:
        """Note an operator; they come in order of their start."""
        places = self._places[track]
        if sequence_nr not in places:
            insort(self._numbers[track], sequence_nr)
        places[sequence_nr] = place

    def find(self, track: int, sequence_nr: int) -> int | None:
        """The place of the operator that made the node with this number; None if not recorded."""
        places = self._places[track]
        place = places.get(sequence_nr)
        if place is None and not self._numbers_have_gaps:
            numbers = self._numbers[track]
            position = bisect_right(numbers, sequence_nr)
            if position:
                place = places[numbers[position - 1]]
        return place


class HostWalk:
    """One pass over operators and user code on all threads, in order of their start.

    In that order a row comes after the row it is nested in, and an autograd node after its forward
    operator.

    Attributes:
        stacks: The calling contexts, labelled by frame.
        launches: The backward passes, each within the pass it was started in, labelled by the
            stack of the line that started it.
        places: The distinct places. The first is nowhere.
        forward_not_recorded: How many nodes name a forward operator that was not recorded.
    """

    def __init__(self, profile: Profile, parent: Indexes, user_code: Mask) -> None:
        self.stacks = Tree()
        self.launches = Tree()
        self.places = [Place()]
        # Read and written row by row, which arrays of Python's own are fast at.
        self._place_of_row = array("i", bytes(array("i").itemsize * len(profile.events)))
        self.forward_not_recorded = 0
        self._events = profile.events
        self._parent = parent
        # Of a view, unlike of an array, a single value is had fast.
        self._parent_of = parent.data
        self._end_ns_of = (profile.events["start_ns"] + profile.events["duration_ns"]).data
        self._user_code = user_code
        self._known_places = {Place(): _NOWHERE}
        self._node_places: dict[tuple[int, int, int, int | None], int] = {}
        # Between two recordings there may be numbers whose operators were not recorded.
        self._forwards = _Forwards(numbers_have_gaps=len(profile.manifest.inputs) > 1)
        # By track: the latest row, or the one around it that was still open when last asked for.
        self._latest_row: dict[int, int] = {}
        named = (NODE_PREFIX, _GRADIENTS_RETURNED)
        self._walk(np.array([name.startswith(named) for name in profile.strings], np.bool_))

    @property
    def place_of_row(self) -> npt.NDArray[np.int32]:
        """For every event, an index into ``places``; rows not walked are nowhere."""
        return np.frombuffer(self._place_of_row, np.int32)

    def _walk(self, names_node: Mask) -> None:
        place_of_row, latest_row = self._place_of_row, self._latest_row
        line_places: dict[tuple[int, int], int] = {}
        for columns in self._in_order(names_node):
            row, parent, start_ns, frame, is_node, sequence_nr, forward_thread, track = columns
            place = place_of_row[parent] if parent >= 0 else _NOWHERE
            if frame >= 0:
                around = place
                place = line_places.get((around, frame), _NOWHERE)
                if place == _NOWHERE:
                    place = line_places[around, frame] = self._line_place(around, frame)
            elif is_node or (forward_thread != 0 and not self.places[place].backward):
                place = self._node_place(start_ns, place, track, sequence_nr, forward_thread)
            elif forward_thread != 0:
                place = self._inner_node_place(place, sequence_nr, forward_thread)
            elif sequence_nr >= 0:
                self._forwards.add(track, sequence_nr, place)
            place_of_row[row] = place
            latest_row[track] = row

    def _in_order(
        self, names_node: Mask
    ) -> Iterator[tuple[int, int, int, int, bool, int, int, int]]:
        """The columns of operators and user code that :meth:`_walk` reads, row by row by start.

        The frame is -1 for all rows but user code.
        """
        events = self._events
        is_operator = operator_rows(events)
        is_node = names_node[events["name"]] & is_operator
        sequence_nr, forward_thread = self._numbers_of_nodes(is_node)
        rows = np.flatnonzero(is_operator | self._user_code)
        rows = rows[np.argsort(events["start_ns"][rows], kind="stable")]
        columns = (
            rows,
            self._parent[rows],
            events["start_ns"][rows],
            np.where(self._user_code[rows], events["frame"][rows], _NONE),
            is_node[rows],
            sequence_nr[rows],
            forward_thread[rows],
            events["track"][rows],
        )
        return zip(*(column.tolist() for column in columns), strict=True)

    def _numbers_of_nodes(self, is_node: Mask) -> tuple[IntColumn, IntColumn]:
        """Sequence number and forward thread of every row, nodes with hooks put right.

        torch leaves the number off the row that evaluates a node with hooks; the node's own
        function, nested in that row, has it.
        """
        events, parent = self._events, self._parent
        sequence_nr = events["sequence_nr"].astype(np.int64)
        forward_thread = events["forward_thread"].astype(np.int64)
        functions = np.flatnonzero((forward_thread != 0) & (sequence_nr >= 0) & (parent >= 0))
        functions = functions[is_node[parent[functions]]]
        nodes = parent[functions]
        unnumbered = sequence_nr[nodes] < 0
        functions, nodes = functions[unnumbered][::-1], nodes[unnumbered][::-1]
        sequence_nr[nodes] = sequence_nr[functions]
        forward_thread[nodes] = forward_thread[functions]
        return sequence_nr, forward_thread

    def _line_place(self, around: int, frame: int) -> int:
        """The place of a user line within the place ``around``."""
        outer = self.places[around]
        stack = self.stacks.child(outer.caller, frame)
        return self._index(
            Place(stack, stack, outer.backward, outer.launch, stack, outer.launch),
        )

    def _node_place(
        self, start_ns: int, around: int, track: int, sequence_nr: int, forward_thread: int
    ) -> int:
        """The place of an autograd node that the engine starts to evaluate at ``start_ns``."""
        outer = self.places[around]
        line_stack, line_launch = outer.line_stack, outer.line_launch
        if line_stack < 0:
            line_stack, line_launch = self._waiting_line(start_ns, track, forward_thread - 1)
        forward = None
        if sequence_nr >= 0:
            forward = self._forwards.find(forward_thread - 1, sequence_nr)
            self.forward_not_recorded += forward is None
        # Steps are alike: nearly all nodes are at places of an earlier step.
        known_as = around, line_stack, line_launch, forward
        place = self._node_places.get(known_as, _NOWHERE)
        if place == _NOWHERE:
            place = self._node_places[known_as] = self._new_node_place(*known_as)
        return place

    def _new_node_place(
        self, around: int, line_stack: int, line_launch: int, forward: int | None
    ) -> int:
        """The place of a node within ``around``, of a line that waits and of a forward operator."""
        outer = self.places[around]
        launch = outer.launch
        if line_stack >= 0:
            launch = self.launches.child(line_launch, line_stack)
        if forward is not None:
            stack = caller = self.places[forward].stack
        else:
            stack = line_stack
            caller = self.stacks.parents[line_stack] if line_stack >= 0 else _NONE
        return self._index(
            Place(stack, caller, True, launch, outer.line_stack, outer.line_launch),
        )

    def _inner_node_place(self, around: int, sequence_nr: int, forward_thread: int) -> int:
        """The place of a node's function within the node's own row, or within another node.

        A write into a view is one node (CopySlices) that calls another's function in it.
        """
        forward = None
        if sequence_nr >= 0:
            forward = self._forwards.find(forward_thread - 1, sequence_nr)
        if forward is None:
            return around
        stack = self.places[forward].stack
        return self._index(self.places[around]._replace(stack=stack, caller=stack))

    def _index(self, place: Place) -> int:
        index = self._known_places.setdefault(place, len(self.places))
        if index == len(self.places):
            self.places.append(place)
        return index

    def _waiting_line(self, time_ns: int, track: int, forward_track: int) -> tuple[int, int]:
        """Stack and launch of the user line that waits for a node on a thread of the engine's own.

        The thread that called .backward() is inside a user line with no operator open. Where
        several are, the one that ran the forward is preferred, then the one that started first.
        """
        waiting: dict[int, Place] = {}
        for other_track, latest in self._latest_row.items():
            row = latest
            while row >= 0 and self._end_ns_of[row] <= time_ns:
                row = self._parent_of[row]
            # Nodes come in order of time: what has ended stays ended, and is walked past once.
            self._latest_row[other_track] = row
            if row >= 0 and other_track != track and self._user_code[row]:
                waiting[other_track] = self.places[self._place_of_row[row]]
        if not waiting:
            return _NONE, _NONE
        place = waiting.get(forward_track, next(iter(waiting.values())))
        return place.line_stack, place.line_launch
