"""What was wrong with an input's times, counted, and how people are told."""

from __future__ import annotations

from dataclasses import dataclass

from sidelight.profile.quality import QualityNote


@dataclass
class TimeFaults:
    """Counts what was wrong with an input's times.

    Attributes:
        left_out: Rows whose time or duration cannot be.
        stray: Rows at an instant far from all others, such as zero.
        other_unit: Rows that count in another unit than the others.
        jumps: Stretches of time that were moved to where the one before them ends.
        unmatched: Beginnings without an end, and ends without a beginning.
        disorder: Beginnings and ends that are written after later ones of their thread.
    """

    left_out: int = 0
    stray: int = 0
    other_unit: int = 0
    jumps: int = 0
    unmatched: int = 0
    disorder: int = 0

    @property
    def lost_rows(self) -> int:
        """How many rows, or halves of rows, are left out."""
        return self.left_out + self.stray + self.other_unit + self.unmatched

    def notes(self) -> list[QualityNote]:
        """One entry of the data-quality report for each kind that there is."""
        notes = [
            QualityNote(
                "bad_duration",
                "warning",
                "Rows whose time or duration is missing, negative or absurd are left out, and so "
                "is their time. Absurd is beyond ten years, or going on for long after all else "
                "has begun: an hour on a device, a day elsewhere. Record again to have them.",
                self.left_out,
            ),
            QualityNote(
                "stray_times",
                "warning",
                "Rows at one instant, such as zero, more than a day from all others are left out: "
                "it is not known when they were, and so is their time. Record again to have them.",
                self.stray,
            ),
            QualityNote(
                "mixed_units",
                "warning",
                "The times of some rows are a thousand times those of the others, or the "
                "thousandth: they seem to count in another unit and are left out. Write all times "
                "in the format's unit (traces: microseconds).",
                self.other_unit,
            ),
            QualityNote(
                "clock_jumps",
                "warning",
                "More than a day lies between rows with nothing in it, as where a clock was set or "
                "two were used. Later rows are shown right after earlier ones, so idle time there "
                "means nothing; durations are as recorded. Record again if order matters.",
                self.jumps,
            ),
            QualityNote(
                "unmatched_begin_end",
                "warning",
                "Events that begin without ending, or end without beginning, are left out, and so "
                "is their time. Stop the profiler before the program ends to have them whole.",
                self.unmatched,
            ),
            QualityNote(
                "events_out_of_order",
                "info",
                "Beginnings and ends are not written in order of time; they were matched in that "
                "order. If rows are longer than they can be, record again.",
                self.disorder,
            ),
        ]
        return [note for note in notes if note.count]
