"""What an exported Chrome trace says beside its events, so that it can be read back exactly.

``export`` writes it, ``ingest`` reads it. The format itself has no place for lines, calling
contexts, steps and predictions; other programs pass over this member. Event arguments are named
here, too. Cheap to load: no numpy in here.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from sidelight.profile.manifest import (
    Attribution,
    DeviceMemory,
    Pricing,
    Series,
    StepsFrom,
    TimeKind,
    Track,
)
from sidelight.profile.quality import QualityNote

MEMBER: Final = "sidelight"
"""The member of the document that holds an :class:`ExportedTrace`. It comes before the events."""

_MOST = 1 << 31
_Index = Annotated[int, msgspec.Meta(ge=0, lt=_MOST)]
_IndexOrNone = Annotated[int, msgspec.Meta(ge=-1, lt=_MOST)]
_Line = Annotated[int, msgspec.Meta(ge=1, lt=_MOST)]
_Ns = Annotated[int, msgspec.Meta(ge=-(1 << 62), le=1 << 62)]
_Int64 = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]


class ExportedTrace(msgspec.Struct, kw_only=True, frozen=True):
    """What a profile's tables and manifest have, and a Chrome trace has no place for.

    Times are nanoseconds from the profile's start, as those of its events are.

    Attributes:
        schema: Version of this form.
        name: What the profile is called.
        inputs: The files that the profile was read from.
        start_unix_ns: The profile's start, in nanoseconds since 1970.
        tracks: The profile's tracks.
        lanes: The track that each lane of the trace is of: that of ``tid`` 1 comes first. A track
            whose events overlap in part has several.
        files: Paths of the source files. Their text is not exported.
        frames: (index into ``files``, 1-based line, function's qualified name).
        stacks: (the caller's node or -1, index into ``frames``): the calling contexts that events
            name as their origin; empty where none does.
        steps: Start and end of each recorded step.
        series: What the counters are of, by their ``id``.
        prices: The columns of the predicted kernels, texts as they are; empty where nothing was
            predicted.
    """

    schema: Literal[1] = 1
    name: str
    target: str
    device: str
    time_kind: TimeKind
    attribution: Attribution
    line_level: Literal["line", "function", "none"]
    steps_from: StepsFrom
    warmup: _Index
    step_before_ns: _Ns | None
    rank: _Index | None
    world_size: _Index | None
    inputs: list[str]
    start_unix_ns: Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]
    tracks: list[Track]
    lanes: list[_Index]
    files: list[str]
    frames: list[tuple[_Index, _Line, str]]
    stacks: list[tuple[_IndexOrNone, _Index]]
    steps: list[tuple[_Ns, _Ns]]
    series: list[Series]
    memory: DeviceMemory | None
    pricing: Pricing | None
    prices: dict[str, list[_Int64 | str]]
    quality: list[QualityNote]


class ExportedArguments(
    msgspec.Struct,
    frozen=True,
    gc=False,
    rename={
        "external_id": "External id",
        "correlation_id": "correlation",
        "sequence_nr": "Sequence number",
        "forward_thread": "Fwd thread id",
        "input_dims": "Input Dims",
        "input_types": "Input type",
        "concrete_inputs": "Concrete Inputs",
        "list_types": "List types",
    },
):
    """The arguments of an event that are read back: where torch has a name for one, by that name.

    Attributes:
        kind: What people call its category. What has none is no event of the profile.
        forward_thread: As in the events table: a track's number and one more.
        frame: Index into the frames.
        contexts: The calling contexts that the recording itself names as its origin.
        price: As in the events table; so are the next two.
        value: A counter's.
    """

    kind: str | None = None
    external_id: _Int64 = -1
    correlation_id: _Int64 = -1
    sequence_nr: _Int64 = -1
    forward_thread: _IndexOrNone = 0
    input_dims: msgspec.Raw = msgspec.Raw(b"")
    input_types: msgspec.Raw = msgspec.Raw(b"")
    concrete_inputs: msgspec.Raw = msgspec.Raw(b"")
    list_types: msgspec.Raw = msgspec.Raw(b"")
    frame: _IndexOrNone = -1
    entry: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0
    contexts: tuple[_Index, ...] = ()
    price: Annotated[int, msgspec.Meta(ge=-2, lt=_MOST)] = -1
    predicted_ns: _Int64 = -1
    launch_ns: _Int64 = 0
    value: float | None = None


SIGNATURE_KEYS: Final = ("Input Dims", "Input type", "Concrete Inputs", "List types")
"""The arguments that are an operator's inputs, in the order in which profiles have them."""
