"""The per-line report of a profile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sidelight.analysis.device_time import busy_time_ns, counted_rows
from sidelight.analysis.engine_busy import busy_by_engine
from sidelight.analysis.grouping import grouped_sums
from sidelight.analysis.line_totals import NOTHING, Line, Sums, added, totals_by_line
from sidelight.analysis.nesting import user_code_rows
from sidelight.analysis.parts import parts_in_pieces
from sidelight.analysis.predictions import (
    NO_LINE_KEY,
    LinePrediction,
    bytes_of_rows,
    is_priced,
    predictions_by_line,
)
from sidelight.analysis.report import LineReport, LineStats, OperatorShare
from sidelight.analysis.step_spread import device_time_spread, length_spread
from sidelight.profile.manifest import Attribution
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Table


@dataclass
class _Tally:
    forward_ns: int = 0
    backward_ns: int = 0
    total_ns: int = 0
    launched_ns: int = 0
    count: int = 0
    host_ns: int = 0
    divided_rows: int = 0
    whole_rows: int = 0
    engines: dict[str, int] | None = None
    prediction: LinePrediction = field(default_factory=LinePrediction)
    ops: dict[int, list[int]] = field(default_factory=dict[int, "list[int]"])

    def add_operator(self, name: int, device_ns: int, rows: int, hbm_bytes: int) -> None:
        share = self.ops.setdefault(name, [0, 0, 0])
        share[0] += device_ns
        share[1] += rows
        share[2] += hbm_bytes


def line_report(profile: Profile, directory: str) -> LineReport:
    """Sum an attributed profile's device time by source line, over its recorded steps.

    Args:
        profile: An attributed profile.
        directory: Where it is stored, as the report shows it.

    Returns:
        The report; its lines' ``self_ns`` and ``unattributed_ns`` add up to ``device_time_ns``.
    """
    events, manifest = profile.events, profile.manifest
    in_step = events["step"] >= 0
    counted = np.flatnonzero(in_step & counted_rows(events))
    tallies: defaultdict[Line, _Tally] = defaultdict(_Tally)
    unattributed = _Tally()
    line_of_stack = _innermost_lines(profile)
    of_stack: dict[int, Sums] = {}

    for group in _grouped(profile, counted):
        stack, launch, backward, name, device_ns, rows, divided_rows, hbm_bytes = group
        if stack < 0:
            unattributed.add_operator(name, device_ns, rows, hbm_bytes)
            unattributed.forward_ns += device_ns
            continue
        own = tallies[line_of_stack[stack]]
        own.add_operator(name, device_ns, rows, hbm_bytes)
        if backward:
            own.backward_ns += device_ns
        else:
            own.forward_ns += device_ns
        of_stack[stack] = added(
            of_stack.get(stack, NOTHING), (device_ns, divided_rows, rows - divided_rows)
        )
        for line in _launching_lines(profile, launch, line_of_stack):
            if line != line_of_stack[stack]:
                tallies[line].launched_ns += device_ns

    parents: list[int] = profile.stacks["parent"].tolist()
    for line, sums in totals_by_line(parents, line_of_stack, of_stack):
        tally = tallies[line]
        tally.total_ns += sums[0]
        tally.divided_rows += sums[1]
        tally.whole_rows += sums[2]
    for line, engines in busy_by_engine(profile).items():
        tallies[line].engines = engines
    whole = _add_predictions(profile, tallies)
    _add_counts(profile, tallies, in_step)
    known = manifest.line_level == "line"
    lines = [
        _line_stats(profile, line, tally, known)
        for line, tally in tallies.items()
        if tally.total_ns or tally.launched_ns or tally.prediction.predicted_ns
    ]
    lines.sort(key=lambda line: (-line.self_ns, -line.total_ns, line.file, line.line))
    device_time_ns = int(events["device_ns"][counted].sum())
    attributed_ns = sum(line.self_ns for line in lines)
    start_ns = events["start_ns"][counted]
    end_ns = start_ns + events["duration_ns"][counted]
    return LineReport(
        profile=directory,
        name=manifest.name,
        format=manifest.format,
        target=manifest.target,
        device=manifest.device,
        script_exit=manifest.script_exit,
        stopped_by=manifest.stopped_by,
        steps=len(profile.steps),
        warmup=manifest.warmup,
        rank=manifest.rank,
        world_size=manifest.world_size,
        events=len(events),
        recorded_ns=int((profile.steps["end_ns"] - profile.steps["start_ns"]).sum()),
        step_length=length_spread(profile),
        device_time_ns=device_time_ns,
        step_device_time=device_time_spread(profile, counted),
        device_busy_ns=busy_time_ns(events),
        span_ns=int(end_ns.max() - start_ns.min()) if len(counted) else 0,
        attributed_ns=attributed_ns,
        unattributed_ns=unattributed.forward_ns,
        predicted_ns=whole.known_ns if whole else None,
        hbm_bytes=whole.known_bytes if whole else None,
        time_kind=manifest.time_kind,
        attribution=manifest.attribution,
        pricing=manifest.pricing,
        memory=manifest.memory,
        unattributed_ops=_operator_shares(profile, unattributed),
        lines=lines,
        quality=manifest.quality,
    )


def _grouped(
    profile: Profile, rows: npt.NDArray[np.int64]
) -> Iterator[tuple[int, int, int, int, int, int, int, int]]:
    """Sum parts of rows that share a stack, launch, direction and operator name.

    Returns:
        ``(stack, launch, backward, name, device_ns, rows, divided_rows, hbm_bytes)`` for each
        group.
    """
    events, hbm_bytes = profile.events, bytes_of_rows(profile)
    operator_name = events["name"][events["operator"]]
    is_one = counts_as_row(events)
    keys, sums = grouped_sums(
        (
            [
                parts.stack,
                events["launch"][parts.row],
                events["backward"][parts.row],
                operator_name[parts.row],
            ],
            [
                parts.device_ns,
                is_one[parts.row].astype(np.int64),
                parts.is_divided.astype(np.int64),
                hbm_bytes[parts.row],
            ],
        )
        for parts in parts_in_pieces(profile, rows)
    )
    return zip(*(column.tolist() for column in (*keys, *sums)), strict=True)


def counts_as_row(events: Table) -> npt.NDArray[np.bool_]:
    """Which rows count as one of their operator's.

    Where an operator only calls another overload of itself, both rows are one call, as in torch's
    own tables (``EventList._remove_dup_nodes``): the inner row does not count again.

    Args:
        events: Attributed events.
    """
    category, name, parent = events["category"], events["name"], events["parent"]
    is_operator = category == Category.OPERATOR
    in_torchs_tree = np.isin(
        category, (Category.OPERATOR, Category.LINE, Category.ANNOTATION, Category.STEP)
    )
    children = np.bincount(parent[in_torchs_tree & (parent >= 0)], minlength=len(events))
    inner = np.flatnonzero(is_operator & (parent >= 0))
    outer = parent[inner]
    is_overload = (children[outer] == 1) & is_operator[outer] & (name[inner] == name[outer])
    counts = np.ones(len(events), np.bool_)
    counts[inner[is_overload]] = False
    return counts


def _innermost_lines(profile: Profile) -> list[Line]:
    """The innermost line of every calling context."""
    frames = profile.frames
    lines: list[Line] = list(zip(frames["file"].tolist(), frames["line"].tolist(), strict=True))
    return [lines[frame] for frame in profile.stacks["frame"].tolist()]


def _launching_lines(profile: Profile, launch: int, line_of_stack: list[Line]) -> set[Line]:
    """The lines that started the backward passes around a row, each once."""
    stack, parent = profile.launches["stack"], profile.launches["parent"]
    lines: set[Line] = set()
    while launch >= 0:
        lines.add(line_of_stack[int(stack[launch])])
        launch = int(parent[launch])
    return lines


def _add_predictions(profile: Profile, tallies: defaultdict[Line, _Tally]) -> LinePrediction | None:
    """Add what is predicted for lines to their tallies.

    Returns:
        What is predicted for all of the recorded steps; None for a profile without prices.
    """
    if not is_priced(profile.events):
        return None
    whole = LinePrediction()
    for line, prediction in predictions_by_line(profile).items():
        whole.predicted_ns += prediction.predicted_ns
        whole.hbm_bytes += prediction.hbm_bytes
        whole.priced |= prediction.priced
        whole.unpriced |= prediction.unpriced
        if line != NO_LINE_KEY:
            tallies[line].prediction = prediction
    return whole


def _add_counts(
    profile: Profile,
    tallies: dict[Line, _Tally],
    in_step: npt.NDArray[np.bool_],
) -> None:
    """Add how often statements were entered, and their host time, to lines that have tallies."""
    events = profile.events
    user_code = user_code_rows(events)
    entered = np.bincount(
        events["frame"][user_code & in_step & (events["entry"] == 1)],
        minlength=len(profile.frames),
    )
    host_ns = np.zeros(len(profile.frames), np.int64)
    np.add.at(host_ns, events["frame"][user_code], events["host_ns"][user_code])
    file, line = profile.frames["file"].tolist(), profile.frames["line"].tolist()
    for key, count, host in zip(
        zip(file, line, strict=True), entered.tolist(), host_ns.tolist(), strict=True
    ):
        if key in tallies:
            tallies[key].count += count
            tallies[key].host_ns += host


def _line_stats(profile: Profile, line: Line, tally: _Tally, lines_known: bool) -> LineStats:
    manifest, prediction = profile.manifest, tally.prediction
    priced = is_priced(profile.events) and prediction.known_ns is not None
    predicted = manifest.time_kind == "predicted"
    return LineStats(
        file=profile.files[line[0]].path,
        line=line[1],
        self_ns=tally.forward_ns + tally.backward_ns,
        total_ns=tally.total_ns,
        forward_ns=tally.forward_ns,
        backward_ns=tally.backward_ns,
        launched_ns=tally.launched_ns,
        predicted_ns=prediction.known_ns if priced else None,
        count=tally.count,
        host_ns=tally.host_ns if lines_known else None,
        time_kind=manifest.time_kind,
        attribution=_attribution_of(manifest.attribution, tally, predicted=predicted),
        flops=prediction.flops if priced else None,
        hbm_bytes=prediction.hbm_bytes if priced else None,
        engines=prediction.engines if priced and predicted else tally.engines,
        ops=_operator_shares(profile, tally),
    )


def _attribution_of(whole: Attribution, tally: _Tally, *, predicted: bool) -> Attribution:
    """Of a line: what its kernels say where its time is predicted, else what its rows say."""
    if predicted:
        return "apportioned" if tally.prediction.apportioned else "exact"
    if whole != "mixed" or (tally.divided_rows and tally.whole_rows):
        return whole
    return "apportioned" if tally.divided_rows else "exact"


def _operator_shares(profile: Profile, tally: _Tally) -> list[OperatorShare]:
    known = profile.manifest.time_kind == "predicted"
    shares = [
        OperatorShare(profile.strings[name], device_ns, rows, hbm_bytes if known else None)
        for name, (device_ns, rows, hbm_bytes) in tally.ops.items()
    ]
    return sorted(shares, key=lambda share: (-share.self_ns, share.name))
