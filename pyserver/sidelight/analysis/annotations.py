"""What stands beside the source: the per-line report, and what an editor shows around it.

These are the types alone, cheap to import; :mod:`sidelight.analysis.annotate` makes them. Figures
are integer sums over the recorded steps, exactly those of the per-line report.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sidelight.analysis.report import LineStats, OperatorShare
from sidelight.profile.manifest import Attribution, Pricing, TimeKind
from sidelight.profile.quality import QualityNote

ScopeKind = Literal["function", "class", "forward"]


class OperatorDetail(OperatorShare, frozen=True):
    """One operator's part of a line's own device time, with what it was given.

    Attributes:
        shapes: The inputs of the calls that took most of it, such as ``float32 [64, 1024]``;
            empty where they were not recorded.
    """

    shapes: list[str]


class KernelDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A predicted kernel, and what its time rests on.

    Attributes:
        name: The operator's name.
        shapes: Its inputs, such as ``float32 [64, 1024]``.
        backward: Whether it runs in the backward pass.
        rule: How the operator was understood, in words.
        engine: What takes longest.
        dtype: What the roof is of.
        flops: Useful floating-point operations of one.
        hbm_bytes: What one moves between HBM and the core.
        duration_ns: Device time of one.
        fixed_ns: The part of it that starting and ending it takes.
        roof_ns: What the plain roofline allows.
        launch_ns: What submitting it takes the host; no device time.
        bound: ``compute``, ``memory`` or ``overhead``.
        parts: Operators that share the kernel.
        count: How many there are in the recorded steps.
        total_ns: Their device time on the line, all together.
        total_flops: Useful floating-point operations of the line's part of them.
        total_hbm_bytes: What the line's part of them moves.
    """

    name: str
    shapes: list[str]
    backward: bool
    rule: str
    engine: str
    dtype: str
    flops: int
    hbm_bytes: int
    duration_ns: int
    fixed_ns: int
    roof_ns: int
    launch_ns: int
    bound: str
    parts: int
    count: int
    total_ns: int
    total_flops: int
    total_hbm_bytes: int


class LineAnnotation(msgspec.Struct, frozen=True):
    """What is known about one line.

    Attributes:
        stats: Its numbers, as the per-line report has them.
        end_line: Last line of the statement's own text, of a compound statement its header;
            the line itself where that is not known.
        idle_before_ns: How long the device had nothing to do directly before this line's work.
        ops: The operators with most time, largest first, at most 8.
        kernels: The predicted kernels with most time, largest first, at most 8.
        kernel_count: How many different ones there are in all.
    """

    stats: LineStats
    end_line: int
    idle_before_ns: int
    ops: list[OperatorDetail]
    kernels: list[KernelDetail]
    kernel_count: int


class ScopeAnnotation(msgspec.Struct, frozen=True):
    """A function or class, with all device time that its lines caused.

    Attributes:
        kind: ``forward`` for the ``forward`` method of a class.
        name: Qualified by the scopes around it: ``Block.forward``.
        line: The line of its ``def`` or ``class``, 1-based.
        end_line: Its last line.
        total_ns: Device time of events with any line of it among those that caused them, each
            event once; nested functions count in the outer ones.
    """

    kind: ScopeKind
    name: str
    line: int
    end_line: int
    total_ns: int


class FileAnnotations(msgspec.Struct, frozen=True):
    """What is known about one source file.

    Attributes:
        file: Absolute path where the file exists, else as the trace has it.
        text: The file as it was when it ran; None where it is not known.
        lines: Every line with device time of its own or below it, in the file's order.
        scopes: The functions and classes with device time, in the file's order.
    """

    file: str
    text: str | None
    lines: list[LineAnnotation]
    scopes: list[ScopeAnnotation]


class Annotations(msgspec.Struct, frozen=True, kw_only=True):
    """A profile as an editor shows it.

    Attributes:
        steps: How many steps were recorded.
        warmup: How many before them were left out.
        device_time_ns: Device time of the recorded steps.
        unattributed_ns: The part of it that belongs to no line.
        pricing: What its predicted times are for; None where it was not priced.
        headline: The sentence that matters most, as the command line prints it first.
        quality: The data-quality report.
        files: The files that have annotations.
    """

    name: str
    target: str
    device: str
    time_kind: TimeKind
    attribution: Attribution
    steps: int
    warmup: int
    device_time_ns: int
    unattributed_ns: int
    pricing: Pricing | None
    headline: str
    quality: list[QualityNote]
    files: list[FileAnnotations]
