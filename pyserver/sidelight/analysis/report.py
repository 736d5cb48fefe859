"""The per-line report: the numbers of the command-line contract, as types.

Every figure is an integer sum over the recorded steps. On a screen they are shown as means per
step; JSON carries them as they are.
"""

from __future__ import annotations

import msgspec

from sidelight.analysis.step_spread import StepSpread
from sidelight.profile.manifest import Attribution, DeviceMemory, Pricing, StoppedBy, TimeKind
from sidelight.profile.quality import QualityNote


class OperatorShare(msgspec.Struct, frozen=True):
    """The part of a line's own device time that one operator has.

    Attributes:
        name: The launching operator's name.
        self_ns: Its device time on the line.
        count: How many rows of device time it has on the line. An operator that does nothing but
            call another overload of itself counts once with it, as in torch's own tables.
        hbm_bytes: What its kernels move between HBM and the core; None where that is not known,
            as where ``self_ns`` is measured.
    """

    name: str
    self_ns: int
    count: int
    hbm_bytes: int | None


class LineStats(msgspec.Struct, frozen=True):
    """What the device and the host spent on one source line.

    Attributes:
        file: Absolute path where the file exists, else as the trace has it.
        line: 1-based; a statement over several lines shows at its first.
        self_ns: Device time with this line innermost: ``forward_ns + backward_ns``.
        total_ns: Device time of the line and of all it called, each event once.
        forward_ns: The part of ``self_ns`` that ran forward.
        backward_ns: The part of ``self_ns`` that ran backward.
        launched_ns: Device time of other lines that ran inside the backward pass this line
            started; in none of its other numbers.
        predicted_ns: Predicted device time; None where it is not priced.
        count: How often execution entered the statement.
        host_ns: Wall time with this line innermost; None where lines are unknown.
        time_kind: Whether ``self_ns`` is measured or predicted.
        attribution: Whether it was apportioned.
        flops: Useful floating-point operations that the prediction reckons with; None where it is
            not priced.
        hbm_bytes: What moves between HBM and the core by the same; None likewise.
        engines: Busy time by engine, where known; takes no part in the sums.
        ops: The operators of ``self_ns``, largest first.
    """

    file: str
    line: int
    self_ns: int
    total_ns: int
    forward_ns: int
    backward_ns: int
    launched_ns: int
    predicted_ns: int | None
    count: int
    host_ns: int | None
    time_kind: TimeKind
    attribution: Attribution
    flops: int | None
    hbm_bytes: int | None
    engines: dict[str, int] | None
    ops: list[OperatorShare]


class LineReport(msgspec.Struct, frozen=True, kw_only=True):
    """A profile's lines and headline, as ``profile``, ``open`` and ``lines`` print them.

    Attributes:
        profile: The profile's directory.
        rank: Rank in a distributed run; None outside one.
        world_size: Ranks in that run.
        events: Events in the whole recording.
        recorded_ns: How long the recorded steps took, together.
        step_length: How much they differ in that; None where there are no two.
        device_time_ns: Sum of the device-time level over the recorded steps.
        step_device_time: How much the steps differ in it; None likewise.
        device_busy_ns: Its union over time.
        span_ns: From its first start to its last end.
        attributed_ns: The lines' ``self_ns``, summed.
        unattributed_ns: ``device_time_ns - attributed_ns``, exactly.
        predicted_ns: Predicted device time of the recorded steps; None where they are not priced.
        hbm_bytes: What all kernels move between HBM and the core by the same; None likewise.
        pricing: What the predicted times are for.
        memory: What the program holds on the device, where that is known.
        unattributed_ops: The operators of the unattributed time, largest first.
        lines: Every line with device time of its own or below it, largest ``self_ns`` first.
    """

    profile: str
    name: str
    format: str
    target: str
    device: str
    script_exit: int | None
    stopped_by: StoppedBy | None
    steps: int
    warmup: int
    rank: int | None
    world_size: int | None
    events: int
    recorded_ns: int
    step_length: StepSpread | None
    device_time_ns: int
    step_device_time: StepSpread | None
    device_busy_ns: int
    span_ns: int
    attributed_ns: int
    unattributed_ns: int
    predicted_ns: int | None
    hbm_bytes: int | None
    time_kind: TimeKind
    attribution: Attribution
    pricing: Pricing | None
    memory: DeviceMemory | None
    unattributed_ops: list[OperatorShare]
    lines: list[LineStats]
    quality: list[QualityNote]
