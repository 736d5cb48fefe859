"""Everything known about one event."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.parts import contexts_of_event, shares_of_event
from sidelight.analysis.shapes import input_shapes
from sidelight.analysis.source_lines import Place, SourceLines
from sidelight.analysis.timelines.told_types import Details, TimelinePlace
from sidelight.profile import units
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import category_name, line_name, shown_categories, shown_name
from sidelight.profile.tables import Category


@dataclass(frozen=True)
class _Lines:
    """The lines of an event.

    Attributes:
        owners: Those it belongs to.
        around: Those that called them.
        unattributed_ns: What of its divided device time belongs to none.
    """

    owners: list[TimelinePlace]
    around: list[TimelinePlace]
    unattributed_ns: int


class EventDetails:
    """Answers what is known about events.

    Args:
        profile: An attributed profile.
        source_lines: Its lines.
    """

    def __init__(self, profile: Profile, source_lines: SourceLines) -> None:
        self._profile = profile
        self._source_lines = source_lines
        self._category = shown_categories(profile)
        self._is_counted = counted_rows(profile.events) & (profile.events["step"] >= 0)

    def of(self, event: int) -> Details:
        """Everything known about one event.

        Raises:
            UnreadableInputError: ``no_such_event``.
        """
        profile, events = self._profile, self._profile.events
        if not 0 <= event < len(events):
            raise UnreadableInputError(
                "no_such_event",
                f"{profile.manifest.name} has no event {event}. Open its timeline again.",
            )
        row = {name: int(events[name][event]) for name in events}
        device_ns = row["device_ns"] if self._is_counted[event] else None
        lines = self._lines(event, row["stack"], is_counted=device_ns is not None)
        return Details(
            event=event,
            name=self._name(row),
            category=category_name(int(self._category[event])),
            track=row["track"],
            start_ns=row["start_ns"],
            duration_ns=row["duration_ns"],
            duration_text=self._duration(row["duration_ns"]),
            start_text=self._duration(row["start_ns"]),
            device_time_ns=device_ns,
            device_time_text=None if device_ns is None else self._duration(device_ns),
            backward=row["backward"] == 1,
            step=row["step"] + 1 if row["step"] >= 0 else None,
            places=[*lines.owners, *lines.around],
            owners=len(lines.owners),
            unattributed_time_text=self._duration(lines.unattributed_ns)
            if lines.unattributed_ns
            else None,
            shapes=self._operands(event) or self._shapes(row),
        )

    def _name(self, row: dict[str, int]) -> str:
        if row["category"] == Category.LINE and row["frame"] >= 0:
            return line_name(self._profile, row["frame"])
        return shown_name(self._profile.strings[row["name"]])

    def _lines(self, event: int, stack: int, *, is_counted: bool) -> _Lines:
        """The lines it belongs to, those with the largest part first; then the lines around them.

        Most events belong to one.
        """
        profile = self._profile
        stacks, parts_ns = shares_of_event(profile, event)
        by_part = sorted(zip(parts_ns, stacks, strict=True), key=lambda part: -part[0])
        named = [part_stack for _, part_stack in by_part] or contexts_of_event(profile, event)
        chains = [self._source_lines.chain(each) for each in named or [stack]]
        part_ns: Counter[Place | None] = Counter()
        for (of_context_ns, _), chain in zip(by_part, chains, strict=False):
            part_ns[chain[0] if chain else None] += of_context_ns
        owners = dict.fromkeys(chain[0] for chain in chains if chain)
        around = dict.fromkeys(place for chain in chains for place in chain[1:])
        is_divided = is_counted and bool(by_part)
        return _Lines(
            owners=[
                self._place(line, part_ns[line] if is_divided else None)
                for line in sorted(owners, key=lambda line: -part_ns[line])
            ],
            around=[self._place(line, None) for line in around if line not in owners],
            unattributed_ns=part_ns[None] if is_divided else 0,
        )

    def _place(self, line: Place, device_ns: int | None) -> TimelinePlace:
        text = None if device_ns is None else self._duration(device_ns)
        return TimelinePlace(*line, device_ns, text)

    def _duration(self, duration_ns: int) -> str:
        is_predicted = self._profile.manifest.time_kind != "measured"
        return units.duration(duration_ns, predicted=is_predicted)

    def _operands(self, event: int) -> list[str]:
        """What an engine's instruction was given."""
        work = self._profile.work
        row = int(np.searchsorted(work["event"], event))
        if row == len(work) or work["event"][row] != event or work["operands"][row] < 0:
            return []
        text = self._profile.strings[int(work["operands"][row])].strip()
        return [text] if text else []

    def _shapes(self, row: dict[str, int]) -> list[str]:
        """The inputs of the event, or of the operator that launched it."""
        operator_signature = int(self._profile.events["signature"][row["operator"]])
        signature = row["signature"] if row["signature"] >= 0 else operator_signature
        return input_shapes(self._profile.strings[signature]) if signature >= 0 else []
