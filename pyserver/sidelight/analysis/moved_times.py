"""A recording's times on another clock: those of its rows, steps and calls of modules."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.device_layout import Layout
from sidelight.analysis.nesting import IntColumn
from sidelight.profile.model import Profile
from sidelight.profile.tables import Table


def moved_times(events: Table, layout: Layout) -> dict[str, IntColumn]:
    """Start and duration of rows, each of whose instants is one of the layout's."""
    start_ns = layout.moved(events["start_ns"])
    end_ns = layout.moved(events["start_ns"] + events["duration_ns"])
    return {"start_ns": start_ns, "duration_ns": end_ns - start_ns}


def move_steps(profile: Profile, layout: Layout) -> None:
    """Move the recorded steps, whose bounds are instants of the layout."""
    profile.steps = Table(
        {name: layout.moved(profile.steps[name]) for name in ("start_ns", "end_ns")}
    )
    before_ns = profile.manifest.step_before_ns
    if before_ns is not None:
        profile.manifest.step_before_ns = int(layout.moved(np.array([before_ns]))[0])


def move_module_calls(profile: Profile, layout: Layout) -> None:
    """Let calls of modules begin and end with what begins or ends next: they set no instants."""
    calls = profile.module_calls
    last_ns = layout.old_ns[-1] if len(layout.old_ns) else 0
    start_ns = np.minimum(calls["start_ns"], last_ns)
    end_ns = np.minimum(calls["start_ns"] + calls["duration_ns"], last_ns)
    start_ns, end_ns = layout.moved(start_ns), layout.moved(end_ns)
    profile.module_calls = calls.with_columns(
        {"start_ns": start_ns, "duration_ns": end_ns - start_ns}
    )
