"""What is known about a profile beside its tables. Cheap to load: no numpy in here."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from sidelight.profile.quality import QualityNote

SCHEMA_VERSION = 1
"""Raised whenever a stored profile of the older version would be read wrongly."""

StoppedBy = Literal["interrupt", "terminate", "captured", "killed", "disk_full"]
TimeKind = Literal["measured", "predicted", "mixed"]
StepsFrom = Literal["optimizer", "module", "profiler", "run"]
Attribution = Literal["exact", "apportioned", "mixed"]

TrackEngine = Literal["tensor", "vector", "scalar", "gpsimd", "sync", "dma", "collective"]

STAND_IN_TARGETS: Final = ("virtual", "fake")
"""Targets on which something stands in for the device: its times can only be predicted."""

TARGETS_WITHOUT_VALUES: Final = ("fake",)
"""Those of them on which nothing is computed."""


def is_profile_name(text: str) -> bool:
    """Whether a profile can be called so: something to see, and nothing that moves a cursor."""
    return bool(text.strip()) and text.isprintable()


class Track(msgspec.Struct, frozen=True):
    """A lane of the timeline.

    Attributes:
        kind: A thread of the host, or a stream of a device.
        name: What people call it.
        pid: Process id, or the device's number, as the trace has it.
        tid: Thread id or stream, as the trace has it.
        engine: What of a NeuronCore it is of; None for whole cores and other devices' streams.
    """

    kind: Literal["host", "device"]
    name: str
    pid: str
    tid: str
    engine: TrackEngine | None = None


class SourceFile(msgspec.Struct, frozen=True):
    """A file that lines are attributed to.

    Attributes:
        path: Absolute where the file exists on this machine, else as the trace has it.
        text: The file as it was when it ran; None where it is not known.
    """

    path: str
    text: str | None = None


class PricingParameter(msgspec.Struct, frozen=True):
    """A number that predictions reckon with, beside the chip's figures.

    Attributes:
        name: What it is called.
        value: Its value.
        unit: Its unit, empty for a ratio.
        source: Where it is from; begins with ``assumption`` where nothing documents it.
    """

    name: str
    value: float
    unit: str
    source: str


class FitError(msgspec.Struct, frozen=True):
    """How far fitted predictions are from what was measured, for one operator.

    Attributes:
        operator: Its name.
        kernels: How many were measured.
        measured_ns: Their device time.
        median_ratio: The median of predicted over measured.
        p90_error: Nine in ten are off by no more than this part of the measured time.
    """

    operator: str
    kernels: int
    measured_ns: int
    median_ratio: float
    p90_error: float


class Pricing(msgspec.Struct, frozen=True, kw_only=True):
    """What a profile's predicted times are for.

    Attributes:
        chip: The chip, such as ``trn2``.
        lnc: Physical cores in the logical core.
        label: Both, as people call them.
        auto_cast: What of fp32 runs as bf16: ``all``, ``matmult`` or ``none``.
        calibration: The name of the fit that was used; None for documented rates.
        measured_on: The device that it was fitted to.
        hbm_bytes: HBM of the logical core.
        errors: How well the fit meets the measurements it was made from, where this is them.
        parameters: What else was reckoned with.
    """

    chip: str
    lnc: int
    label: str
    auto_cast: str
    calibration: str | None = None
    measured_on: str | None = None
    hbm_bytes: int
    errors: list[FitError] = msgspec.field(default_factory=list[FitError])
    parameters: list[PricingParameter] = msgspec.field(default_factory=list[PricingParameter])


class DeviceMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Memory that a program holds on the device, in bytes.

    Attributes:
        peak_bytes: The most it holds at once.
        weights_bytes: The part of the peak that parameters take.
        gradients_bytes: That of their gradients.
        optimizer_bytes: That of the optimizers' state.
        activations_bytes: The rest of the peak.
    """

    peak_bytes: int
    weights_bytes: int
    gradients_bytes: int
    optimizer_bytes: int
    activations_bytes: int


class Series(msgspec.Struct, frozen=True):
    """A quantity over time (the ``samples`` table).

    Attributes:
        name: What it is of.
        unit: ``bytes``, ``bytes_per_s``, ``fraction``, or empty for a count.
        owner: The core, device or machine it was taken on.
        capacity_bytes: How much there is of what was sampled, as the file says; None where it does
            not.
    """

    name: str
    unit: Literal["bytes", "bytes_per_s", "fraction", ""]
    owner: str
    capacity_bytes: int | None = None


class Throttling(msgspec.Struct, frozen=True, kw_only=True):
    """What heat or power took from a core's throughput, as the profile itself sums it up.

    Attributes:
        core: The core's number.
        kind: What throttled it, as the file calls it; ``all`` is everything together.
        active_ns: How long it was throttled; None where it is not told.
        allowed_fraction: What part of its throughput it was allowed meanwhile, by time; None
            likewise.
    """

    core: int
    kind: str
    active_ns: int | None = None
    allowed_fraction: float | None = None


class CoreFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The core that a device profile was taken on, as the profile itself has it.

    Attributes:
        instance_type: Such as ``trn2.3xlarge``; empty where it is not told.
        physical_cores: Physical cores in the logical one.
        tensor_rows: Rows of the Tensor Engine's array.
        tensor_columns: Columns of it.
        tensor_clock_hz: Its clock; None where it is not told.
        hbm_bytes_per_s: Bandwidth of one HBM stack; None likewise.
        hbm_capacity_bytes: HBM of the core; None likewise.
        hbm_bytes_by_use: What HBM held for the program, in bytes, by what it was for.
        throttling: How far the core was throttled; empty where that is not told.
        first_ns: The hardware's first instant, by the file's own clock; None likewise.
        last_ns: Its last.
    """

    instance_type: str = ""
    physical_cores: int = 1
    tensor_rows: int = 128
    tensor_columns: int = 128
    tensor_clock_hz: float | None = None
    hbm_bytes_per_s: float | None = None
    hbm_capacity_bytes: int | None = None
    hbm_bytes_by_use: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    throttling: list[Throttling] = msgspec.field(default_factory=list[Throttling])
    first_ns: int | None = None
    last_ns: int | None = None


class Kpi(msgspec.Struct, frozen=True):
    """A figure of a benchmark's report, such as a latency of one of its parts.

    Attributes:
        name: Stable snake_case identifier, unit last: ``ttft_p50_ms``, ``throughput_tokens_per_s``.
        part: The part of the model it is of (``token_generation_model``); empty for the whole.
        value: None where the report has none.
    """

    name: str
    part: str
    value: float | None


class Manifest(msgspec.Struct, kw_only=True):
    """What is known about a profile beside its tables.

    Attributes:
        schema: Version of the stored form.
        name: What people call the profile. Several profiles may share one.
        created: ISO 8601, UTC.
        format: The format it was read from, such as ``torch_trace``.
        target: What it ran on as asked for: ``cpu``, ``neuron``, ``virtual``, ``fake``, or
            ``file`` for opened files.
        device: What its device times are of: ``cpu``, ``cuda``, ``neuron``, ...
        time_kind: Measured by the device's clock, or predicted.
        attribution: ``apportioned`` where one execution was split over several lines.
        line_level: How fine lines are known.
        start_unix_ns: The profile's zero, in nanoseconds since 1970.
        command: The script and its arguments, as run.
        working_directory: Where it ran.
        versions: python, torch, sidelight, ...
        environment: Variables worth knowing (those of Neuron, torch and the launcher).
        inputs: The files it was read from.
        runtime_files: Folders of what the Neuron runtime wrote of the run by itself.
        host: The machine's name.
        rank: Rank in a distributed run.
        world_size: Ranks in that run.
        script_exit: The script's exit status; None while it runs, or where a signal ended it.
        stopped_by: What cut the run short.
        steps_from: What separates the steps: an optimizer's steps, calls of a module, the script's
            own ``prof.step()`` calls, or nothing (the whole run).
        warmup: Steps recorded and left out as warm-up.
        step_before_ns: Start of the last of those; None where nothing came before it.
        pricing: What its predicted times are for; None where it was not priced.
        memory: What the program holds on the device; None where it is not known.
        series: What the ``samples`` table is of.
        core: What the profile says of the core; None where it says nothing.
        vendor_metrics: Figures that the vendor's own tool wrote into the file, by its names.
        kpis: Figures that a benchmark's report holds.
        more_tables: Which of the tables that few profiles have this one has.
        quality: The data-quality report.
    """

    schema: int = SCHEMA_VERSION
    name: str
    created: str
    format: str
    target: str = "file"
    device: str = "unknown"
    time_kind: TimeKind = "measured"
    attribution: Attribution = "exact"
    line_level: Literal["line", "function", "none"] = "none"
    start_unix_ns: int = 0
    command: list[str] = msgspec.field(default_factory=list[str])
    working_directory: str = ""
    versions: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    environment: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    inputs: list[str] = msgspec.field(default_factory=list[str])
    runtime_files: list[str] = msgspec.field(default_factory=list[str])
    host: str = ""
    rank: int | None = None
    world_size: int | None = None
    script_exit: int | None = None
    stopped_by: StoppedBy | None = None
    steps_from: StepsFrom = "run"
    warmup: int = 0
    step_before_ns: int | None = None
    pricing: Pricing | None = None
    memory: DeviceMemory | None = None
    series: list[Series] = msgspec.field(default_factory=list[Series])
    core: CoreFigures | None = None
    vendor_metrics: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    kpis: list[Kpi] = msgspec.field(default_factory=list[Kpi])
    more_tables: list[str] = msgspec.field(default_factory=list[str])
    quality: list[QualityNote] = msgspec.field(default_factory=list[QualityNote])
