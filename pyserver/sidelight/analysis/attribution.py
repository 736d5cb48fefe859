"""Whose time it is: every event gets the whole chain of user lines that caused it.

The rules are design's "What the numbers mean". In short: a host row belongs to the lines it is
nested in; what runs under an autograd node belongs to the line of the forward operator with the
node's sequence number; a device row belongs to the operator that launched it; work of a core's
engines belongs to the lines that the file itself names for it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sidelight.analysis.device_time import DeviceTime, device_time
from sidelight.analysis.division import DividedTime, divide, first_origins, merge_origins
from sidelight.analysis.launching import launching_rows, rows_with_id
from sidelight.analysis.metrics.notes import notes_on_metrics
from sidelight.analysis.nesting import (
    Indexes,
    IntColumn,
    Mask,
    nest,
    operator_rows,
    time_without_nested,
    user_code_rows,
)
from sidelight.analysis.overlaps import notes_on_overlaps
from sidelight.analysis.places import HostWalk
from sidelight.analysis.steps import recorded_before, step_entered_in, step_of
from sidelight.analysis.unfinished_steps import notes_on_unfinished_steps
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import LAUNCH_COLUMNS, STACK_COLUMNS, Category, Table


def attribute(profile: Profile) -> Profile:
    """Fill in the attribution columns, the calling-context tree and the backward launches.

    Args:
        profile: As a reader returned it; its steps are known.

    Returns:
        The same profile object, with ``events``, ``stacks``, ``launches``, ``origins`` and
        ``shares`` replaced and what was found on the way added to its quality report.
    """
    events = profile.events
    category = events["category"]
    is_device = (category == Category.DEVICE) | (category == Category.DEVICE_COARSE)
    is_operator = operator_rows(events)
    user_code = user_code_rows(events)
    encloses = is_operator | user_code
    of_core = np.isin(category, (Category.ENGINE_WORK, Category.COMPILED_OPERATOR))
    parent, outlasting = _parents(events, ~is_device & ~of_core, encloses)
    walk = HostWalk(profile, parent, user_code)
    owner = launching_rows(profile, is_device)

    # The operator or line each row runs in: itself, or the one around it or around its launch.
    every_row = np.arange(len(events), dtype=np.int32)
    within = np.where(encloses, every_row, parent)
    launched = np.flatnonzero(owner >= 0)
    within[launched] = within[owner[launched]]
    place = np.where(within >= 0, walk.place_of_row[within], 0)
    counts_under = np.where((within >= 0) & is_operator[within], within, every_row)
    del within, every_row  # dividing device time needs the room
    _count_under_compiled_operators(events, np.flatnonzero(of_core), counts_under)

    origins = merge_origins(profile, walk.stacks)
    stack = np.array([each.stack for each in walk.places], np.int32)[place]
    stack = np.where(stack >= 0, stack, first_origins(origins, len(events)))
    stacks = Table.of(STACK_COLUMNS, {"parent": walk.stacks.parents, "frame": walk.stacks.labels})
    time = device_time(events, parent)
    divided = divide(profile, stacks, origins, stack, time)
    profile.stacks, profile.origins, profile.shares = stacks, origins, divided.shares
    if divided.attribution != "exact":
        profile.manifest.attribution = divided.attribution
    profile.launches = Table.of(
        LAUNCH_COLUMNS, {"parent": walk.launches.parents, "stack": walk.launches.labels}
    )
    profile.events = events.with_columns(
        {
            "parent": parent,
            "stack": stack,
            "backward": np.array([each.backward for each in walk.places], np.int8)[place],
            "launch": np.array([each.launch for each in walk.places], np.int32)[place],
            "operator": counts_under,
            "step": _steps(profile, owner),
            "device_ns": divided.device_ns,
            "host_ns": _host_time(profile),
        }
    )
    _note_findings(profile, walk.forward_not_recorded, time, divided, owner)
    for notes in (
        notes_on_overlaps(events, outlasting, time),
        notes_on_unfinished_steps(profile),
        notes_on_metrics(profile),
    ):
        profile.manifest.quality.extend(notes)
    # An exported trace tells already what was found when it was first attributed.
    profile.manifest.quality = list(dict.fromkeys(profile.manifest.quality))
    return profile


def _count_under_compiled_operators(events: Table, rows: IntColumn, counts_under: Indexes) -> None:
    """Have rows of a core count under the compiler's operator that they are part of by their id."""
    external_id = events["external_id"]
    counts_under[rows] = rows
    rows = rows[external_id[rows] >= 0]
    operators = rows[events["category"][rows] == Category.COMPILED_OPERATOR]
    found = rows_with_id(external_id[rows], external_id, operators)
    counts_under[rows] = np.where(found >= 0, found, rows)


def _steps(profile: Profile, owner: Indexes) -> npt.NDArray[np.int32]:
    """The step of each row: that of what launched it, else the one it starts in."""
    events, steps = profile.events, profile.steps
    start_ns = events["start_ns"]
    step = step_of(steps, start_ns)
    launched = np.flatnonzero(owner >= 0)
    step[launched] = step_of(steps, start_ns[owner[launched]])
    if profile.manifest.steps_from == "module":
        lines = np.flatnonzero(events["category"] == Category.LINE)
        end_ns = start_ns[lines] + events["duration_ns"][lines]
        before_ns = profile.manifest.step_before_ns
        step[lines] = step_entered_in(steps, before_ns, start_ns[lines], end_ns)
    return step


def _parents(events: Table, may_be_nested: Mask, encloses: Mask) -> tuple[Indexes, IntColumn]:
    """Find what each row is nested in.

    Returns:
        The innermost enclosing row around each row on its track, -1 for none, and for all others;
        and the rows that end after the innermost one that they began in.
    """
    has_enclosing = np.zeros(int(events["track"].max(initial=-1)) + 1, np.bool_)
    has_enclosing[events["track"][encloses]] = True
    rows = np.flatnonzero(may_be_nested & has_enclosing[events["track"]])
    start_ns = events["start_ns"][rows]
    found, outlasting = nest(
        events["track"][rows], start_ns, start_ns + events["duration_ns"][rows], encloses[rows]
    )
    parent = np.full(len(events), -1, np.int32)
    parent[rows] = np.where(found >= 0, rows[found], -1)
    return parent, rows[outlasting]


def _host_time(profile: Profile) -> IntColumn:
    """Wall time in recorded steps with each line innermost; 0 for rows that are not lines."""
    events = profile.events
    lines = np.flatnonzero(events["category"] == Category.LINE)
    start_ns = events["start_ns"][lines]
    end_ns = start_ns + events["duration_ns"][lines]
    # Among themselves: an operator between two lines does not part them.
    among_lines = nest(events["track"][lines], start_ns, end_ns, np.ones(len(lines), np.bool_))
    host_ns = np.zeros(len(events), np.int64)
    host_ns[lines] = time_without_nested(
        recorded_before(profile.steps, start_ns),
        recorded_before(profile.steps, end_ns),
        among_lines.parent,
    )
    return host_ns


def _note_findings(
    profile: Profile,
    forward_not_recorded: int,
    time: DeviceTime,
    divided: DividedTime,
    owner: Indexes,
) -> None:
    if forward_not_recorded:
        profile.note(
            QualityNote(
                "forward_not_recorded",
                "info",
                "Some backward work belongs to forward operators from before the recording; it is "
                "shown on the line that called .backward(). Record whole steps to have "
                "it on its own.",
                forward_not_recorded,
            )
        )
    if time.nested_rows:
        profile.note(
            QualityNote(
                "nested_device_rows",
                "info",
                "Device rows lie within one another on a stream; only the innermost count as "
                "device time, so that nothing counts twice. Nothing need be done.",
                time.nested_rows,
            )
        )
    if time.level == "device_coarse":
        profile.note(
            QualityNote(
                "coarse_device_rows",
                "warning",
                "The trace has only driver or runtime rows of the device; they span from dispatch "
                "to completion, so device time is overstated. Record with device rows to see less.",
            )
        )
    is_orphan = (time.device_ns > 0) & (owner < 0) & (profile.events["stack"] < 0)
    is_orphan[divided.shares["event"]] = False
    orphans = int(is_orphan.sum()) if time.level != "cpu" else 0
    if orphans:
        profile.note(
            QualityNote(
                "device_rows_without_operator",
                "info",
                "Some device rows name no operator that launched them; their time is unattributed. "
                "Keep the profiler on from before the work is launched until the device is done.",
                orphans,
            )
        )
