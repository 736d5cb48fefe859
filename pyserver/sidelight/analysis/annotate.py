"""Makes what stands beside the source from an attributed profile."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from sidelight.analysis.annotations import (
    Annotations,
    FileAnnotations,
    LineAnnotation,
    OperatorDetail,
    ScopeAnnotation,
)
from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.explain import explain_lines
from sidelight.analysis.grouping import IntKey, grouped_sums
from sidelight.analysis.headline import headline
from sidelight.analysis.idle.gaps import idle_gaps
from sidelight.analysis.lines import line_report
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.parts import Parts, parts_in_pieces
from sidelight.analysis.report import LineStats
from sidelight.analysis.scopes import Outline
from sidelight.analysis.shapes import input_shapes
from sidelight.analysis.source_lines import NO_LINE, Place, SourceLines
from sidelight.profile.model import Profile

_MOST_OPERATORS = 8

_Signatures = dict[tuple[Place, str], str]
"""The signature that cost most, by line and operator."""


def annotate(profile: Profile) -> Annotations:
    """Everything an editor shows of a profile, over its recorded steps.

    Args:
        profile: An attributed profile.

    Returns:
        The per-line report's own numbers, with shapes, idle time and scopes.
    """
    report = line_report(profile, "")
    events, source_lines = profile.events, SourceLines(profile)
    counted = np.flatnonzero(counted_rows(events) & (events["step"] >= 0))
    idle_ns = _idle_by_line(profile, source_lines)
    signatures = _costliest_signatures(profile, counted, source_lines)
    kernels = explain_lines(profile)
    stats_of_file: defaultdict[str, list[LineStats]] = defaultdict(list)
    for stats in report.lines:
        stats_of_file[stats.file].append(stats)
    outlines = {
        source.path: Outline(source.text or "")
        for source in profile.files
        if source.path in stats_of_file
    }
    scopes = _scopes(profile, counted, source_lines, outlines)
    texts = {source.path: source.text for source in profile.files}

    def line_annotation(stats: LineStats) -> LineAnnotation:
        of_line = kernels.get((stats.file, stats.line), [])
        return LineAnnotation(
            stats=stats,
            end_line=outlines[stats.file].end_line(stats.line),
            idle_before_ns=idle_ns[stats.file, stats.line],
            ops=_operator_details(stats, signatures),
            kernels=of_line[:_MOST_OPERATORS],
            kernel_count=len(of_line),
        )

    return Annotations(
        name=report.name,
        target=report.target,
        device=report.device,
        time_kind=report.time_kind,
        attribution=report.attribution,
        steps=report.steps,
        warmup=report.warmup,
        device_time_ns=report.device_time_ns,
        unattributed_ns=report.unattributed_ns,
        pricing=report.pricing,
        headline=headline(report),
        quality=report.quality,
        files=[
            FileAnnotations(
                file=file,
                text=texts[file],
                lines=sorted(map(line_annotation, lines), key=lambda line: line.stats.line),
                scopes=scopes[file],
            )
            for file, lines in stats_of_file.items()
        ],
    )


def _idle_by_line(profile: Profile, source_lines: SourceLines) -> dict[Place, int]:
    """The gaps directly before each line's work, summed."""
    gaps = idle_gaps(profile.events, profile.steps)
    line = source_lines.innermost(profile.events["stack"][gaps.row])
    idle_ns = np.zeros(len(source_lines.numbers), np.int64)
    on_line = line != NO_LINE
    np.add.at(idle_ns, line[on_line], gaps.duration_ns[on_line])
    return dict(zip(source_lines.numbers, idle_ns.tolist(), strict=True))


def _costliest_signatures(
    profile: Profile, rows: IntColumn, source_lines: SourceLines
) -> _Signatures:
    """For each operator of a line, the signature whose rows took most of its time there."""
    events, places = profile.events, list(source_lines.numbers)
    with_signature = events["signature"] >= 0
    rows = rows[with_signature[events["operator"][rows]]]

    def keys(parts: Parts) -> list[IntKey]:
        operator = events["operator"][parts.row]
        line = source_lines.innermost(parts.stack)
        return [events["signature"][operator], events["name"][operator], line]

    groups, (costs_ns,) = grouped_sums(
        (keys(parts), [parts.device_ns])
        for parts in map(Parts.on_lines, parts_in_pieces(profile, rows))
    )
    costliest: dict[tuple[Place, str], tuple[int, str]] = {}
    found_groups: list[tuple[int, ...]] = list(
        zip(*(column.tolist() for column in (*groups, costs_ns)), strict=True)
    )
    for signature, name, number, cost_ns in found_groups:
        key = (places[number], profile.strings[name])
        found = (cost_ns, profile.strings[signature])
        costliest[key] = max(costliest.get(key, found), found)
    return {key: signature for key, (_, signature) in costliest.items()}


def _operator_details(stats: LineStats, signatures: _Signatures) -> list[OperatorDetail]:
    return [
        OperatorDetail(
            operator.name,
            operator.self_ns,
            operator.count,
            operator.hbm_bytes,
            input_shapes(signatures.get(((stats.file, stats.line), operator.name), "")),
        )
        for operator in stats.ops[:_MOST_OPERATORS]
    ]


def _scopes(
    profile: Profile,
    rows: IntColumn,
    source_lines: SourceLines,
    outlines: dict[str, Outline],
) -> dict[str, list[ScopeAnnotation]]:
    """The functions and classes with device time, by file, in the file's order."""
    around_line = {file: outline.scopes_at() for file, outline in outlines.items()}
    around_frame = [
        frozenset((file, index) for index in around_line.get(file, {}).get(line, ()))
        for file, line in source_lines.of_frames()
    ]
    # Callers come first in the tree of calling contexts.
    around_stack: list[frozenset[tuple[str, int]]] = []
    parents: list[int] = profile.stacks["parent"].tolist()
    frames: list[int] = profile.stacks["frame"].tolist()
    for parent, frame in zip(parents, frames, strict=True):
        own = around_frame[frame]
        callers = around_stack[parent] if parent >= 0 else own
        around_stack.append(callers if own <= callers else own | callers)

    (stacks,), (sums_ns,) = grouped_sums(
        ([parts.stack], [parts.device_ns])
        for parts in map(Parts.on_lines, parts_in_pieces(profile, rows))
    )
    total_ns: defaultdict[tuple[str, int], int] = defaultdict(int)
    for stack, device_ns in zip(stacks, sums_ns, strict=True):
        for scope in around_stack[int(stack)]:
            total_ns[scope] += int(device_ns)
    return {
        file: [
            ScopeAnnotation(
                scope.kind, scope.name, scope.line, scope.end_line, total_ns[file, index]
            )
            for index, scope in enumerate(outline.scopes)
            if total_ns[file, index]
        ]
        for file, outline in outlines.items()
    }
