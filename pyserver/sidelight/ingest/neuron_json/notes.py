"""What a JSON profile of Neuron's lacks, and what of it was left out, for the quality report."""

from __future__ import annotations

from collections.abc import Collection

from sidelight.ingest.neuron_json.cores import Cores
from sidelight.ingest.neuron_json.counters import Counters
from sidelight.ingest.neuron_json.instructions import Instructions
from sidelight.ingest.neuron_json.transfers import Transfers
from sidelight.ingest.notes import (
    dma_names_unknown,
    no_stacks,
    operands_left_out,
    samples_left_out,
    unknown_engine,
    unknown_parts,
)
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

_MOST_UNKNOWN = 1000


def device_notes(
    profile: Profile,
    cores: Cores,
    instructions: Instructions,
    transfers: Transfers,
    counters: Counters,
) -> list[QualityNote]:
    """The notes on a device profile that was built of these."""
    counted = [
        samples_left_out(counters.windows.left_out),
        unknown_engine(sorted(cores.unknown_engines)),
        operands_left_out(instructions.operands_left_out),
        dma_names_unknown(transfers.unnamed),
    ]
    notes = [note for note in counted if note.count]
    if not len(profile.origins):
        notes.insert(
            0,
            no_stacks(
                "The instructions name no source line",
                "Compile again with debug information (NKI_DEBUG_INFO=True for NKI kernels) and "
                "record it again, as Parquet with neuron-explorer.",
            ),
        )
    return notes


def note_unknown(name: str, unknown: set[str]) -> None:
    """Keep the name of a list that nobody knows, unless there are more than anybody reads."""
    if len(unknown) < _MOST_UNKNOWN:
        unknown.add(name)


def file_notes(*, is_followed: bool, unknown: Collection[str]) -> list[QualityNote]:
    """The notes on the file itself.

    Args:
        is_followed: Whether anything comes after that object.
        unknown: Lists in it that no version known here has.
    """
    notes: list[QualityNote] = []
    if is_followed:
        notes.append(
            QualityNote(
                "rest_left_out",
                "warning",
                "Something follows the end of the profile in its file; it is left out. If two "
                "profiles were joined, open them apart.",
            )
        )
    if unknown:
        notes.append(unknown_parts("lists", unknown))
    return notes
