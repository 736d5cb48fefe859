"""What is missing from a trace, was left out, or cannot be told for sure."""

from __future__ import annotations

from typing import Final

from sidelight.ingest.executions import Executions
from sidelight.ingest.notes import (
    no_device_rows,
    no_stacks,
    samples_left_out,
    unverified_format,
)
from sidelight.ingest.perfetto.packets import Packets
from sidelight.ingest.perfetto.track_events import TrackEvents
from sidelight.profile.quality import QualityNote

_OPEN_TABLES: Final = (
    "Of a Neuron profile, open what neuron-explorer view --output-format parquet writes."
)

NO_DEVICE_ROWS: Final = no_device_rows(
    "The trace has no slices that are known to be a device's work",
    _OPEN_TABLES,
    instead="there is no device time",
)

NO_STACKS: Final = no_stacks("The trace does not say which source code ran", _OPEN_TABLES)


def notes_of_reading(
    events: TrackEvents, packets: Packets, bad_values: int, unrelated_clocks: int
) -> list[QualityNote]:
    """What was left out, beside what is damaged.

    Args:
        events: What was read.
        packets: What it was read from.
        bad_values: Values of counters that are left out.
        unrelated_clocks: Clocks that no snapshot relates to the trace's.
    """
    notes = [
        QualityNote(
            "unknown_compression",
            "warning",
            "Packets that are compressed with zstd are left out, and so is their time. Unpack the "
            "trace with Perfetto's traceconv first.",
            packets.unknown_compression,
        ),
        samples_left_out(bad_values),
        QualityNote(
            "unrelated_clocks",
            "warning",
            "Some events are timed by clocks that nothing in the trace relates to the others, so "
            "they may be shown at the wrong time. Durations are right. Record with clock snapshots "
            "to have one time for all.",
            unrelated_clocks,
        ),
        QualityNote(
            "other_data_sources",
            "info",
            "Packets that hold neither slices nor counters, such as the kernel's scheduling, are "
            "left out. Open the trace in Perfetto's own viewer to see them.",
            events.other,
        ),
    ]
    return [note for note in notes if note.count]


def notes_of_executions(merged: Executions) -> list[QualityNote]:
    """What is to be known of executions, where there are any."""
    if not len(merged):
        return []
    unverified = unverified_format(
        "the names of slices in Neuron's documentation", "Perfetto trace of a Neuron profile"
    )
    return [unverified, *merged.notes(_OPEN_TABLES)]
