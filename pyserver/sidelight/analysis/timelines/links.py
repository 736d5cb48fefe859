"""What leads to an event and what it leads to: from operator to runtime call to device row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

import numpy as np

from sidelight.analysis.launching import launching_rows
from sidelight.analysis.nesting import IntColumn, Mask, operator_rows
from sidelight.analysis.timelines.drawn import Placed
from sidelight.analysis.timelines.told_types import EventArrow, EventLink
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

MOST_LINKS: Final = 100
"""An event names no more in each direction."""

LAUNCHES: Final = "launches"
CALLS: Final = "calls"

_DEVICE: Final = (Category.DEVICE, Category.DEVICE_COARSE)
_CALLS: Final = (Category.RUNTIME, Category.DEVICE_RUNTIME)


class EventLinks:
    """Answers what an event follows from and what follows from it.

    Args:
        profile: An attributed profile.
        placed: Where its events are.
        name_of: What an event is called.
    """

    def __init__(self, profile: Profile, placed: Placed, name_of: Callable[[int], str]) -> None:
        self._profile = profile
        self._placed = placed
        self._name_of = name_of

    def causes(self, event: int) -> list[EventLink]:
        """The events that led to it, as far as is known."""
        return self._links(self._sources(event))

    def effects(self, event: int) -> list[EventLink]:
        """The events that it led to, the earliest first."""
        return self._links(self._targets(event))

    def chain(self, causes: list[EventLink], effects: list[EventLink]) -> list[EventArrow]:
        """What led to an event's causes, and what its effects led to, on to both ends.

        Only launches and calls are followed: what waits for what goes on without end.
        """
        before = self._followed(causes, self.causes, lambda near, far: EventArrow(far, near))
        after = self._followed(effects, self.effects, lambda near, far: EventArrow(near, far))
        return [*before, *after]

    @staticmethod
    def _followed(
        links: list[EventLink],
        beyond: Callable[[int], list[EventLink]],
        arrow: Callable[[EventLink, EventLink], EventArrow],
    ) -> list[EventArrow]:
        arrows: list[EventArrow] = []
        waiting = [link for link in links if link.kind in (LAUNCHES, CALLS)]
        seen = {link.event for link in waiting}
        while waiting and len(arrows) < MOST_LINKS:
            near = waiting.pop(0)
            for far in beyond(near.event):
                if far.kind not in (LAUNCHES, CALLS):
                    continue
                arrows.append(arrow(near, far))
                if far.event not in seen:
                    seen.add(far.event)
                    waiting.append(far)
        return arrows[:MOST_LINKS]

    def _links(self, found: Iterator[tuple[int, str]]) -> list[EventLink]:
        kinds = dict(found)
        rows = np.array(list(kinds), np.int64)
        by_time = rows[np.argsort(self._placed.start_ns[rows], kind="stable")]
        return [self._link(row, kinds[row]) for row in by_time[:MOST_LINKS].tolist()]

    def _sources(self, event: int) -> Iterator[tuple[int, str]]:
        owner = int(self._owner[event])
        if owner >= 0 and owner != event:
            yield owner, LAUNCHES
        if self._is_call[event] and (parent := int(self._caller[event])) >= 0:
            yield parent, CALLS
        flows = self._profile.flows
        for row in self._flows_by_target[slice(*self._range(self._flow_targets, event))].tolist():
            yield int(flows["source"][row]), self._profile.strings[int(flows["kind"][row])]

    def _targets(self, event: int) -> Iterator[tuple[int, str]]:
        for row in self._owned[slice(*self._range(self._owners, event))].tolist():
            yield row, LAUNCHES
        for row in self._called[slice(*self._range(self._callers, event))].tolist():
            yield row, CALLS
        flows = self._profile.flows
        for row in range(*self._range(flows["source"], event)):
            yield int(flows["target"][row]), self._profile.strings[int(flows["kind"][row])]

    def _link(self, event: int, kind: str) -> EventLink:
        placed = self._placed
        start_ns = int(placed.start_ns[event])
        return EventLink(
            event=event,
            kind=kind,
            name=self._name_of(event),
            track=int(placed.track[event]),
            depth=int(placed.depth[event]),
            start_ns=start_ns,
            duration_ns=int(placed.end_ns[event]) - start_ns,
        )

    @staticmethod
    def _range(ascending: IntColumn, event: int) -> tuple[int, int]:
        first, stop = np.searchsorted(ascending, (event, event + 1))
        return int(first), int(stop)

    @cached_property
    def _is_call(self) -> Mask:
        return np.isin(self._profile.events["category"], _CALLS)

    @cached_property
    def _owner(self) -> IntColumn:
        """The host row that launched each device row, -1 for none."""
        is_device = np.isin(self._profile.events["category"], _DEVICE)
        owner = launching_rows(self._profile, is_device).astype(np.int64)
        return np.where(is_device, owner, -1)

    @cached_property
    def _caller(self) -> IntColumn:
        """The operator that made each call of the runtime, -1 for none."""
        parent = self._profile.events["parent"].astype(np.int64)
        is_of_operator = (parent >= 0) & operator_rows(self._profile.events)[parent]
        return np.where(self._is_call & is_of_operator, parent, -1)

    @cached_property
    def _owned(self) -> IntColumn:
        rows = np.flatnonzero(self._owner >= 0)
        return rows[np.argsort(self._owner[rows], kind="stable")]

    @cached_property
    def _owners(self) -> IntColumn:
        return self._owner[self._owned]

    @cached_property
    def _called(self) -> IntColumn:
        rows = np.flatnonzero(self._caller >= 0)
        return rows[np.argsort(self._caller[rows], kind="stable")]

    @cached_property
    def _callers(self) -> IntColumn:
        return self._caller[self._called]

    @cached_property
    def _flows_by_target(self) -> IntColumn:
        return np.argsort(self._profile.flows["target"], kind="stable")

    @cached_property
    def _flow_targets(self) -> IntColumn:
        return self._profile.flows["target"][self._flows_by_target]
