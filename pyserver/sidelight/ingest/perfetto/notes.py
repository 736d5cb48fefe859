"""What is missing from a trace, was left out, or cannot be told for sure."""

from __future__ import annotations

from typing import Final

from sidelight.ingest.executions import Executions
from sidelight.ingest.perfetto.packets import Packets
from sidelight.ingest.perfetto.slices import Slices
from sidelight.ingest.perfetto.track_events import TrackEvents
from sidelight.profile.quality import QualityNote

UNVERIFIED: Final = QualityNote(
    "unverified_format",
    "info",
    "No Perfetto trace that Neuron's tools wrote could be read so far: which of its slices are "
    "executions is told by the names in Neuron's documentation. Compare a few figures with "
    "Neuron Explorer, and report what differs.",
)

NO_DEVICE_ROWS: Final = QualityNote(
    "no_device_rows",
    "warning",
    "The trace has no slices that are known to be a device's work, so there is no device time. "
    "Of a Neuron profile, open what neuron-explorer view --output-format parquet writes.",
)

CPU_IS_DEVICE: Final = QualityNote(
    "cpu_is_device",
    "info",
    "No accelerator was recorded: device time here is the time operators took on the CPU.",
)

NO_STACKS: Final = QualityNote(
    "no_stacks",
    "warning",
    "The trace does not say which source code ran, so all time is unattributed. Of a Neuron "
    "profile, open what neuron-explorer view --output-format parquet writes.",
)


def notes_of_reading(
    events: TrackEvents, packets: Packets, slices: Slices, bad_values: int, unrelated_clocks: int
) -> list[QualityNote]:
    """What was left out, beside what is damaged.

    Args:
        events: What was read.
        packets: What it was read from.
        slices: What was made of it.
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
        QualityNote(
            "unmatched_begin_end",
            "warning",
            "Events that begin without ending, or end without beginning, are left out.",
            slices.unmatched,
        ),
        QualityNote(
            "bad_duration",
            "warning",
            "Rows whose time or duration is missing, negative or beyond ten years are left out.",
            events.untimed + slices.bad_times,
        ),
        QualityNote(
            "bad_values",
            "warning",
            "Values of counters that are no finite numbers, or have no time, are left out. Memory "
            "and the like may be wrong there; record it again if they matter.",
            bad_values,
        ),
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
    notes = [
        QualityNote(
            "executions_not_merged",
            "warning",
            "Executions without a flow id cannot be merged over the physical cores of a logical "
            "one, so each core's counts: device time may be up to twice what it is. Open what "
            "neuron-explorer view --output-format parquet writes.",
            merged.unmerged_rows,
        ),
        QualityNote(
            "repeated_flow_ids",
            "info",
            "Some executions have the model and flow id of an earlier one on the same core; they "
            "count as executions of their own. Compare their number with Neuron Explorer's.",
            merged.repeated_flows,
        ),
    ]
    return [UNVERIFIED, *(note for note in notes if note.count)]
