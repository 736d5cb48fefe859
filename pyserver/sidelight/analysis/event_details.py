"""Everything known about one event."""

from __future__ import annotations

from pathlib import PureWindowsPath

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.parts import contexts_of_event, shares_of_event
from sidelight.analysis.shapes import input_shapes
from sidelight.analysis.shown_rows import shown_categories, shown_name
from sidelight.analysis.source_lines import SourceLines
from sidelight.analysis.timeline_types import Details, TimelinePlace
from sidelight.profile import units
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

_CATEGORY_NAMES = {
    Category.OPERATOR: "operator",
    Category.LINE: "source line",
    Category.ANNOTATION: "annotation",
    Category.STEP: "step",
    Category.FUNCTION: "Python function",
    Category.RUNTIME: "runtime call",
    Category.DEVICE: "device",
    Category.DEVICE_COARSE: "device driver",
    Category.OTHER: "other",
    Category.DEVICE_RUNTIME: "device runtime",
    Category.HOST_OPERATOR: "operator on the host",
    Category.ENGINE_WORK: "engine",
    Category.COMPILED_OPERATOR: "compiled operator",
}


def category_name(category: int) -> str:
    """What people call a category."""
    return _CATEGORY_NAMES[Category(category)]


def line_name(profile: Profile, frame: int) -> str:
    """What a source line is called where there is little room: ``model.py:24``."""
    frames = profile.frames
    path = profile.files[int(frames["file"][frame])].path
    # Windows' rules know both kinds of slashes; the trace may be from anywhere.
    return f"{PureWindowsPath(path).name}:{int(frames['line'][frame])}"


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
        is_predicted = profile.manifest.time_kind != "measured"
        return Details(
            event=event,
            name=self._name(row),
            category=category_name(int(self._category[event])),
            track=row["track"],
            start_ns=row["start_ns"],
            duration_ns=row["duration_ns"],
            duration_text=units.duration(row["duration_ns"], predicted=is_predicted),
            start_text=units.duration(row["start_ns"], predicted=is_predicted),
            device_time_ns=device_ns,
            device_time_text=None
            if device_ns is None
            else units.duration(device_ns, predicted=is_predicted),
            backward=row["backward"] == 1,
            step=row["step"] + 1 if row["step"] >= 0 else None,
            places=self._places(event, row["stack"]),
            shapes=self._operands(event) or self._shapes(row),
        )

    def _name(self, row: dict[str, int]) -> str:
        if row["category"] == Category.LINE and row["frame"] >= 0:
            return line_name(self._profile, row["frame"])
        return shown_name(self._profile.strings[row["name"]])

    def _places(self, event: int, stack: int) -> list[TimelinePlace]:
        """The lines it belongs to, those with the largest part first; then the lines around them.

        Most events belong to one.
        """
        profile = self._profile
        stacks, parts_ns = shares_of_event(profile, event)
        by_part = sorted(zip(parts_ns, stacks, strict=True), key=lambda part: -part[0])
        named = [part_stack for _, part_stack in by_part] or contexts_of_event(profile, event)
        chains = [self._source_lines.chain(each) for each in named or [stack]]
        innermost = [chain[0] for chain in chains if chain]
        around = [place for chain in chains for place in chain[1:]]
        return [TimelinePlace(*place) for place in dict.fromkeys((*innermost, *around))]

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
