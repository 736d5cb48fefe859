"""The framework's part of a system profile: what the host called, and the work it dispatched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import Integers
from sidelight.ingest.explorer.framework_rows import (
    DRIVER_CATEGORY,
    FrameworkRow,
    host_row,
    is_from_file,
)
from sidelight.ingest.explorer.launches import (
    NONE,
    Dispatched,
    Flows,
    HostOperators,
    dispatching_operators,
)
from sidelight.ingest.explorer.system_events import Extra, SystemEvents, id_of, whole
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.user_code import is_user_code
from sidelight.profile.manifest import Track
from sidelight.profile.tables import Category

FRAMEWORK: Final = "framework"

Mask = npt.NDArray[np.bool_]


class FrameworkPart:
    """The framework's rows, told apart.

    Args:
        events: All rows.

    Attributes:
        work_flows: The flows of the work that was dispatched.
        operator_flows: The flows of the operators.
        by_name: How much of the work is tied to its operator by name alone.
    """

    def __init__(self, events: SystemEvents) -> None:
        rows = events.rows_from(FRAMEWORK)
        self._events = events
        self._rows = rows[np.argsort(events.start_ns[rows], kind="stable")]
        extra = events.extra_of(self._rows)
        categories = [_category_of(each) for each in extra]
        self._kinds = self._kinds_of(categories)
        self._is_work = self._tell_work(categories)
        can_launch = [
            kind.category in (Category.OPERATOR, Category.ANNOTATION) for kind in self._kinds
        ]
        self._work = np.flatnonzero(self._is_work)
        self._operators = np.flatnonzero(~self._is_work & np.array(can_launch, np.bool_))
        dispatched = Dispatched(*self._columns(self._work, extra))
        operators = HostOperators(*self._columns(self._operators, extra))
        found = dispatching_operators(dispatched, operators)
        self.work_flows: Flows = dispatched.flows
        self.operator_flows: Flows = operators.flows
        self.by_name = found.by_name
        self._operator_of_work = found.index
        beyond = max([0, *operators.external_ids]) + 1  # an id of 0 is none
        self._launch_ids = [
            number if number > 0 else beyond + index
            for index, number in enumerate(operators.external_ids)
        ]

    def __len__(self) -> int:
        return len(self._rows)

    def launch_id(self, operator: int) -> int:
        """An operator's External id: its trace's own, or a number beyond all of these."""
        return NONE if operator == NONE else self._launch_ids[operator]

    def launch_id_of_work(self, work: int) -> int:
        """The External id of the operator that dispatched a piece of work; -1 if unknown."""
        return NONE if work == NONE else self.launch_id(self._operator_of_work[work])

    def add_to(self, builder: ProfileBuilder, source: SourceLines) -> bool:
        """Add the rows.

        Returns:
            Whether any names a place in the user's source.
        """
        if not len(self):
            return False
        events, rows, kinds = self._events, self._rows, self._kinds
        category = np.array([kind.category for kind in kinds], np.int8)
        category[self._is_work] = Category.DEVICE_COARSE
        frame_of = {kind: _frame(builder, source, kind) for kind in set(kinds)}
        frame = np.array([frame_of[kind] for kind in kinds], np.int32)
        frame[self._is_work] = NONE
        external_id = np.full(len(rows), NONE, np.int64)
        external_id[self._operators] = self._launch_ids
        external_id[self._work] = [*map(self.launch_id, self._operator_of_work)]
        builder.add_rows(
            {
                "track": self._tracks(builder),
                "category": category,
                "name": [builder.strings.code(kind.name) for kind in kinds],
                "start_ns": events.start_ns[rows],
                "duration_ns": events.duration_ns[rows],
                "external_id": external_id,
                "frame": frame,
                "entry": frame >= 0,
            }
        )
        return bool((frame >= 0).any())

    def _kinds_of(self, categories: Sequence[str]) -> list[FrameworkRow]:
        names = self._events.names_of(self._rows)
        keys = list(zip(names, categories, strict=True))
        known = {key: host_row(*key) for key in set(keys)}
        return [known[key] for key in keys]

    def _tell_work(self, categories: Sequence[str]) -> Mask:
        """Which rows are of a stream: work that was dispatched, rather than what the host did."""
        events, rows = self._events, self._rows
        is_work = events.stream[rows] >= 0
        is_work |= np.array([text == DRIVER_CATEGORY for text in categories], np.bool_)
        if is_work.any():
            return is_work
        # Without the column, by what the tool's own pages show of such rows.
        from_file = np.array([is_from_file(name) for name in events.names], np.bool_)
        return from_file[events.name[rows]] & (events.flow[rows] > 0)

    def _columns(
        self, which: Integers, extra: Sequence[Extra]
    ) -> tuple[list[str], Integers, list[int], Flows]:
        chosen = [*map(int, which)]
        flows = self._events.flows_of(self._rows[which])
        return (
            [self._kinds[index].name for index in chosen],
            self._events.start_ns[self._rows[which]],
            [id_of(extra[index].external_id) for index in chosen],
            [
                _with_sequence_id(ids, extra[index])
                for ids, index in zip(flows, chosen, strict=True)
            ],
        )

    def _tracks(self, builder: ProfileBuilder) -> list[int]:
        """A lane for each thread of the host, and one for each stream of the framework."""
        events, rows = self._events, self._rows
        lanes = zip(
            map(int, events.process[rows]),
            map(bool, self._is_work),
            map(int, np.where(self._is_work, events.stream[rows], events.thread[rows])),
            strict=True,
        )
        return [self._track(builder, *lane) for lane in lanes]

    def _track(self, builder: ProfileBuilder, process: int, is_work: bool, number: int) -> int:
        pid = str(self._events.processes[process].number)
        if not is_work:
            return builder.tracks.code(Track("host", f"thread {number}", pid, str(number)))
        stream = self._events.streams[number] if number >= 0 else "0"
        return builder.tracks.code(Track("device", f"framework stream {stream}", pid, stream))


def _category_of(extra: Extra) -> str:
    for value in (extra.cat, extra.category):
        if isinstance(value, str) and value:
            return value
    return ""


def _with_sequence_id(flows: tuple[str, ...], extra: Extra) -> tuple[str, ...]:
    number = whole(extra.nrt_sequence_id)
    return flows if number is None or str(number) in flows else (*flows, str(number))


def _frame(builder: ProfileBuilder, source: SourceLines, kind: FrameworkRow) -> int:
    place = kind.place
    if place is None or not is_user_code(place.path):
        return NONE
    return builder.frame(source.absolute(place.path), place.line, place.function)
